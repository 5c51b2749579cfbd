import type { ClientBase } from 'pg'

import { ROW } from './row-numbers.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

/**
 * Once the rows are in: an index that grows with them takes longer. They are in order, so that there is next
 * to nothing to sort; processes that share the work would hand every number to each other.
 */
export async function addRowKey(
  client: ClientBase,
  table: TableName,
  constraint?: string,
): Promise<void> {
  const named = constraint === undefined ? '' : `constraint ${quoteName(constraint)} `
  // Each a text of its own: a cluster hands a text on to its nodes as a whole.
  await client.query('set max_parallel_maintenance_workers = 0')
  try {
    await client.query(`alter table ${quoteTable(table)} add ${named}primary key (${ROW})`)
  } finally {
    // Where the transaction failed, its end resets it.
    await client.query('reset max_parallel_maintenance_workers').catch((error: Error) => error)
  }
}
