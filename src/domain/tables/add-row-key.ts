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
  await client.query(
    `set local max_parallel_maintenance_workers = 0;
     alter table ${quoteTable(table)} add ${named}primary key (${ROW});
     set local max_parallel_maintenance_workers to default`,
  )
}
