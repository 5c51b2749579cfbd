import { randomUUID } from 'node:crypto'

import type { ClientBase } from 'pg'

import {
  type ColumnType,
  EngineError,
  type FilledTable,
  type HeldColumn,
  type LoadTarget,
  quoteText,
  type SqlType,
} from '../../../pipelines/index.ts'
import { DependentObjectsError, translateDatabaseError } from '../../db/database-errors.ts'
import type { LoadMode } from '../../resources/load.ts'
import { addRowKey } from './add-row-key.ts'
import { sqlTypeOf } from './catalogue.ts'
import { type TablePlace, whereRowsGo } from './placement.ts'
import { lastNumber, mergeRows, numberAnew } from './plain-rows.ts'
import { dropSuperseded, type KeyColumn } from './repeated-keys.ts'
import { ROW, ROW_COLUMN } from './row-numbers.ts'
import { POSTGRES_ENGINE, type TableEngine } from './table-engine.ts'
import { tableMessages } from './table-messages.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'
import { withConnection } from './with-connection.ts'

/** How long the last step waits for those who read the table. */
export const LOCK_TIMEOUT_MS = 60_000

interface PlainTable extends TableName {
  /** The table for skipped rows; it exists only if there are any. */
  readonly rejects: TableName
  readonly mode: LoadMode
  /** Without one, tables stay where they are. */
  readonly engine?: TableEngine
  /** The size of what is loaded; absent: unknown. */
  readonly bytes?: number
}

/** A table outside the service: nothing is known about it except what the database says. */
export interface PlainTarget extends LoadTarget {
  /** How many rows the table holds once rows were published. */
  rowsInTable(): number
  /** Whether its rows are spread over the nodes of a cluster. */
  readonly isDistributed: boolean
}

/** Refuses what a publication would refuse, before a row is read. */
export async function plainTarget(
  connect: LoadTarget['connect'],
  given: PlainTable,
): Promise<PlainTarget> {
  if (given.mode.kind === 'replace') await withConnection(connect, readHeld(given))
  return targetBeside(connect, given)
}

/** Fills a new table next to `given`, then puts that table or its rows in place in one transaction. */
export async function targetBeside(
  connect: LoadTarget['connect'],
  given: PlainTable,
): Promise<PlainTarget> {
  const { mode, engine = POSTGRES_ENGINE } = given
  const held = mode.kind === 'replace' ? null : await withConnection(connect, readHeld(given))
  const isDistributed = await withConnection(connect, placeRows(engine, given, held))
  let rows = 0
  return {
    connect,
    columns: held === null ? { kind: 'any', known: [] } : { kind: 'held', columns: held },
    key: mode.kind === 'upsert' ? mode.key : null,
    rowsBefore: 0n,
    rejectsUnder: null,
    rowsInTable: () => rows,
    isDistributed,

    async create(client, columns) {
      const staging = await stagingName(client, given.schema)
      const definitions = columns.map(({ column, sqlType }) => `, ${quoteName(column)} ${sqlType}`)
      await client.query(
        `create table ${quoteTable(staging)} (${ROW} bigint not null${definitions.join('')})`,
      )
      // Rows that are added to others are counted while they are copied, which no single node
      // could do.
      if (isDistributed && held === null) await engine.distribute(client, staging, null)
      return staging
    },

    async drop(client, table) {
      await client.query(
        `drop table if exists ${quoteTable(table)}, ${quoteTable(rejectsOf(table))}`,
      )
    },

    async complete(client, filled) {
      const key = keyOf(mode, filled)
      const superseded = key === null ? 0 : await dropSuperseded(client, filled.table, key.column)
      if (held === null) {
        if (superseded > 0) await numberAnew(client, filled.table)
        await addRowKey(client, filled.table, `rows-${randomUUID()}`)
      }
      return { superseded }
    },

    async openRejects(client) {
      await client.query(
        `create table if not exists ${quoteTable(given.rejects)} (
           "row" bigint not null, "line" bigint, "column" text, "value" text,
           "message" text not null, "raw" text not null
         )`,
      )
      if (held === null) await client.query(`truncate ${quoteTable(given.rejects)}`)
      return given.rejects
    },

    async publish(client, filled, result) {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      if (held === null) {
        if (result.counts.rejected === 0) {
          await client.query(`drop table if exists ${quoteTable(given.rejects)}`)
        }
        await replace(client, filled, given)
      } else await mergeRows(client, filled, { table: given, held }, keyOf(mode, filled))
      rows = await lastNumber(client, given)
    },
  }
}

