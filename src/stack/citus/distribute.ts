import type { ClientBase, Pool } from 'pg'

import { UnsupportedError } from '../../db/database-errors.ts'
import { isThere, readConstraints } from '../table/catalogue.ts'
import type { TableKey } from '../table/partitions.ts'
import type { TableEngine } from '../table/table-engine.ts'
import { loadsSchemaOf, type TableName } from '../table/table-name.ts'

/** A table with everything that its loads have brought. */
export interface WholeTable extends TableKey {
  readonly name: TableName
}

/**
 * Spreads a table over the nodes, in the caller's transaction. It stays the same object, and its
 * partitions go with it, including those that it does not show now but could show again.
 */
export async function distributeTable(
  client: ClientBase,
  engine: TableEngine,
  table: WholeTable,
): Promise<void> {
  const parts = await partsOf(client, table)
  const there = await engine.distributedOf(client, parts)
  let beside = there[0] ?? null
  for (const part of parts.filter((each) => !there.includes(each))) {
    if (part === table.name) await refuseChecks(client, part)
    await engine.distribute(client, part, beside)
    beside ??= part
  }
}

/**
 * A check added to a partition gets a different name on each node than the same check of its
 * table, so nothing could be attached to the table any more.
 */
async function refuseChecks(client: ClientBase, table: TableName): Promise<void> {
  const constraints = await readConstraints(client, table)
  const check = constraints.find(({ definition }) => definition.startsWith('CHECK'))
  if (check === undefined) return
  throw new UnsupportedError(
    `A table with a check (${check.name}) takes no partitions over the nodes.`,
  )
}

/** What was loaded while the table was elsewhere follows it before any rows are moved between the two. */
export async function placeTogether(
  client: ClientBase,
  engine: TableEngine,
  table: WholeTable,
): Promise<void> {
  if (engine.name === 'postgres') return
  const there = await engine.distributedOf(client, await partsOf(client, table))
  if (there.length > 0) await distributeTable(client, engine, table)
}

/** The table itself and the tables that belong to it; attached partitions are part of it. */
export async function partsOf(
  client: Pick<ClientBase | Pool, 'query'>,
  { id, enterpriseId, name }: WholeTable,
): Promise<TableName[]> {
  const schema = loadsSchemaOf(enterpriseId)
  const { rows } = await client.query<{ name: string }>(
    `select name from load_tables
     where table_id = $1 and not is_attached and to_regclass(format('%I.%I', $2::text, name)) is not null
     order by id`,
    [id, schema],
  )
  const beside = rows.map((row) => ({ schema, table: row.name }))
  return (await isThere(client, name)) ? [name, ...beside] : beside
}
