import type { ClientBase } from 'pg'

import { type ColumnPlan, quoteName, quoteTable, type TableName } from '../../../pipelines/index.ts'
import { refusesRows } from '../../db/database-errors.ts'
import { ROW } from '../../stack/table/partitions.ts'

/** Where the values of a column go: into a column of another table, cast to its type. */
export interface Assignment {
  readonly column: string
  readonly sqlType: ColumnPlan['sqlType']
  readonly to: string
  readonly type: string
}

export interface Unfit {
  readonly to: string
  readonly row: string
  readonly value: string
}

/**
 * The first value that its column of `given` does not accept, or null: PostgreSQL says why, but
 * not where. It is found by bisection, in a transaction that is rolled back afterwards.
 */
export async function firstUnfit(
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
export async function firstCut(
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
