import type { ClientBase } from 'pg'

import type { SqlType } from '../../../pipelines/index.ts'
import { MOST_BYTES } from './bounded-rows.ts'
import { readTexts } from './read-texts.ts'
import { ROW } from './row-numbers.ts'
import { selectRows, typeIn, type TypedPiece } from './state-rows.ts'
import { commonType, shownText, type StoredColumn, toJsonText } from './stored-column.ts'

/** The rows of one side, with the columns that the state has. */
export interface Side {
  readonly pieces: readonly TypedPiece[]
  readonly columns: readonly StoredColumn[]
}

export const CHANGE_KINDS = ['added', 'removed', 'changed'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export interface Comparison {
  readonly before: Side
  readonly after: Side
  /** Header of the column that tells rows apart; null: rows are compared whole, as a multiset. */
  readonly key: string | null
}

export interface ChangesWanted {
  /** Null: all of them. */
  readonly kind: ChangeKind | null
  readonly offset: number
  readonly limit: number
}

export interface ChangeCounts {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly unchanged: number
}

/** The numbers of a row before and after; null where there is none. */
export interface ChangedRow {
  readonly before: string | null
  readonly after: string | null
}

export interface Changes {
  readonly counts: ChangeCounts
  readonly rows: readonly ChangedRow[]
}

/** A column by its header, with what it is called on both sides; null: there it is empty. */
interface ComparedColumn {
  readonly before: string | null
  readonly after: string | null
  readonly as: string
  readonly sqlType: SqlType
}

/** Counts all differences, and finds those that are asked for: both in one pass over the rows. */
export async function compareRows(
  client: ClientBase,
  comparison: Comparison,
  { kind, offset, limit }: ChangesWanted,
): Promise<Changes> {
  const columns = comparedColumns(comparison)
  const own = withoutShared(comparison)
  const rowsOf = (side: 'before' | 'after') =>
    selectRows(
      own[side],
      columns.map(({ as, sqlType, ...names }) => ({ column: names[side], as, sqlType })),
    )
  const total = await countRows(client, selectRows(comparison.before.pieces, []))
  const different =
    comparison.key === null
      ? differentByContent(columns, rowsOf('before'), rowsOf('after'))
      : differentByKey(columns, keyOf(comparison, columns), rowsOf('before'), rowsOf('after'))
  const { rows } = await client.query<{
    added: number
    removed: number
    changed: number
    pairs: [string | null, string | null][]
  }>(
    `with different as materialized (${different})
     select added, removed, changed, (
       select coalesce(json_agg(json_build_array(before::text, after::text)), '[]') from (
         select before, after from different cross join generate_series(1, times)
         where ${kind === null ? 'true' : IS_KIND[kind]}
         order by after is not null, coalesce(after, before) limit $1 offset $2) page) as pairs
     from (select ${CHANGE_KINDS.map((each) => `${count(each)} as ${each}`).join(', ')}
           from different) counted`,
    [limit, offset],
  )
  const { pairs, added, removed, changed } = rows[0]!
  return {
    counts: { added, removed, changed, unchanged: total - removed - changed },
    rows: pairs.map(([before, after]) => ({ before, after })),
  }
}

/** What lies in the same place for both is the same, and need not be read. */
function withoutShared({ before, after }: Comparison): Record<'before' | 'after', TypedPiece[]> {
  const columnsOf = ({ columns }: Side) =>
    columns
      .map(({ name, column }) => JSON.stringify([name, column]))
      .toSorted()
      .join()
  const isComparable = columnsOf(before) === columnsOf(after)
  const describe = ({ name, except, without, replacedBy }: TypedPiece) => {
    const ranges = except.map(({ from, to }) => [String(from), String(to)])
    return JSON.stringify([name, ranges, without, replacedBy])
  }
  const but = (pieces: readonly TypedPiece[], others: readonly TypedPiece[]) => {
    const shared = new Set(isComparable ? others.map(describe) : [])
    return pieces.filter((piece) => !shared.has(describe(piece)))
  }
  return { before: but(before.pieces, after.pieces), after: but(after.pieces, before.pieces) }
}

const IS_KIND: Readonly<Record<ChangeKind, string>> = {
  added: 'before is null',
  removed: 'after is null',
  changed: 'before is not null and after is not null',
}

const count = (kind: ChangeKind) =>
  `coalesce(sum(times) filter (where ${IS_KIND[kind]}), 0)::bigint`

async function countRows(client: ClientBase, rows: string): Promise<number> {
  const { rows: found } = await client.query<{ count: number }>(
    `select count(*) as count from ${rows} rows`,
  )
  return found[0]!.count
}

function comparedColumns({ before, after }: Comparison): ComparedColumn[] {
  const headers = new Set([...before.columns, ...after.columns].map(({ name }) => name))
  return [...headers].map((header, at) => {
    const own = before.columns.find(({ name }) => name === header)
    const other = after.columns.find(({ name }) => name === header)
    const types = [
      ...(own ? [typeIn(before.pieces, own)] : []),
      ...(other ? [typeIn(after.pieces, other)] : []),
    ]
    return {
      before: own?.column ?? null,
      after: other?.column ?? null,
      as: `c${at}`,
      sqlType: types.reduce(commonType),
    }
  })
}

function keyOf({ before, key }: Comparison, columns: readonly ComparedColumn[]): ComparedColumn {
  const column = before.columns.find(({ name }) => name === key)!.column
  return columns.find((each) => each.before === column)!
}

function differentByKey(
  columns: readonly ComparedColumn[],
  key: ComparedColumn,
  before: string,
  after: string,
): string {
  const differs = columns
    .filter((column) => column !== key)
    .map(({ as }) => `b.${as} is distinct from a.${as}`)
  return `select b.${ROW} as before, a.${ROW} as after, 1 as times
    from ${before} b full join ${after} a on b.${key.as} = a.${key.as}
    where ${[`b.${ROW} is null`, `a.${ROW} is null`, ...differs].join(' or ')}`
}

/** Of rows that are the same one stands for all of them. */
function differentByContent(
  columns: readonly ComparedColumn[],
  before: string,
  after: string,
): string {
  const list = columns.map(({ as }) => as).join(', ')
  return `select case when more < 0 then before end as before,
                 case when more > 0 then after end as after, abs(more) as times
    from (
      select min(${ROW}) filter (where not is_after) as before,
             min(${ROW}) filter (where is_after) as after,
             sum(case when is_after then 1 else -1 end) as more
      from (select *, false as is_after from ${before} b
            union all select *, true from ${after} a) both_sides
      group by ${list}) grouped
    where more <> 0`
}

/** More of a value than any message shows. */
const SHOWN_CHARACTERS = 200

/** A value of the key that stands more than once on one side, or in a row that has none. */
export interface KeyFlaw {
  readonly side: 'before' | 'after'
  /** Null: the row leaves the key empty. */
  readonly value: string | null
}

/** Rows can be told apart by a key only where each has one of its own. */
export async function findKeyFlaw(
  client: ClientBase,
  { before, after, key }: Comparison,
): Promise<KeyFlaw | null> {
  for (const [side, { pieces, columns }] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const column = columns.find(({ name }) => name === key)!
    const sqlType = typeIn(pieces, column)
    const keys = selectRows(pieces, [{ column: column.column, as: 'key', sqlType }])
    const { rows } = await client.query<{ value: string | null }>(
      `select left(${shownText({ column: 'key', sqlType })}, ${SHOWN_CHARACTERS}) as value from ${keys} keys
       group by key having count(*) > 1 or key is null limit 1`,
    )
    if (rows[0] !== undefined) return { side, value: rows[0].value }
  }
  return null
}

/** How long the cells of rows are as JSON, by the numbers of the rows; of long ones a lower bound. */
export async function measureRowsByNumber(
  client: ClientBase,
  side: Side,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const { shown, rows } = rowsByNumber(side)
  const lengths = shown.map((column) =>
    lengthAsJson(shownText({ column: column.as, sqlType: column.sqlType }), column.sqlType),
  )
  const text = `select ${ROW}::text as number, array[${lengths.join(', ')}]::int[] as lengths from ${rows} rows`
  const found = await client.query<{ number: string; lengths: number[] }>(text, [numbers])
  return new Map(found.rows.map(({ number, lengths: cells }) => [number, cells]))
}

/** Escaped only where that could still fit: it takes the database its time. */
function lengthAsJson(text: string, sqlType: SqlType): string {
  const plain = `octet_length(${text})`
  const written =
    sqlType === 'text'
      ? `case when ${plain} > ${MOST_BYTES} then ${plain} else octet_length(to_json(${text})::text) end`
      : `${plain} + 2`
  return `coalesce(${written}, 4)`
}

function rowsByNumber({ pieces, columns }: Side) {
  const shown = columns.map((column, at) => ({
    column: column.column,
    as: `c${at}`,
    sqlType: typeIn(pieces, column),
  }))
  return { shown, rows: selectRows(pieces, shown, `p.${ROW} = any ($1)`) }
}

/** Cells as JSON text, by the numbers of their rows. */
export async function readRowsByNumber(
  client: ClientBase,
  side: Side,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, (string | null)[]>> {
  const { columns } = side
  const { shown, rows } = rowsByNumber(side)
  const cells = shown.map(({ as, sqlType }) => shownText({ column: as, sqlType }))
  const text = `select ${[ROW, ...cells].join(', ')} from ${rows} rows`
  const write = columns.map((column, at) => toJsonText({ ...column, sqlType: shown[at]!.sqlType }))
  const found = await readTexts(client, { text, values: [numbers] })
  return new Map(
    found.map(([number, ...row]) => [number!, row.map((cell, at) => write[at]!(cell))]),
  )
}
