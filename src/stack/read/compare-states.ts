import type { ClientBase } from 'pg'

import type { SqlType } from '../../../pipelines/index.ts'
import { ROW } from '../table/partitions.ts'
import { commonType, shownText, type StoredColumn, toJsonText } from '../table/stored-column.ts'
import { countRows, selectRows, type TypedPiece, typeIn } from './state-rows.ts'
import { textTypes } from '../../db/type-parsers.ts'
import { MOST_PAGE_BYTES } from '../../resources/page.ts'

/** The rows of one side, with the columns of that state. */
export interface Side {
  readonly pieces: readonly TypedPiece[]
  readonly columns: readonly StoredColumn[]
}

export type SideName = 'before' | 'after'

export interface ComparedStates {
  readonly before: Side
  readonly after: Side
  /** Header of the column that identifies a row; null: whole rows are compared, as a multiset. */
  readonly key: string | null
}

export const CHANGE_KINDS = ['added', 'removed', 'changed'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

interface ChangesWanted {
  /** Null: all kinds. */
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

/** The numbers of a row before and after; null where it does not exist. */
export interface ChangedRow {
  readonly before: string | null
  readonly after: string | null
}

interface Changes {
  readonly counts: ChangeCounts
  readonly rows: readonly ChangedRow[]
}

interface Found {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly same: number | null
  readonly is_flawed: boolean
  readonly pairs: [string | null, string | null][]
}

/**
 * A sample of this many rows reveals a key with few distinct values, which would pair every row
 * with every other. Keys that repeat less often are noticed among the pairs.
 */
const SAMPLED_ROWS = 20_000

/**
 * Counts all differences and finds the requested ones, in one pass over the rows. The same pass
 * finds out whether the key is unique.
 */
export async function compareRows(
  client: ClientBase,
  comparison: ComparedStates,
  wanted: ChangesWanted,
  sampledRows = SAMPLED_ROWS,
): Promise<Changes> {
  const { before, after, key } = comparison
  const own = withoutShared(comparison)
  const total = await countRows(client, before.pieces)
  if (key === null) {
    const found = await find(client, differentByContent(comparison, own), wanted)
    return changesOf(found, total)
  }
  // If rows were left out, one of their keys may occur again among the others.
  const isJudgedByPairs = own.before.length === before.pieces.length
  const totalAfter = isJudgedByPairs ? await countRows(client, after.pieces) : null
  const keyed = { ...comparison, key }
  const most = Math.max(total, totalAfter ?? 0, 1)
  await requireKey(client, keyed, isJudgedByPairs ? (100 * sampledRows) / most : 100)
  const found = await find(client, differentByKey(keyed, own), wanted)
  const changes = changesOf(found, total)
  if (totalAfter === null) return changes
  const { added, removed, changed, is_flawed: isFlawed } = found
  const paired = changed + found.same!
  if (isFlawed || removed + paired !== total || added + paired !== totalAfter) {
    await requireKey(client, keyed, 100)
  }
  return changes
}

async function find(
  client: ClientBase,
  { compared, differs, same, isFlawed }: Difference,
  { kind, offset, limit }: ChangesWanted,
): Promise<Found> {
  // There are no statistics on rows that were never shown; a hash join needs none.
  await client.query('set local enable_mergejoin = off')
  const { rows } = await client.query<Found>(
    `with compared as materialized (${compared}),
     different as not materialized (select before, after, times from compared where ${differs})
     select added, removed, changed, ${same} as same, ${isFlawed} as is_flawed, (
       select coalesce(json_agg(json_build_array(before::text, after::text)), '[]') from (
         select before, after from different cross join generate_series(1, times)
         where ${kind === null ? 'true' : IS_KIND[kind]}
         order by after is not null, coalesce(after, before) limit $1 offset $2) page) as pairs
     from (select ${CHANGE_KINDS.map((each) => `${count(each)} as ${each}`).join(', ')}
           from different) counted`,
    [limit, offset],
  )
  return rows[0]!
}

const changesOf = ({ added, removed, changed, pairs }: Found, total: number): Changes => ({
  counts: { added, removed, changed, unchanged: total - removed - changed },
  rows: pairs.map(([before, after]) => ({ before, after })),
})

/** Rows in the same place on both sides are the same, and need not be read. */
function withoutShared({ before, after }: ComparedStates): Record<SideName, TypedPiece[]> {
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

/** SQL that finds how two sides differ. */
interface Difference {
  /** A table of pairs: the numbers of a row before and after, and how often the pair occurs. */
  readonly compared: string
  /** SQL that is true for pairs that differ. */
  readonly differs: string
  /** How many pairs are the same; null: they are not counted. */
  readonly same: string
  /** Whether the pairs show that the key does not identify rows. */
  readonly isFlawed: string
}

/** Where the rows of both sides are, without the places that they share. */
type ComparedPieces = Readonly<Record<SideName, readonly TypedPiece[]>>

/** A column by its header, and its name on both sides; null: that side does not have it. */
interface ComparedColumn {
  readonly before: string | null
  readonly after: string | null
  readonly as: string
  readonly sqlType: SqlType
}

function comparedColumns({ before, after }: ComparedStates): ComparedColumn[] {
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

const rowsOf = (
  pieces: ComparedPieces,
  columns: readonly ComparedColumn[],
  side: SideName,
): string =>
  selectRows(
    pieces[side],
    columns.map(({ as, sqlType, ...names }) => ({ column: names[side], as, sqlType })),
  )

/**
 * Rows that are the same fall into one group without a key, all others into one group per key, so
 * a group of more than one pair reveals a repeated key. The empty table next to the join keeps
 * PostgreSQL from expecting as many groups as rows and from giving all of the work to one process.
 */
function differentByKey(
  comparison: ComparedStates & { readonly key: string },
  pieces: ComparedPieces,
): Difference {
  const columns = comparedColumns(comparison)
  const own = comparison.before.columns.find(({ name }) => name === comparison.key)!
  const key = columns.find(({ before }) => before === own.column)!
  const differs = columns
    .filter((column) => column !== key)
    .map(({ as }) => `b.${as} is distinct from a.${as}`)
  const isDifferent = [`b.${ROW} is null`, `a.${ROW} is null`, ...differs].join(' or ')
  return {
    compared: `select key, min(before) as before, min(after) as after, count(*) as times,
        bool_or(before is null or after is null) as has_single
      from (
        select b.${ROW} as before, a.${ROW} as after,
               case when ${isDifferent} then coalesce(b.${key.as}, a.${key.as}) end as key
        from ${rowsOf(pieces, columns, 'before')} b
        full join ${rowsOf(pieces, columns, 'after')} a on b.${key.as} = a.${key.as}
        union all select null::bigint, null::bigint, null::${key.sqlType} where false) pairs
      group by key`,
    differs: 'key is not null',
    same: '(select coalesce(sum(times), 0)::bigint from compared where key is null)',
    isFlawed: `(select coalesce(bool_or(case when key is null then has_single else times > 1 end), false)
      from compared)`,
  }
}

/** One row stands for all that have the same content. */
function differentByContent(comparison: ComparedStates, pieces: ComparedPieces): Difference {
  const columns = comparedColumns(comparison)
  const list = columns.map(({ as }) => as).join(', ')
  return {
    compared: `select case when more < 0 then before end as before,
             case when more > 0 then after end as after, abs(more) as times
      from (
        select min(${ROW}) filter (where not is_after) as before,
               min(${ROW}) filter (where is_after) as after,
               sum(case when is_after then 1 else -1 end) as more
        from (select *, false as is_after from ${rowsOf(pieces, columns, 'before')} b
              union all select *, true from ${rowsOf(pieces, columns, 'after')} a) both_sides
        group by ${list}) grouped
      where more <> 0`,
    differs: 'true',
    same: 'null',
    isFlawed: 'false',
  }
}

/** A key value that occurs more than once on one side, or a row without one. */
interface KeyFlaw {
  readonly side: SideName
  /** Null: the key is empty in that row. */
  readonly value: string | null
}

export class KeyFlawError extends Error {
  override readonly name = 'KeyFlawError'
  readonly flaw: KeyFlaw

  constructor(flaw: KeyFlaw) {
    super('The key does not tell rows apart')
    this.flaw = flaw
  }
}

/** More than any message shows. */
const SHOWN_CHARACTERS = 200

/**
 * A key identifies rows only if each has a value of its own; only `percent` percent of the rows
 * are checked.
 */
async function requireKey(
  client: ClientBase,
  { before, after, key }: ComparedStates,
  percent: number,
): Promise<void> {
  for (const [side, { pieces, columns }] of [
    ['before', before],
    ['after', after],
  ] as const) {
    const column = columns.find(({ name }) => name === key)!
    const sqlType = typeIn(pieces, column)
    const keys = selectRows(pieces, [{ column: column.column, as: 'key', sqlType }], { percent })
    const { rows } = await client.query<{ value: string | null }>(
      `select left(${shownText({ column: 'key', sqlType })}, ${SHOWN_CHARACTERS}) as value from ${keys} keys
       group by key having count(*) > 1 or key is null limit 1`,
    )
    if (rows[0] !== undefined) throw new KeyFlawError({ side, value: rows[0].value })
  }
}

/** Cells as JSON text, by row number. Call it after measuring how long they are. */
export async function readRowsByNumber(
  client: ClientBase,
  side: Side,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, (string | null)[]>> {
  const { shown, rows } = numberedRows(side)
  const cells = shown.map(({ as, sqlType }) => shownText({ column: as, sqlType }))
  const text = `select ${[ROW, ...cells].join(', ')} from ${rows} rows`
  const write = side.columns.map((column, at) =>
    toJsonText({ ...column, sqlType: shown[at]!.sqlType }),
  )
  const found = await client.query<(string | null)[]>({
    text,
    values: [numbers],
    rowMode: 'array',
    types: textTypes,
  })
  return new Map(
    found.rows.map(([number, ...row]) => [number!, row.map((cell, at) => write[at]!(cell))]),
  )
}

/** The length of the rows' cells as JSON, by row number; for long ones a lower bound. */
export async function measureRowsByNumber(
  client: ClientBase,
  side: Side,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { shown, rows } = numberedRows(side)
  const lengths = shown.map(({ as, sqlType }) =>
    lengthAsJson(shownText({ column: as, sqlType }), sqlType),
  )
  const found = await client.query<{ number: string; lengths: number[] }>(
    `select ${ROW}::text as number, array[${lengths.join(', ')}]::int[] as lengths
     from ${rows} rows`,
    [numbers],
  )
  return new Map(found.rows.map(({ number, lengths: cells }) => [number, cells]))
}

/** Escapes only text that could still fit, since escaping is slow in the database. */
function lengthAsJson(text: string, sqlType: SqlType): string {
  const plain = `octet_length(${text})`
  const escaped = `octet_length(to_json(${text})::text)`
  const written =
    sqlType === 'text'
      ? `case when ${plain} > ${MOST_PAGE_BYTES} then ${plain} else ${escaped} end`
      : `${plain} + ${QUOTES_BYTES}`
  return `coalesce(${written}, ${NULL_BYTES})`
}

const QUOTES_BYTES = 2
const NULL_BYTES = 'null'.length

function numberedRows({ pieces, columns }: Side) {
  const shown = columns.map((column, at) => ({
    column: column.column,
    as: `c${at}`,
    sqlType: typeIn(pieces, column),
  }))
  return { shown, rows: selectRows(pieces, shown, { which: `p.${ROW} = any ($1)` }) }
}
