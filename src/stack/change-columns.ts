import type { ClientBase } from 'pg'

import type { ApplyParts } from './apply.ts'
import { planShape } from './columns.ts'
import { type Lease, LeaseLostError } from './leases.ts'
import { columnsIn, readTable } from './look.ts'
import type { GeneratedTable } from './stack.ts'
import { orInUse } from './table/made-by-others.ts'
import type { TableColumn } from './table/stored-column.ts'
import { switchPartitions } from './table/switch-partitions.ts'

/**
 * Gives a table other columns without a load, in the caller's transaction, which records them: new ones are empty, and
 * `leaving` are the names in SQL of those that go. What others changed by hand is not changed back.
 */
export async function changeColumns(
  client: ClientBase,
  { tableEngine, patience }: ApplyParts,
  { name, columns: before }: GeneratedTable,
  columns: readonly TableColumn[],
  leaving: ReadonlySet<string> = new Set(),
): Promise<void> {
  const planned = planShape(before, columns, await columnsIn(client, name), leaving)
  const isNew = ({ column }: TableColumn) => before.every((other) => other.column !== column)
  const shape = { ...planned, added: planned.added.filter(isNew), retyped: [] }
  if (!shape.isThere || shape.added.length + shape.dropped.length === 0) return
  const change = { table: name, shape, detach: [], attach: [] }
  await orInUse(() => switchPartitions(client, change, tableEngine, patience))
}

/** The same for columns that are empty until a load fills them, and what is recorded of it. */
export async function addColumns(
  client: ClientBase,
  parts: ApplyParts,
  { tableId, token }: Lease,
  added: readonly TableColumn[],
): Promise<void> {
  if (added.length === 0) return
  const table = await readTable(client, tableId)
  const columns = [...table.columns, ...added]
  await changeColumns(client, parts, table, columns)
  const { rowCount } = await client.query(
    'update generated_tables set columns = $2 where id = $1 and lease_token = $3',
    [tableId, JSON.stringify(columns), token],
  )
  if (rowCount !== 1) throw LeaseLostError.ofTable(tableId)
}
