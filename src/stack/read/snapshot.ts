import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { cancelWhenAborted, releaseIfAborted } from '../../db/until-aborted.ts'
import { MissingTableError, translateDatabaseError } from '../../db/database-errors.ts'
import { refuseAttached, whatForbidsReading } from '../table/made-by-others.ts'
import { endOfAttached, ROW } from '../table/partitions.ts'
import type { StoredColumn, TableColumn } from '../table/stored-column.ts'
import { quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'
import { schemaOf } from '../table/enterprise-schemas.ts'

/** What a table shows, as seen in one snapshot. */
export interface TableState {
  readonly id: number
  readonly name: TableName
  readonly columns: readonly TableColumn[]
  readonly rowCount: number
  readonly rejectedCount: number
  /**
   * All rows of this state have lower numbers. It is needed because a partition that is attached
   * after the snapshot was taken, and its rows, are visible in the snapshot.
   */
  readonly endRow: string
  /** SQL that is true for the rows that are meant, which `rowCount` counts once `counted` has; absent: all of them. */
  readonly only?: string
  /** Absent: in the order of the source. */
  readonly order?: RowOrder
}

export interface RowOrder {
  /** Null: the order of the source. */
  readonly sortBy: StoredColumn | null
  readonly descending: boolean
}

/** Null if the table no longer exists. */
export async function readState(client: Queries, tableId: number): Promise<TableState | null> {
  const { rows } = await client.query<
    Omit<TableState, 'name'> & { readonly name: string; readonly enterpriseId: number }
  >(
    `select id, enterprise_id as "enterpriseId", name, columns, row_count as "rowCount",
            rejected_count as "rejectedCount", ${endOfAttached('$1')} as "endRow"
     from generated_tables where id = $1`,
    [tableId],
  )
  const [row] = rows
  if (row === undefined) return null
  const { enterpriseId, name, ...state } = row
  return { ...state, name: { schema: schemaOf(enterpriseId), table: name } }
}

/** The rest of a query after its select list, for rows of the state. */
export const fromState = ({ name, endRow, only }: TableState): string =>
  `from ${quoteTable(name)} as stored where ${ROW} < ${endRow}${only === undefined ? '' : ` and ${only}`}`

/** Sorted by the stored value: the column's name alone would mean the text that is shown for it. */
export function inOrder({ sortBy, descending }: RowOrder): string {
  const direction = descending ? 'desc' : 'asc'
  const first = sortBy ? `stored.${quoteName(sortBy.column)} ${direction} nulls last, ` : ''
  return `order by ${first}${ROW} ${direction}`
}

const AS_LOADED: RowOrder = { sortBy: null, descending: false }

/** The same as `fromState`, for rows in the order of the state. */
export const fromStateInOrder = (state: TableState): string =>
  `${fromState(state)} ${inOrder(state.order ?? AS_LOADED)}`

/**
 * Fails if others have dropped one of the columns. With a streamed answer, the first bytes would
 * already be sent when the error shows.
 */
export async function requireColumns(client: ClientBase, state: TableState): Promise<void> {
  const columns = state.columns.map(({ column }) => quoteName(column))
  await client.query(`select ${columns.join(', ')} ${fromStateInOrder(state)} limit 0`)
}

/** The same for about this percentage of the rows, sampled by blocks; 100: for all of them. */
export const fromSample = (state: TableState, percent: number): string =>
  percent >= 100
    ? fromState(state)
    : `from ${quoteTable(state.name)} as stored tablesample system (${percent}) repeatable (1)
       where ${ROW} < ${state.endRow}`

/** The table does not exist: its source was deleted a moment ago. */
export class TableGoneError extends Error {
  override readonly name = 'TableGoneError'
}

/**
 * Reads one state of a table and its records. The lock is taken before the snapshot, so a switch
 * is either over by then or waits until the reader is done. When `signal` aborts, the statement is
 * cancelled. The connection is closed after any failure, which may have left it in the middle of
 * an answer.
 */
export async function withSnapshot<R>(
  pool: Pool,
  table: TableName,
  work: (client: PoolClient) => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  const client = await pool.connect()
  await releaseIfAborted(signal, () => client.release())
  let broken = true
  using _cancelling = signal ? cancelWhenAborted(client, signal) : null
  try {
    const answers = (await client.query(
      `begin isolation level repeatable read read only;
       lock table only ${quoteTable(table)} in access share mode;
       ${whatForbidsReading([table])}`,
    )) as unknown as readonly QueryResult<{ name: string | null }>[]
    refuseAttached(table, answers.at(-1)!.rows)
    const result = await work(client)
    await client.query('commit')
    broken = false
    return result
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (translateDatabaseError(error) instanceof MissingTableError) {
      throw new TableGoneError(`${table.table} is not there`, { cause: error })
    }
    throw error
  } finally {
    client.release(broken)
  }
}
