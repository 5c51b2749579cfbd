import type { ClientBase } from 'pg'

import { orInUse } from './table/made-by-others.ts'
import { type Lease, LeaseLostError } from './leases.ts'
import { columnsIn, readTable } from './look.ts'
import { planShape } from './columns.ts'
import type { TableColumn } from './table/stored-column.ts'
import type { Patience } from './table/lock-table.ts'
import { switchPartitions } from './table/switch-partitions.ts'
import type { TableEngine } from './table/table-engine.ts'

interface ColumnParts {
  readonly tableEngine: TableEngine
  readonly patience: Patience
}

/** Gives a table columns that are empty until a load fills them, in the caller's transaction. */
export async function addColumns(
  client: ClientBase,
  { tableEngine, patience }: ColumnParts,
  { tableId, token }: Lease,
  added: readonly TableColumn[],
): Promise<void> {
  if (added.length === 0) return
  const table = await readTable(client, tableId)
  const columns = [...table.columns, ...added]
  const change = planShape(table.columns, columns, await columnsIn(client, table.name))
  // What others changed by hand is not changed back here.
  const shape = { ...change, retyped: [], dropped: [] }
  const { name } = table
  await orInUse(() =>
    switchPartitions(client, { table: name, shape, detach: [], attach: [] }, tableEngine, patience),
  )
  const { rowCount } = await client.query(
    'update generated_tables set columns = $2 where id = $1 and lease_token = $3',
    [tableId, JSON.stringify(columns), token],
  )
  if (rowCount !== 1) throw LeaseLostError.ofTable(tableId)
}
