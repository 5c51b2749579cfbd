import type { ClientBase } from 'pg'

import {
  type ColumnPlan,
  cutText,
  EngineError,
  type FilledTable,
  type Message,
  quoteName,
  quoteTable,
  type TableName,
} from '../../../pipelines/index.ts'
import { refusesRows } from '../../db/database-errors.ts'
import { ROW } from '../../stack/table/partitions.ts'
import { tableMessages } from '../../stack/table/table-messages.ts'
import { LOCK_TIMEOUT_MS, targetBeside } from './ingested-table.ts'
import { type Connect, type LoadTarget, withConnection } from './load-table.ts'
import { GivenTableError } from './given-table-error.ts'

const SHOWN_CHARACTERS = 100

interface GivenTable extends TableName {
  /** The table for skipped rows; it exists only if there are any. */
  readonly rejects: TableName
  /** Column by header, where the two differ; an empty name leaves the header out. */
  readonly columns: ReadonlyMap<string, string>
}

/**
 * Loads into a table that somebody created themselves. The table is not changed; its constraints,
 * defaults and triggers apply, and the rows are inserted in one statement, all or none. Problems
 * that can be known beforehand are reported before a row is read.
 */
export async function givenTarget(connect: Connect, given: GivenTable): Promise<LoadTarget> {
  await withConnection(connect, async (client) => {
    const held = await readColumns(client, given)
    for (const column of given.columns.values()) {
      if (column !== '') columnNamed(column, held, given)
    }
  })
  const plain = await targetBeside(connect, { ...given, mode: { kind: 'replace' } })
  return {
    ...plain,
    complete: async () => 0,

    async renew(client, columns) {
      const table = await plain.renew(client, columns)
      // Missing rights and types that do not match are found before the first row is read.
      await client.query(`explain ${countOf(given)}`)
      await requireInsertable(client, given, await insertionOf(client, { table, columns }, given))
      return table
    },

    async publish(client, filled) {
      requireHeaders(filled.columns, given)
      if (filled.rejected === 0) {
        await client.query(`drop table if exists ${quoteTable(given.rejects)}`)
      }
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await client.query("select set_config('timezone', $1, true)", [filled.timezone])
      await insert(client, given, await insertionOf(client, filled, given))
      await client.query(`drop table ${quoteTable(filled.table)}`)
      const counted = await client.query<{ rows: string }>(countOf(given))
      return Number(counted.rows[0]!.rows)
    },
  }
}

const countOf = (table: TableName): string => `select count(*) as rows from ${quoteTable(table)}`

/** How the rows get from the filled table into the one they are meant for. */
interface Insertion {
  readonly from: TableName
  readonly assignments: readonly Assignment[]
  readonly statement: string
}

async function insertionOf(
  client: ClientBase,
  { table, columns }: Pick<FilledTable, 'table' | 'columns'>,
  given: GivenTable,
): Promise<Insertion> {
  const pairs = pairsOf(columns, await readColumns(client, given), given)
  const assignments = pairs.map(({ from, to }) => ({
    column: from.column,
    sqlType: from.sqlType,
    to: to.column,
    type: to.type,
  }))
  const targets = assignments.map(({ to }) => quoteName(to))
  const values = assignments.map(({ column, type }) => `${quoteName(column)}::${type}`)
  const statement = `insert into ${quoteTable(given)} (${targets.join(', ')})
     select ${values.join(', ')} from ${quoteTable(table)} order by ${ROW}`
  return { from: table, assignments, statement }
}

async function requireInsertable(
  client: ClientBase,
  given: GivenTable,
  { statement }: Insertion,
): Promise<void> {
  await client.query(`explain ${statement}`).catch((error: unknown) => {
    throw refusesRows(error) ? notTaken(given, error.message, error) : error
  })
}

