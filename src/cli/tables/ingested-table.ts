import { randomUUID } from 'node:crypto'

import type { ClientBase } from 'pg'

import {
  type ColumnPlan,
  type ColumnType,
  EngineError,
  type FilledTable,
  type SqlType,
  type TargetColumns,
  quoteName,
  quoteTable,
  type TableName,
  ROW_COLUMN,
} from '../../../pipelines/index.ts'
import { DependentObjectsError, translateDatabaseError } from '../../db/database-errors.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addRowKey, AFTER_ALL, ROW } from '../../stack/table/partitions.ts'
import { sqlTypeOf } from '../../stack/table/catalogue.ts'
import { type TablePlace, whereRowsGo } from '../../stack/citus/placement.ts'
import { dropSuperseded, type KeyColumn, refuseRepeated } from '../../stack/move-rows.ts'
import {
  columnComments,
  definitionsOf,
  isWider,
  type StoredColumn,
} from '../../stack/table/stored-column.ts'
import { POSTGRES_ENGINE, type TableEngine } from '../../stack/table/table-engine.ts'
import { tableMessages } from '../../stack/table/table-messages.ts'
import type { LoadMode } from '../../resources/load.ts'
import { CliError } from '../cli-error.ts'
import { type Connect, type LoadTarget, withConnection } from './load-table.ts'
import type { ShapedTable } from './shaped-table.ts'

/** How long the last step waits for those who read the table. */
export const LOCK_TIMEOUT_MS = 60_000

interface IngestedTable extends TableName {
  /** The table for skipped rows; it exists only if there are any. */
  readonly rejects: TableName
  readonly mode: LoadMode
  /** Without one, tables stay where they are. */
  readonly engine?: TableEngine
  /** The size of what is loaded; absent: unknown. */
  readonly bytes?: number
  /** What the file looks like; absent: whatever it has, or what the table has. */
  readonly shape?: ShapedTable
}

/** Refuses what a publication would refuse, before a row is read. */
export async function ingestedTarget(connect: Connect, given: IngestedTable): Promise<LoadTarget> {
  if (given.mode.kind === 'replace') await withConnection(connect, readHeld(given))
  return targetBeside(connect, given)
}

