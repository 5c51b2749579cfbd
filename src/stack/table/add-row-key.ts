import type { ClientBase } from 'pg'

import { MiB } from '../../../pipelines/index.ts'
import { ROW } from './row-numbers.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

/**
 * Enough memory to sort the numbers of some three million rows; more rows are sorted in files,
 * which takes a third longer.
 */
const SORT_BYTES = 128 * MiB

const SORT_IN_MEMORY = `
  select set_config('maintenance_work_mem', most || 'B', false)
  from greatest(pg_size_bytes(current_setting('maintenance_work_mem')), ${SORT_BYTES}) most`

/**
 * Added once the rows are in, since an index that grows with them takes longer. The rows are
 * already in order, so there is next to nothing to sort; parallel workers would only pass every
 * number to each other.
 */
export async function addRowKey(
  client: ClientBase,
  table: TableName,
  constraint?: string,
): Promise<void> {
  const named = constraint === undefined ? '' : `constraint ${quoteName(constraint)} `
  // Separate queries: a cluster passes a query on to its nodes as a whole.
  await client.query('set max_parallel_maintenance_workers = 0')
  await client.query(SORT_IN_MEMORY)
  try {
    await client.query(`alter table ${quoteTable(table)} add ${named}primary key (${ROW})`)
  } finally {
    // If the transaction fails, its end resets these settings.
    for (const name of ['max_parallel_maintenance_workers', 'maintenance_work_mem']) {
      await client.query(`reset ${name}`).catch((error: Error) => error)
    }
  }
}