/** Whether the rows go to the nodes. An existing table is moved there first, if need be. */
const placeRows =
  (engine: TableEngine, given: PlainTable, held: readonly HeldColumn[] | null) =>
  async (client: ClientBase): Promise<boolean> => {
    const { distributesFromBytes: limit } = engine
    if (limit === null) return false
    // Rows to be replaced are looked up on the coordinator.
    const bytes = given.mode.kind === 'upsert' ? undefined : given.bytes
    const table = held === null ? 'nowhere' : await placeOf(client, engine, given)
    const rowsGo = whereRowsGo({ table, bytes }, limit)
    if (rowsGo !== 'to the nodes after their table') return rowsGo === 'to the nodes'
    await client.query('begin')
    await engine.distribute(client, given, null)
    await client.query('commit')
    await engine.removeLocalRows(client, {
      tables: async () => [given],
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    })
    return true
  }

const placeOf = async (
  client: ClientBase,
  engine: TableEngine,
  table: TableName,
): Promise<TablePlace> =>
  (await engine.distributedOf(client, [table])).length > 0 ? 'nodes' : 'coordinator'

const STAGING = 'staging'
const rejectsOf = ({ schema, table }: TableName): TableName => ({
  schema,
  table: `${table}-rejects`,
})

/** The name contains the session that fills the table, so that a table of an ended session is recognised. */
async function stagingName(client: ClientBase, schema: string): Promise<TableName> {
  const { rows } = await client.query<{ session: string }>(
    `select pid || '-' || (extract(epoch from backend_start) * 1e6)::bigint as session
     from pg_stat_get_activity(pg_backend_pid())`,
  )
  return { schema, table: `${STAGING}-${rows[0]!.session}` }
}

/** Drops the tables that killed processes have left behind. */
export async function dropAbandoned(
  connect: LoadTarget['connect'],
  schema: string,
): Promise<string[]> {
  return withConnection(connect, async (client) => {
    const { rows } = await client.query<TableName>(
      `select n.nspname as schema, c.relname as table
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname ~ '^${STAGING}-\\d+-\\d+$'
         and not exists (
           select from pg_stat_get_activity(split_part(c.relname, '-', 2)::int)
           where (extract(epoch from backend_start) * 1e6)::bigint::text
             = split_part(c.relname, '-', 3))`,
      [schema],
    )
    for (const table of rows) await client.query(`drop table if exists ${quoteTable(table)}`)
    return rows.map(({ table }) => table)
  })
}

const TYPES: Readonly<Record<SqlType, ColumnType>> = {
  text: 'text',
  bigint: 'number',
  numeric: 'number',
  date: 'date',
  timestamptz: 'date',
  boolean: 'boolean',
  jsonb: 'json',
}

/**
 * The columns of a table that an earlier load created, with the headers from their comments; null:
 * there is none.
 */
const readHeld =
  (table: TableName) =>
  async (client: ClientBase): Promise<HeldColumn[] | null> => {
    const { rows } = await client.query<{ name: string; column: string; type: string }>(
      `select a.attname as column, coalesce(col_description(a.attrelid, a.attnum), a.attname) as name,
              format_type(a.atttypid, a.atttypmod) as type
       from pg_attribute a
       where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
       order by a.attnum`,
      [quoteTable(table)],
    )
    if (rows.length === 0) return null
    if (!rows.some(({ column }) => column === ROW_COLUMN)) throw notALoad(table)
    return rows
      .filter(({ column }) => column !== ROW_COLUMN)
      .map(({ name, column, type }) => {
        const sqlType = sqlTypeOf(type)
        if (sqlType !== null) return { name, column, type: TYPES[sqlType], sqlType }
        throw new EngineError(tableMessages.unknownType({ column, type }), {
          kind: 'options',
          pointer: '/mode',
        })
      })
  }

function notALoad({ table }: TableName): EngineError {
  return new EngineError(tableMessages.notALoad({ table, missing: ROW_COLUMN }), {
    kind: 'options',
    pointer: '/mode',
  })
}

/** The filled table takes the name; readers see either the old rows or the new ones. */
async function replace(client: ClientBase, filled: FilledTable, given: PlainTable): Promise<void> {
  // Refuses a table that no load created: most likely the user has mistaken its name.
  await readHeld(given)(client)
  await client.query(`drop table if exists ${quoteTable(given)}`).catch((error: unknown) => {
    const known = translateDatabaseError(error)
    throw known instanceof DependentObjectsError ? known : error
  })
  const { engine = POSTGRES_ENGINE } = given
  await engine.change(client, [
    `alter table ${quoteTable(filled.table)} rename to ${quoteName(given.table)}`,
    ...filled.columns
      .filter(({ name, column }) => name !== column)
      .map(
        ({ name, column }) =>
          `comment on column ${quoteTable(given)}.${quoteName(column)} is ${quoteText(name)}`,
      ),
  ])
}

const keyOf = (mode: LoadMode, { columns }: FilledTable): KeyColumn | null =>
  mode.kind === 'upsert'
    ? { header: mode.key, column: columns.find(({ name }) => name === mode.key)!.column }
    : null