/** Fills a new table next to `given`, then puts that table or its rows in place in one transaction. */
export async function targetBeside(connect: Connect, given: IngestedTable): Promise<LoadTarget> {
  const { mode, engine = POSTGRES_ENGINE } = given
  const held = mode.kind === 'replace' ? null : await withConnection(connect, readHeld(given))
  const isDistributed = await withConnection(connect, placeRows(engine, given, held))
  const columns = columnsFor(given.shape, held)
  let staging: TableName | null = null
  return {
    connect,
    columns,
    key: mode.kind === 'upsert' ? mode.key : null,
    rowsBefore: held === null ? 0n : AFTER_ALL,
    rejectsUnder: null,
    isDistributed,

    async renew(client, plans) {
      staging = await stagingName(client, given.schema)
      const all = held === null ? [...plans, ...(given.shape?.absent(plans) ?? [])] : plans
      await client.query(
        `drop table if exists ${quoteTable(staging)};
         create table ${quoteTable(staging)} (${ROW} bigint not null${definitionsOf(all)})`,
      )
      // Rows that are added to others are counted while they are copied, which no single node
      // could do.
      if (isDistributed && held === null) await engine.distribute(client, staging, null)
      return staging
    },

    async drop(client) {
      if (staging !== null) await client.query(`drop table if exists ${quoteTable(staging)}`)
    },

    async complete(client, filled) {
      const key = keyOf(mode, filled)
      const superseded = key === null ? 0 : await dropSuperseded(client, filled.table, key.column)
      if (held === null) {
        if (superseded > 0) await numberAnew(client, filled.table)
        await addRowKey(client, filled.table, `rows-${randomUUID()}`)
      }
      return superseded
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

    async judge(client, filled) {
      if (!given.shape?.judges) return []
      if (held !== null) await keepOthersOut(client, given)
      const into = held && { table: { id: null, name: given, columns: held }, mode }
      return given.shape.judge(client, filled, into)
    },

    async publish(client, filled) {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      if (held === null) {
        if (filled.rejected === 0) {
          await client.query(`drop table if exists ${quoteTable(given.rejects)}`)
        }
        await replace(client, filled, given)
      } else await mergeRows(client, filled, { table: given, held }, keyOf(mode, filled))
      return lastNumber(client, given)
    },
  }
}

function columnsFor(
  shape: ShapedTable | undefined,
  held: readonly StoredColumn[] | null,
): TargetColumns {
  if (shape !== undefined) return shape.expect(held)
  return held === null ? { kind: 'any' } : addedRows(held)
}

/** Whether the rows go to the nodes. An existing table is moved there first, if need be. */
const placeRows =
  (engine: TableEngine, given: IngestedTable, held: readonly StoredColumn[] | null) =>
  async (client: ClientBase): Promise<boolean> => {
    const { distributesFromBytes: limit } = engine
    if (limit === null) return false
    // Rows to be replaced are looked up on the coordinator.
    const bytes = given.mode.kind === 'upsert' ? undefined : given.bytes
    const table = held === null ? 'nowhere' : await placeOf(client, engine, given)
    const rowsGo = whereRowsGo({ table, bytes }, limit)
    if (rowsGo !== 'to the nodes after their table') return rowsGo === 'to the nodes'
    await inTransaction(client, () => engine.distribute(client, given, null))
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

/** The name contains the session that fills the table, so that a table of an ended session is recognised. */
async function stagingName(client: ClientBase, schema: string): Promise<TableName> {
  const { rows } = await client.query<{ session: string }>(
    `select pid || '-' || (extract(epoch from backend_start) * 1e6)::bigint as session
     from pg_stat_get_activity(pg_backend_pid())`,
  )
  return { schema, table: `${STAGING}-${rows[0]!.session}` }
}

/** Drops the tables that killed processes have left behind. */
export async function dropAbandoned(connect: Connect, schema: string): Promise<string[]> {
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
  async (client: ClientBase): Promise<StoredColumn[] | null> => {
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
async function replace(
  client: ClientBase,
  filled: FilledTable,
  given: IngestedTable,
): Promise<void> {
  // Refuses a table that no load created: most likely the user has mistaken its name.
  const there = await readHeld(given)(client)
  if (there !== null && given.mode.kind !== 'replace') {
    throw new CliError(`The table ${given.table} came while the file was read: load it again`)
  }
  await client.query(`drop table if exists ${quoteTable(given)}`).catch((error: unknown) => {
    const known = translateDatabaseError(error)
    throw known instanceof DependentObjectsError ? known : error
  })
  const { engine = POSTGRES_ENGINE } = given
  await engine.change(client, [
    `alter table ${quoteTable(filled.table)} rename to ${quoteName(given.table)}`,
    ...columnComments(given, filled.columns),
  ])
}

const keyOf = (mode: LoadMode, { columns }: FilledTable): KeyColumn | null =>
  mode.kind === 'upsert'
    ? { header: mode.key, column: columns.find(({ name }) => name === mode.key)!.column }
    : null

interface MergedInto {
  readonly table: TableName
  readonly held: readonly StoredColumn[]
}

/** Appends rows to an existing table; with a key, they replace the rows that have the same one. */
async function mergeRows(
  client: ClientBase,
  { table: staging, columns, timezone }: FilledTable,
  into: MergedInto,
  key: KeyColumn | null,
): Promise<void> {
  const target = quoteTable(into.table)
  const names = columns.map(({ column }) => quoteName(column)).join(', ')
  await client.query("select set_config('timezone', $1, true)", [timezone])
  await keepOthersOut(client, into.table)
  await makeRoom(client, into, columns)
  if (key !== null) {
    const name = quoteName(key.column)
    await client.query(`analyze ${quoteTable(staging)}`)
    await refuseRepeated(
      client,
      key,
      `${target} where ${name} in (select ${name} from ${quoteTable(staging)})`,
    )
    const values = columns.map(({ column }) => `${quoteName(column)} = s.${quoteName(column)}`)
    await client.query(
      `update ${target} t set ${values.join(', ')}
       from ${quoteTable(staging)} s where t.${name} = s.${name}`,
    )
    await client.query(
      `delete from ${quoteTable(staging)} where ${name} in (select ${name} from ${target})`,
    )
  }
  const last = await lastNumber(client, into.table)
  await client.query(
    `insert into ${target} (${ROW}, ${names})
     select ${last} + row_number() over (order by ${ROW}), ${names}
     from ${quoteTable(staging)} order by ${ROW}`,
  )
  await client.query(`drop table ${quoteTable(staging)}`)
}

/** Those who read go on. */
async function keepOthersOut(client: ClientBase, table: TableName): Promise<void> {
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await client.query(`lock table ${quoteTable(table)} in share row exclusive mode`)
}

/** Wider types, and columns that a shape brings along. */
async function makeRoom(
  client: ClientBase,
  { table, held }: MergedInto,
  columns: readonly ColumnPlan[],
): Promise<void> {
  const wider = columns.filter(({ column, sqlType }) => {
    const before = held.find((other) => other.column === column)
    return before !== undefined && isWider(sqlType, before.sqlType)
  })
  const added = columns.filter(({ column }) => held.every((other) => other.column !== column))
  const changes = [
    ...wider.map(({ column, sqlType }) => `alter column ${quoteName(column)} type ${sqlType}`),
    ...added.map(({ column, sqlType }) => `add column ${quoteName(column)} ${sqlType}`),
  ]
  if (changes.length === 0) return
  await client.query(`alter table ${quoteTable(table)} ${changes.join(', ')}`)
  for (const comment of columnComments(table, added)) await client.query(comment)
}

/** Numbers the rows from 1 again after some were removed. */
async function numberAnew(client: ClientBase, table: TableName): Promise<void> {
  await client.query(
    `update ${quoteTable(table)} s set ${ROW} = n.ordinal
     from (select ${ROW}, row_number() over (order by ${ROW}) as ordinal
           from ${quoteTable(table)}) n
     where s.${ROW} = n.${ROW} and s.${ROW} <> n.ordinal`,
  )
}

/** In a plain table this is also the number of rows. */
async function lastNumber(client: ClientBase, table: TableName): Promise<number> {
  const { rows } = await client.query<{ last: string }>(
    `select coalesce(max(${ROW}), 0)::text as last from ${quoteTable(table)}`,
  )
  return Number(rows[0]!.last)
}

/** Rows that are added to others have to fit the columns that are there; no others are taken. */
const addedRows = (columns: readonly StoredColumn[]): TargetColumns => ({
  kind: 'expected',
  expectation: {
    columns: columns.map((column) => ({
      ...column,
      aliases: [],
      isExpected: false,
      holds: 'rows',
    })),
    unknown: 'refuse',
    missing: 'empty',
    given: {},
    left: [],
  },
})
