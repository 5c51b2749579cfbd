import { randomUUID } from 'node:crypto'

import type { ClientBase } from 'pg'

import type { LoadConnection } from '../core/engine.ts'
import type { ColumnPlan } from '../core/plan.ts'
import { quoteName, quoteTable, quoteText, ROW_COLUMN, type TableName } from './sql.ts'

/** A table of this name is a load under way, or what a killed one left behind. */
const STAGING_PATTERN = '^staging-[0-9a-f-]{36}(-rejects)?$'
const SWEEP_LOCK_TIMEOUT_MS = 2000

/**
 * Tables that are loaded beside the real ones and take their names at the end. A lock held by the
 * loading session tells a load under way from an orphan, whatever became of the process.
 */
export class Staging {
  readonly table: TableName
  readonly rejects: TableName
  readonly #id = randomUUID()
  readonly #client: ClientBase

  private constructor(client: ClientBase, schema: string) {
    this.#client = client
    this.table = { schema, table: `staging-${this.#id}` }
    this.rejects = { schema, table: `staging-${this.#id}-rejects` }
  }

  static async create(
    client: ClientBase,
    schema: string,
    columns: readonly ColumnPlan[],
  ): Promise<Staging> {
    const staging = new Staging(client, schema)
    // The lock comes first: a sweep must never see the table without it.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [staging.#id])
    await client.query(createTable(staging.table, columns))
    return staging
  }

  /** A unique index, not BRIN: appended and upserted rows may lie anywhere, and pages stay cheap. */
  async buildRowIndex(): Promise<void> {
    await this.#client.query(
      `alter table ${quoteTable(this.table)}
       add constraint ${quoteName(`rows-${this.#id}`)} primary key (${quoteName(ROW_COLUMN)})`,
    )
  }

  async createRejects(): Promise<void> {
    await this.#client.query(
      `create table ${quoteTable(this.rejects)} (
         "row" bigint not null, "line" bigint, "column" text, "value" text,
         "message" text not null, "raw" text not null
       )`,
    )
  }

  async drop(): Promise<void> {
    await this.dropTables()
    await this.release()
  }

  /** Of tables that were published nothing is left under these names. */
  async dropTables(): Promise<void> {
    await this.#client.query(
      `drop table if exists ${quoteTable(this.table)}, ${quoteTable(this.rejects)}`,
    )
  }

  async release(): Promise<void> {
    await this.#client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [this.#id])
  }
}

function createTable(table: TableName, columns: readonly ColumnPlan[]): string {
  const definitions = columns.map((column) => `, ${quoteName(column.column)} ${column.sqlType}`)
  return `create table ${quoteTable(table)} (${quoteName(ROW_COLUMN)} bigint not null${definitions.join('')})`
}

/** Says on the column which header it came from, where the name alone does not. */
export function headerComments(table: TableName, columns: readonly ColumnPlan[]): string {
  return columns
    .filter((column) => column.name !== column.column)
    .map(
      (column) =>
        `comment on column ${quoteTable(table)}.${quoteName(column.column)} is ${quoteText(column.name)};`,
    )
    .join('\n')
}

/**
 * Drops what killed loads left behind; loads under way, of any process, are not touched. Answers
 * the names that were dropped. Without schemas it looks at the whole database.
 */
export async function sweepStaging(
  connect: () => Promise<LoadConnection>,
  schemas?: readonly string[],
): Promise<string[]> {
  const connection = await connect()
  let broken = true
  try {
    const { client } = connection
    const { rows } = await client.query<TableName>(
      `select n.nspname as schema, c.relname as table
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and c.relname ~ $1 and ($2::text[] is null or n.nspname = any($2))`,
      [STAGING_PATTERN, schemas ?? null],
    )
    const dropped: string[] = []
    for (const table of rows) if (await dropOrphan(client, table)) dropped.push(table.table)
    broken = false
    return dropped
  } finally {
    connection.release(broken)
  }
}

async function dropOrphan(client: ClientBase, table: TableName): Promise<boolean> {
  const id = table.table.slice('staging-'.length, 'staging-'.length + 36)
  await client.query('begin')
  try {
    const { rows } = await client.query<{ orphan: boolean }>(
      'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as orphan',
      [id],
    )
    const orphan = rows[0]!.orphan
    if (orphan) {
      await client.query(`set local lock_timeout = ${SWEEP_LOCK_TIMEOUT_MS}`)
      await client.query(`drop table if exists ${quoteTable(table)}`)
    }
    await client.query('commit')
    return orphan
  } catch (error) {
    await client.query('rollback')
    // Its last backend has not noticed yet that nobody is there; the next sweep will find it.
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}
