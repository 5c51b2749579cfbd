import type { ClientBase } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import { quoteText, quoteTable, type TableName, ROW_COLUMN } from '../../../pipelines/index.ts'

/** How generated tables are stored: on one server, or, if they are large, over the nodes of a cluster. */
export interface TableEngine {
  readonly name: 'postgres' | 'citus'
  /** A load of at least this many bytes distributes its table; null: no load does. */
  readonly distributesFromBytes: number | null
  /** Which of the tables are distributed. Asks the catalogue, the only place that knows. */
  distributedOf(client: Queries, tables: readonly TableName[]): Promise<readonly TableName[]>
  /** Spreads the rows of a table and its partitions over the nodes, in the same way as those of `beside`. */
  distribute(client: ClientBase, table: TableName, beside: TableName | null): Promise<void>
  /** Runs statements that change tables, in order and in as few queries as the engine allows. */
  change(client: ClientBase, statements: readonly string[]): Promise<void>
  /** Removes the rows that tables had on the coordinator before they were distributed; nobody sees them. */
  removeLocalRows(client: ClientBase, rows: LocalRows): Promise<void>
  /**
   * SQL for the size of a table on disk, including indexes; `name` is SQL for the table's name.
   * Null for a table whose size cannot be asked for in a transaction that has written.
   */
  sizeAtOnce(name: string): string
  /** The same for a transaction that has not written; null: every table's size is known at once. */
  sizeLater(name: string): string | null
}

interface LocalRows {
  /** Called only if tables are distributed. */
  tables(): Promise<readonly TableName[]>
  /** How long to wait for readers of one of the tables. */
  readonly lockTimeoutMs: number
}

/**
 * SQL for the end of a subquery whose rows are joined with others: nodes that do not hold both get
 * all of its rows first. Without it a cluster would refuse the query.
 */
export const READ_FIRST = 'offset 0'

/** Creates a new table where the table that it belongs to is. */
export async function placeBeside(
  engine: TableEngine,
  client: ClientBase,
  table: TableName,
  other: TableName,
): Promise<void> {
  const [beside] = await engine.distributedOf(client, [other])
  if (beside !== undefined) await engine.distribute(client, table, beside)
}

export interface TableEngineOptions {
  readonly name: TableEngine['name']
  readonly distributesFromBytes: number
  /** Null: the default of the cluster. */
  readonly shards: number | null
}

export class TableEngineError extends Error {
  override readonly name = 'TableEngineError'
}

const ownSize = (name: string): string => `pg_total_relation_size(to_regclass(${name}))`

export const POSTGRES_ENGINE: TableEngine = {
  name: 'postgres',
  distributesFromBytes: null,
  distributedOf: async () => [],
  distribute: async () => undefined,
  change: async (client, statements) => void (await client.query(statements.join(';\n'))),
  removeLocalRows: async () => undefined,
  sizeAtOnce: ownSize,
  sizeLater: () => null,
}

/** Fails at the start of the service rather than in the middle of somebody's load. */
export async function openTableEngine(
  { name, ...options }: TableEngineOptions,
  pool: Queries,
): Promise<TableEngine> {
  if (name === 'postgres') return POSTGRES_ENGINE
  const { rows } = await pool.query<{ installed: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'citus') as installed`,
  )
  if (!rows[0]!.installed) {
    throw new TableEngineError(
      'TABLE_ENGINE is citus, but the database does not have the extension: run ' +
        '“create extension citus” in it, or set TABLE_ENGINE to postgres',
    )
  }
  return citusEngine(options)
}

const isDistributed = (name: string): string =>
  `exists (select from pg_dist_partition
           where logicalrelid = to_regclass(${name}) and partmethod = 'h')`

/** In a partitioned table, its partitions hold the rows. */
const hasLocalRows = (name: string): string =>
  `(pg_relation_size(to_regclass(${name})) > 0 or exists (
    select from pg_partition_tree(to_regclass(${name})) where pg_relation_size(relid) > 0))`

/** Distributes by row number, which is unique, dense, and in every table, so all nodes get equal shares. */
function citusEngine({
  distributesFromBytes,
  shards,
}: Omit<TableEngineOptions, 'name'>): TableEngine {
  return {
    name: 'citus',
    distributesFromBytes,

    async distributedOf(client, tables) {
      const { rows } = await client.query<{ at: number }>(
        `select at::integer from unnest($1::text[]) with ordinality as given (name, at)
         where ${isDistributed('name')} order by at`,
        [tables.map(quoteTable)],
      )
      return rows.map(({ at }) => tables[at - 1]!)
    },

    async distribute(client, table, beside) {
      const [how, value] =
        beside === null
          ? [`shard_count => coalesce($2, current_setting('citus.shard_count')::integer)`, shards]
          : ['colocate_with => $2', quoteTable(beside)]
      await client.query(`select create_distributed_table($1::regclass, '${ROW_COLUMN}', ${how})`, [
        quoteTable(table),
        value,
      ])
    },

    // A cluster passes a query on to its nodes as a whole, so each statement is sent on its own.
    async change(client, statements) {
      for (const statement of statements) await client.query(statement)
    },

    async removeLocalRows(client, { tables, lockTimeoutMs }) {
      for (const table of await tables()) {
        const name = quoteText(quoteTable(table))
        // In one query, which is one transaction, because asking for the size also locks the
        // table.
        await client.query(
          `set local lock_timeout = ${lockTimeoutMs};
           select truncate_local_data_after_distributing_table(to_regclass(${name}))
           where ${isDistributed(name)} and ${hasLocalRows(name)}`,
        )
      }
    },

    // The coordinator has only the definition of a distributed table.
    sizeAtOnce: (name) => `case when not ${isDistributed(name)} then ${ownSize(name)} end`,
    sizeLater: (name) =>
      `case when ${isDistributed(name)} then citus_total_relation_size(to_regclass(${name}))
            else ${ownSize(name)} end`,
  }
}