async function insert(
  client: ClientBase,
  given: GivenTable,
  { from, assignments, statement }: Insertion,
): Promise<void> {
  const cut = await firstCut(client, from, assignments)
  if (cut !== null) throw notTaken(given, `${placeOf(cut)}: ${cut.why}`)
  await client.query('savepoint nothing_inserted')
  try {
    await client.query(statement)
  } catch (error) {
    if (!refusesRows(error)) throw error
    const { message, detail } = error
    // PostgreSQL's detail names the row or the key, where it knows it.
    if (detail !== undefined) throw notTaken(given, `${message}. ${detail}`, error)
    await client.query('rollback to savepoint nothing_inserted')
    const unfit = await firstUnfit(client, from, given, assignments)
    throw notTaken(given, unfit === null ? message : `${placeOf(unfit)}: ${message}`, error)
  }
}

const placeOf = ({ row, to, value }: Unfit): string =>
  `row ${row}, column ${to}, “${cutText(value, SHOWN_CHARACTERS)}”`

const notTaken = ({ schema, table }: TableName, said: string, cause?: unknown) =>
  new GivenTableError(`The table ${schema}.${table} does not take it: ${said}`, { cause })

interface GivenColumn {
  readonly column: string
  /** Without its length: a cast to a length truncates silently, while an assignment is refused. */
  readonly type: string
}

