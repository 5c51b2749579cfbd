import type { ClientBase } from 'pg'

import { readTexts } from '../read-rows.ts'
import type { StoredColumn } from '../stored-column.ts'
import type { TableName } from '../table-name.ts'

/** About as many cells at once, however wide the table. */
const CELLS_PER_BATCH = 50_000

/** The whole table in its own order, a range of `_row` at a time. */
export async function* rowBatches(
  client: ClientBase,
  table: TableName,
  columns: readonly StoredColumn[],
  total: number,
): AsyncGenerator<(string | null)[][]> {
  const limit = Math.max(1, Math.floor(CELLS_PER_BATCH / columns.length))
  for (let offset = 0; offset < total; offset += limit) {
    yield await readTexts(client, table, columns, {
      offset,
      limit,
      total,
      sortBy: null,
      descending: false,
    })
  }
}
