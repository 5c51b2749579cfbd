import type { Pool, ClientBase } from 'pg'

import type { DataSource, Warning, TableName } from '../../../pipelines/index.ts'
import { translateDatabaseError, UnsupportedError } from '../../db/database-errors.ts'
import type { Ingest } from '../../domain/ingest/ingest.ts'
import type { Logger } from '../../observability/logger.ts'
import { changeTable } from '../change-table.ts'
import { loadMessages } from '../load-messages.ts'
import type { GeneratedTable } from '../stack.ts'
import type { TableEngine } from '../table/table-engine.ts'
import { loadsSchemaOf } from '../table/enterprise-schemas.ts'
import type { Queries } from '../../db/in-turn.ts'
import { isThere, readConstraints } from '../table/catalogue.ts'
import type { WholeTable } from '../table/partitions.ts'

/**
 * Where the rows of a table are: there is no table yet, it is on the coordinator, or it is spread
 * over the nodes.
 */
export type TablePlace = 'nowhere' | 'coordinator' | 'nodes'

export interface ComingRows {
  readonly table: TablePlace
  /** Undefined: unknown. */
  readonly bytes: number | undefined
}

/** Where new rows go, and whether the table has to be moved there first. */
type RowsGo = 'to the coordinator' | 'to the nodes' | 'to the nodes after their table'

/**
 * Rows go where their table is, but a load of at least `limit` bytes goes to the nodes and takes
 * the table with it.
 */
export function whereRowsGo(
  { table, bytes = 0 }: ComingRows,
  distributesFromBytes: number,
): RowsGo {
  if (table === 'nodes') return 'to the nodes'
  if (bytes < distributesFromBytes) return 'to the coordinator'
  return table === 'nowhere' ? 'to the nodes' : 'to the nodes after their table'
}

/** Where to put the rows of a load. */
interface Placement {
  readonly isDistributed: boolean
  /** A table whose rows are spread over the nodes in the same way; null: there is none yet. */
  readonly beside: TableName | null
  readonly warnings: readonly Warning[]
}

const ON_THE_COORDINATOR: Placement = { isDistributed: false, beside: null, warnings: [] }

interface PlacementParts {
  readonly pool: Pool
  readonly ingest: Pick<Ingest, 'place'>
  readonly tableEngine: TableEngine
  readonly logger: Logger
}

/**
 * Decided before the first row: the rows go where the table is, or, when this is its first large
 * load, the table is spread over the nodes of the cluster first.
 */
export async function choosePlacement(
  { pool, ingest, tableEngine, logger }: PlacementParts,
  table: GeneratedTable,
  source: DataSource,
  signal: AbortSignal,
): Promise<Placement> {
  const limit = tableEngine.distributesFromBytes
  if (limit === null) return ON_THE_COORDINATOR
  const parts = await partsOf(pool, table)
  const [beside = null] = await tableEngine.distributedOf(pool, parts)
  const placed: Placement = { isDistributed: true, beside, warnings: [] }
  const place = beside === table.name ? 'nodes' : 'coordinator'
  const bytes = bytesOf(source) ?? (await bytesHeld(pool, table))
  const rowsGo = whereRowsGo(
    { table: parts.includes(table.name) ? place : 'nowhere', bytes },
    limit,
  )
  if (rowsGo === 'to the nodes') return placed
  if (rowsGo === 'to the coordinator') return ON_THE_COORDINATOR
  try {
    await changeTable({ ingest }, table, signal, (client) =>
      distributeTable(client, tableEngine, table),
    )
    return { ...placed, beside: table.name }
  } catch (error) {
    if (!(translateDatabaseError(error) instanceof UnsupportedError)) throw error
    logger.warn({ table: table.name, err: error }, 'a table cannot be distributed')
    const message = loadMessages.notDistributed()
    return { ...ON_THE_COORDINATOR, warnings: [{ code: 'not-distributed', message }] }
  }
}

const bytesOf = (source: DataSource): number | undefined =>
  source.kind === 'bytes' ? (source.size ?? source.sizeAtMost) : undefined

/** The size of some inputs, such as a form, is unknown: it is assumed to be that of the previous load. */
async function bytesHeld(pool: Pool, { id }: GeneratedTable): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    'select coalesce(sum(bytes), 0)::float8 as bytes from load_tables where table_id = $1 and is_attached',
    [id],
  )
  return rows[0]!.bytes
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
  const there = await engine.distributedOf(client, await partsOf(client, table))
  if (there.length > 0) await distributeTable(client, engine, table)
}

/** The table itself and the tables that belong to it; attached partitions are part of it. */
export async function partsOf(
  client: Queries,
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