async function readColumns(client: ClientBase, given: GivenTable): Promise<GivenColumn[]> {
  const { rows } = await client.query<GivenColumn>(
    `select attname as column, format_type(atttypid, -1) as type
     from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
    [quoteTable(given)],
  )
  if (rows.length === 0)
    throw refusal(tableMessages.noTable({ schema: given.schema, table: given.table }))
  return rows
}

/** Called when the whole file is known, since JSON keys may appear late. */
function requireHeaders(columns: readonly ColumnPlan[], given: GivenTable): void {
  const known = columns.map(({ name }) => name)
  for (const name of given.columns.keys()) {
    if (!known.includes(name)) throw refusal(tableMessages.noHeader({ name, known }))
  }
}

interface Pair {
  readonly from: ColumnPlan
  readonly to: GivenColumn
}

/** Pairs the columns of the file with those of the table: as the user says, otherwise by equal names. */
function pairsOf(
  columns: readonly ColumnPlan[],
  held: readonly GivenColumn[],
  given: GivenTable,
): Pair[] {
  const pairs = columns
    .filter(({ name }) => given.columns.get(name) !== '')
    .map((from) => ({ from, to: columnFor(from, held, given) }))
  if (pairs.length === 0) throw refusal(tableMessages.nothingGoesIn({ table: given.table }))
  for (const { from, to } of pairs) {
    const other = pairs.find((one) => one.to === to)!.from
    if (other !== from) {
      const names = [other.name, from.name]
      throw refusal(tableMessages.columnTwice({ column: to.column, names }))
    }
  }
  return pairs
}

function columnFor(
  { name, column }: ColumnPlan,
  held: readonly GivenColumn[],
  given: GivenTable,
): GivenColumn {
  const told = given.columns.get(name)
  if (told !== undefined) return columnNamed(told, held, given)
  const to = held.find((other) => other.column === name || other.column === column)
  if (to !== undefined) return to
  throw refusal(
    tableMessages.noColumnFor({ table: given.table, name, known: held.map(columnName) }),
  )
}

function columnNamed(
  column: string,
  held: readonly GivenColumn[],
  { table }: GivenTable,
): GivenColumn {
  const found = held.find((other) => other.column === column)
  if (found !== undefined) return found
  throw refusal(tableMessages.noSuchColumn({ table, column, known: held.map(columnName) }))
}

const columnName = ({ column }: GivenColumn): string => column

const refusal = (message: Message) => new EngineError(message, { kind: 'options', pointer: '' })

/** Where the values of a column go: into a column of another table, cast to its type. */
interface Assignment {
  readonly column: string
  readonly sqlType: ColumnPlan['sqlType']
  readonly to: string
  readonly type: string
}

interface Unfit {
  readonly to: string
  readonly row: string
  readonly value: string
}

/**
 * The first value that its column of `given` does not accept, or null: PostgreSQL says why, but
 * not where. It is found by bisection, in a transaction that is rolled back afterwards.
 */
async function firstUnfit(
  client: ClientBase,
  filled: TableName,
  given: TableName,
  assignments: readonly Assignment[],
): Promise<Unfit | null> {
  const { rows } = await client.query<{ first: string; end: string }>(
    `select min(${ROW}) as first, max(${ROW}) + 1 as end from ${quoteTable(filled)}`,
  )
  const all = { first: BigInt(rows[0]!.first), end: BigInt(rows[0]!.end) }
  for (const assignment of assignments) {
    const fits = await tryingOf(client, filled, given, assignment)
    if (await fits(all)) continue
    const row = await firstOf(all, fits)
    const { column, to } = assignment
    const found = await client.query<{ value: string }>(
      `select ${quoteName(column)}::text as value from ${quoteTable(filled)} where ${ROW} = $1`,
      [row],
    )
    return { to, row: String(row), value: found.rows[0]!.value }
  }
  return null
}

interface Rows {
  readonly first: bigint
  readonly end: bigint
}

type Trying = (rows: Rows) => Promise<boolean>

/**
 * Assigned to a column of the same type and length, since a cast would silently truncate a value
 * that is too long.
 */
async function tryingOf(
  client: ClientBase,
  filled: TableName,
  given: TableName,
  { column, to, type }: Assignment,
): Promise<Trying> {
  const trial = quoteTable({ ...filled, table: `${filled.table}-trial` })
  await client.query(
    `drop table if exists ${trial};
     create table ${trial} as select ${quoteName(to)} from ${quoteTable(given)} with no data;
     savepoint nothing_tried`,
  )
  return async ({ first, end }) => {
    try {
      await client.query(
        `insert into ${trial} select ${quoteName(column)}::${type} from ${quoteTable(filled)}
         where ${ROW} >= $1 and ${ROW} < $2`,
        [first, end],
      )
      return true
    } catch (error) {
      if (!refusesRows(error)) throw error
      return false
    } finally {
      await client.query('rollback to savepoint nothing_tried')
    }
  }
}

/** For rows that do not all fit. */
async function firstOf({ first, end }: Rows, fits: Trying): Promise<bigint> {
  while (end - first > 1n) {
    const middle = first + (end - first) / 2n
    if (await fits({ first, end: middle })) first = middle
    else end = middle
  }
  return first
}

/** What PostgreSQL leaves out of a value in silence when it assigns it. */
interface Cut {
  readonly from: ColumnPlan['sqlType']
  readonly to: readonly string[]
  readonly isWhole: (value: string) => string
  readonly why: string
}

const CUTS: readonly Cut[] = [
  {
    from: 'numeric',
    to: ['smallint', 'integer', 'bigint'],
    isWhole: (value) => `${value} = trunc(${value})`,
    why: 'the column has whole numbers',
  },
  {
    from: 'timestamptz',
    to: ['date'],
    isWhole: (value) => `${value} = ${value}::date::timestamptz`,
    why: 'the column has days without a time',
  },
]

/** The first value of which a column would keep a part alone, or null. How exact a number is, its scale says. */
async function firstCut(
  client: ClientBase,
  filled: TableName,
  assignments: readonly Assignment[],
): Promise<(Unfit & Pick<Cut, 'why'>) | null> {
  for (const { column, sqlType, to, type } of assignments) {
    const cut = CUTS.find((one) => one.from === sqlType && one.to.includes(type))
    if (cut === undefined) continue
    const value = quoteName(column)
    const { rows } = await client.query<{ row: string; value: string }>(
      `select ${ROW}::text as row, ${value}::text as value from ${quoteTable(filled)}
       where not (${cut.isWhole(value)}) order by ${ROW} limit 1`,
    )
    const [found] = rows
    if (found !== undefined) return { ...found, to, why: cut.why }
  }
  return null
}
