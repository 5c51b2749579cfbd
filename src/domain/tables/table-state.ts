import type { ClientBase, Pool } from 'pg'

import { endOfAttached } from './partitions.ts'
import { ROW } from './row-numbers.ts'
import type { TableColumn } from './stored-column.ts'
import { quoteName, quoteTable, schemaOf, type TableName } from './table-name.ts'

/** What a table shows, as one snapshot knows it. */
export interface TableState {
  readonly id: number
  readonly name: TableName
  readonly columns: readonly TableColumn[]
  readonly rowCount: number
  readonly rejectedCount: number
  /**
   * No row of this state has this number or a higher one. A partition that was attached after the
   * snapshot can be seen all the same, and its rows as well.
   */
  readonly endRow: string
}

interface StateRow {
  readonly enterprise_id: number
  readonly name: string
  readonly columns: TableColumn[]
  readonly row_count: number
  readonly rejected_count: number
  readonly end_number: string
}

/** Null where there is no such table any more. */
export async function readState(
  client: Pick<ClientBase | Pool, 'query'>,
  tableId: number,
): Promise<TableState | null> {
  const { rows } = await client.query<StateRow>(
    `select enterprise_id, name, columns, row_count, rejected_count,
            ${endOfAttached('$1')} as end_number
     from generated_tables where id = $1`,
    [tableId],
  )
  const [row] = rows
  if (row === undefined) return null
  return {
    id: tableId,
    name: { schema: schemaOf(row.enterprise_id), table: row.name },
    columns: row.columns,
    rowCount: row.row_count,
    rejectedCount: row.rejected_count,
    endRow: row.end_number,
  }
}

/** What stands behind `from` in whatever reads rows of the state. */
export const fromState = ({ name, endRow }: TableState): string =>
  `from ${quoteTable(name)} as stored where ${ROW} < ${endRow}`

/** Fails where others have dropped one: of what is answered bit by bit, the first bit would be out by then. */
export async function requireColumns(client: ClientBase, state: TableState): Promise<void> {
  const columns = state.columns.map(({ column }) => quoteName(column))
  await client.query(`select ${columns.join(', ')} ${fromState(state)} limit 0`)
}

/** The same for about so many percent of the rows, taken by blocks; 100: for all of them. */
export const fromSample = (state: TableState, percent: number): string =>
  percent >= 100
    ? fromState(state)
    : `from ${quoteTable(state.name)} as stored tablesample system (${percent}) repeatable (1)
       where ${ROW} < ${state.endRow}`
