import type { ClientBase, Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import type { FileShape } from '../../resources/shape.ts'
import type { ApplyParts } from '../../stack/apply.ts'
import { changeColumns } from '../../stack/change-columns.ts'
import { FREE, type Lease, LeaseLostError, type Leases } from '../../stack/leases.ts'
import { readTable } from '../../stack/look.ts'
import { bindColumns, namedAs } from './expect.ts'

export interface TableParts extends ApplyParts {
  readonly pool: Pool
  readonly leases: Leases
}

type Columns = Pick<FileShape, 'columns'>

/** Whether a change of the columns concerns tables: a name, the order, or a column that leaves. */
export const concernsTables = (
  { columns }: Columns,
  given: readonly { readonly name: string; readonly column?: string | undefined }[],
): boolean =>
  columns.some(({ column, name }, at) => given[at]?.column !== column || given[at].name !== name)

/** The tables of the sources that have the shape. */
export async function tablesWith(
  queries: Queries,
  { id, sourceId }: Pick<FileShape, 'id' | 'sourceId'>,
): Promise<readonly number[]> {
  const { rows } =
    sourceId === null
      ? await queries.query<{ tableId: number }>(
          'select s.table_id as "tableId" from sources s where s.shape_id = $1 order by s.table_id',
          [id],
        )
      : await queries.query<{ tableId: number }>(
          'select s.table_id as "tableId" from sources s where s.id = $1 and s.shape_id is null',
          [sourceId],
        )
  return rows.map(({ tableId }) => tableId)
}

/** Holds all of these tables while the work runs; whoever comes to one of them meanwhile is told so. */
export async function holdingTables<R>(
  { leases }: Pick<TableParts, 'leases'>,
  tableIds: readonly number[],
  work: (held: readonly Lease[]) => Promise<R>,
  held: readonly Lease[] = [],
): Promise<R> {
  const [tableId, ...rest] = tableIds
  if (tableId === undefined) return work(held)
  return leases.during(tableId, null, (lease) =>
    holdingTables({ leases }, rest, work, [...held, lease]),
  )
}

/**
 * Gives a table the names and the order of its shape, and takes out the columns that the shape names
 * no more; then the table is free again. Nothing is renamed in SQL.
 */
export async function followShape(
  client: ClientBase,
  parts: ApplyParts,
  lease: Lease,
  { before, after }: { readonly before: Columns; readonly after: Columns },
): Promise<void> {
  const table = await readTable(client, lease.tableId)
  const bound = bindColumns(before, table.columns)
  const now = new Map(after.columns.map((column) => [column.column, column]))
  const leaving = new Set(
    table.columns
      .map(({ column }) => column)
      .filter((column) => bound.has(column) && !now.has(bound.get(column)!.column)),
  )
  const staying = table.columns.filter(({ column }) => !leaving.has(column))
  if (leaving.size > 0) await changeColumns(client, parts, table, staying, leaving)
  const rebound = new Map(
    staying.flatMap(({ column }) => {
      const next = now.get(bound.get(column)?.column ?? column)
      return next === undefined ? [] : [[column, next]]
    }),
  )
  const { rowCount } = await client.query(
    `with touched as (update sources set updated_at = clock_timestamp() where table_id = $1)
     update generated_tables set columns = $2, ${FREE} where id = $1 and lease_token = $3`,
    [table.id, JSON.stringify(namedAs(after, staying, rebound)), lease.token],
  )
  if (rowCount !== 1) throw LeaseLostError.ofTable(table.id)
}
