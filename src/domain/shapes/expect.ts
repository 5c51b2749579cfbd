import type { Pool } from 'pg'

import type { Queries } from '../../db/in-turn.ts'
import {
  foldName,
  type Expectation,
  type Mapping,
  normaliseHeaders,
} from '../../../pipelines/index.ts'
import { selectionOf } from '../../resources/resource.ts'
import { type FileShape, shape, type ShapeColumn } from '../../resources/shape.ts'
import { requireSeen, type SeenTags } from './shape-versions.ts'
import type { TableColumn } from '../../stack/table/stored-column.ts'

/** What people have said of the headers of a load: the column of each, or null: it is left out. */
export type Answers = Readonly<Record<string, string | null>>

/** What a load of a source expects, and what the request says of its headers. */
export interface Expected {
  readonly shape: FileShape
  readonly given: Answers
  /** Whether what was given is to be remembered. */
  readonly remember: boolean
  readonly recall: Expectation['recall']
  /** May refuse how the headers met the columns before a row is loaded. */
  admit?(mapping: Mapping): void
}

export interface GivenMapping {
  readonly mapping?: Answers | undefined
  /** Default true. */
  readonly remember?: boolean | undefined
  /** Another version of the shape is refused; absent: whichever it is by now. */
  readonly seen?: SeenTags | undefined
}

/** The shape of the source that has this table: one that is shared, or its own; null: a table of a run has none. */
export async function shapeOfTable(
  queries: Queries,
  tableId: number,
  lock: '' | 'for update' = '',
): Promise<FileShape | null> {
  const { rows } = await queries.query<FileShape>(
    `select ${selectionOf(shape, 'sh')} from shapes sh
     where sh.id in (
       select coalesce(s.shape_id, own.id) from sources s join shapes own on own.source_id = s.id
       where s.table_id = $1)
     ${lock}`,
    [tableId],
  )
  return rows[0] ?? null
}

export async function expectationOf(
  pool: Pool,
  tableId: number,
  given: GivenMapping = {},
): Promise<Expected> {
  const found = await shapeOfTable(pool, tableId)
  if (found === null) throw new Error(`The source of the table ${tableId} has no shape`)
  return expected(pool, found, given)
}

export async function expected(
  pool: Pool,
  found: FileShape,
  { mapping = {}, remember = true, seen = null }: GivenMapping = {},
): Promise<Expected> {
  await requireSeen(pool, found, seen)
  return { shape: found, given: mapping, remember, recall: recallFor(pool, found) }
}

interface Recalled {
  /** Of the column. */
  readonly name: string
  readonly alias: string
  readonly folded: string
}

const NEXT = 'order by md5(a.alias), md5(a.name) limit 1'

/**
 * Each different answer once, by one step in the index each: hundreds of shapes may give the same.
 * What the shape itself remembers was asked before.
 */
const REMEMBERED = `
  with recursive found as (
    select answer.* from unnest($2::text[]) asked (folded)
    cross join lateral (
      select a.folded, a.alias, a.name from shape_aliases a
      where a.enterprise_id = $1 and md5(a.folded) = md5(asked.folded) ${NEXT}) answer
    union all
    select answer.* from found
    cross join lateral (
      select a.folded, a.alias, a.name from shape_aliases a
      where a.enterprise_id = $1 and md5(a.folded) = md5(found.folded)
        and (md5(a.alias), md5(a.name)) > (md5(found.alias), md5(found.name)) ${NEXT}) answer)
  select * from found`

/** What the other shapes of the enterprise remember of headers. */
function recallFor(pool: Pool, { enterpriseId }: FileShape): NonNullable<Expectation['recall']> {
  return async (headers) => {
    const folds = new Map(headers.map((header) => [header, foldName(header)]))
    const { rows } = await pool.query<Recalled>(REMEMBERED, [
      enterpriseId,
      [...new Set(folds.values())].filter((folded) => folded !== ''),
    ])
    // As it is written, where somebody has written it so; else folded.
    const recalled = headers.map((header) => {
      const exact = rows.filter(({ alias }) => alias === header)
      const alike = rows.filter(({ folded }) => folded === folds.get(header))
      return [header, exact.length > 0 ? exact : alike] as const
    })
    const disputed = new Set(recalled.flatMap(([, found]) => (isDisputed(found) ? found : [])))
    const times = await timesOf(pool, enterpriseId, [...disputed])
    return new Map(
      recalled.map(([header, found]) => [
        header,
        found.map((each) => ({ name: each.name, times: times.get(each) ?? 1 })),
      ]),
    )
  }
}

const isDisputed = (found: readonly Recalled[]): boolean =>
  new Set(found.map(({ name }) => name)).size > 1

/** Who says more often is as good as whoever says so often. */
const MOST_TIMES = 100

const TIMES = `
  select counted.times from unnest($2::text[], $3::text[], $4::text[])
    with ordinality asked (folded, alias, name, at)
  cross join lateral (
    select count(*)::integer as times from (
      select from shape_aliases a
      where a.enterprise_id = $1 and md5(a.folded) = md5(asked.folded)
        and md5(a.alias) = md5(asked.alias) and md5(a.name) = md5(asked.name)
      limit ${MOST_TIMES}) a) counted
  order by asked.at`

/** How many shapes say each of what they do not agree on. */
async function timesOf(
  pool: Pool,
  enterpriseId: number,
  disputed: readonly Recalled[],
): Promise<ReadonlyMap<Recalled, number>> {
  if (disputed.length === 0) return new Map()
  const { rows } = await pool.query<{ times: number }>(TIMES, [
    enterpriseId,
    disputed.map(({ folded }) => folded),
    disputed.map(({ alias }) => alias),
    disputed.map(({ name }) => name),
  ])
  return new Map(disputed.map((each, at) => [each, rows[at]!.times]))
}

type Named = Pick<TableColumn, 'name' | 'column'>

/**
 * Which column of the shape each column of a table is, by the name in SQL of the latter. A source
 * that was there before its shape may have other names in SQL; then the header tells.
 */
export function bindColumns(
  { columns }: Pick<FileShape, 'columns'>,
  table: readonly Named[],
): ReadonlyMap<string, ShapeColumn> {
  const there = new Set(table.map(({ column }) => column))
  const free = new Map(
    columns.filter(({ column }) => !there.has(column)).map((column) => [column.name, column]),
  )
  const bySql = new Map(columns.map((column) => [column.column, column]))
  return new Map(
    table.flatMap(({ name, column }) => {
      const bound = bySql.get(column) ?? free.get(name)
      return bound === undefined ? [] : [[column, bound]]
    }),
  )
}

/**
 * The columns of a table in the order of the shape, and under the names that it has for them. Others
 * come last; none of them keeps a name that the shape gives to another column.
 */
export function namedAs(
  named: Pick<FileShape, 'columns'>,
  table: readonly TableColumn[],
  bound = bindColumns(named, table),
): readonly TableColumn[] {
  const place = new Map(named.columns.map(({ column }, at) => [column, at]))
  const placeOf = ({ column }: TableColumn) => place.get(bound.get(column)!.column)!
  const known = table
    .filter(({ column }) => bound.has(column))
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((column) => ({ ...column, name: bound.get(column.column)!.name }))
  const others = table.filter(({ column }) => !bound.has(column))
  if (others.length === 0) return known
  const names = normaliseHeaders(
    others.map(({ name }) => name),
    known.map(({ name }) => name),
  )
  return [...known, ...others.map((column, at) => ({ ...column, name: names[at]! }))]
}
