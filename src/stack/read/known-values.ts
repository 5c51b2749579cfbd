import type { ClientBase } from 'pg'

import { type SqlType, quoteName } from '../../../pipelines/index.ts'
import type { StoredColumn } from '../table/stored-column.ts'
import { fromSample, type TableState } from './snapshot.ts'

/** What is known of the values of a column, however it came to be known. Shares are of all rows. */
export interface KnownValues {
  readonly basis: (typeof PROFILE_BASES)[number]
  readonly blank: number
  readonly distinct: number
  /** The most frequent ones, as PostgreSQL writes them. */
  readonly frequent: readonly { readonly text: string; readonly share: number }[]
  /** Between two neighbours are as many values as between any other two; empty: nobody knows. */
  readonly bounds: readonly string[]
  /** Of the values that the bounds are about; those that are frequent may be besides. */
  readonly share: number
}

export const PROFILE_BASES = ['statistics', 'sample'] as const

/** So many rows are read where PostgreSQL has no statistics yet. */
const SAMPLED_ROWS = 10_000
const MOST_FREQUENT = 100
/** Longer texts are cut, since they are only meant to be looked at. */
const SHOWN_CHARACTERS = 200

const hasBounds = (sqlType: SqlType): boolean =>
  sqlType === 'bigint' || sqlType === 'numeric' || sqlType === 'date' || sqlType === 'timestamptz'

/** By the statistics that are made after each publication, or else by a sample. */
export async function knownValues(
  client: ClientBase,
  state: TableState,
  column: StoredColumn,
): Promise<KnownValues> {
  return (await byStatistics(client, state, column)) ?? (await bySample(client, state, column))
}

interface Statistics {
  readonly null_frac: number
  readonly n_distinct: number
  readonly values: readonly string[] | null
  readonly freqs: readonly number[] | null
  readonly bounds: readonly string[] | null
}

/** Null: none were made since the column is there. */
async function byStatistics(
  client: ClientBase,
  { name, rowCount }: TableState,
  { column, sqlType }: StoredColumn,
): Promise<KnownValues | null> {
  const isShown = sqlType !== 'jsonb'
  const { rows } = await client.query<Statistics>(
    `select null_frac, n_distinct,
            ${isShown ? cutTexts('most_common_vals') : 'null'} as "values",
            (most_common_freqs)[1:${MOST_FREQUENT}] as freqs,
            ${hasBounds(sqlType) ? 'histogram_bounds::text::text[]' : 'null'} as bounds
     from pg_stats
     where schemaname = $1 and tablename = $2 and attname = $3 and inherited`,
    [name.schema, name.table, column],
  )
  const [found] = rows
  if (found === undefined || rowCount === 0) return null
  const { null_frac: blank, n_distinct: distinct, values, freqs, bounds } = found
  const shares = freqs ?? []
  const ofFrequent = shares.reduce((sum, share) => sum + share, 0)
  return {
    basis: 'statistics',
    blank,
    // Below 0 it is a share of the rows.
    distinct: Math.round(distinct < 0 ? -distinct * rowCount : distinct),
    frequent: (values ?? []).map((text, at) => ({ text, share: shares[at] ?? 0 })),
    bounds: bounds ?? [],
    share: Math.max(0, 1 - blank - ofFrequent),
  }
}

const cutTexts = (values: string) =>
  `(select array_agg(left(v, ${SHOWN_CHARACTERS}) order by at)
    from unnest((${values}::text::text[])[1:${MOST_FREQUENT}]) with ordinality as one (v, at))`

interface Counted {
  readonly counted: number
  readonly filled: number
  readonly distinct: number
  readonly values: readonly string[] | null
  readonly counts: readonly number[] | null
  readonly bounds: readonly string[] | null
}

async function bySample(
  client: ClientBase,
  state: TableState,
  { column, sqlType }: StoredColumn,
): Promise<KnownValues> {
  const percent = state.rowCount === 0 ? 100 : (SAMPLED_ROWS / state.rowCount) * 100
  const isShown = sqlType !== 'jsonb'
  const text = sqlType === 'boolean' ? 'v::text' : `left(v::text, ${SHOWN_CHARACTERS})`
  const { rows } = await client.query<Counted>(
    `with seen as materialized (
       select stored.${quoteName(column)} as v ${fromSample(state, percent)} limit ${SAMPLED_ROWS}
     ), frequent as (
       select ${text} as text, count(*)::int as times from seen
       where v is not null and ${isShown}
       group by v having count(*) > 1 order by times desc, text limit ${MOST_FREQUENT}
     )
     select count(*)::int as counted, count(v)::int as filled, count(distinct v)::int as distinct,
            (select array_agg(text order by times desc, text) from frequent) as "values",
            (select array_agg(times order by times desc, text) from frequent) as counts,
            ${
              hasBounds(sqlType)
                ? `(percentile_disc((select array_agg(n / 100.0) from generate_series(0, 100) as n))
                    within group (order by v))::text[]`
                : 'null'
            } as bounds
     from seen`,
  )
  const { counted, filled, distinct, values, counts, bounds } = rows[0]!
  const shareOf = (count: number) => (counted === 0 ? 0 : count / counted)
  return {
    basis: 'sample',
    blank: shareOf(counted - filled),
    distinct,
    frequent: (values ?? []).map((one, at) => ({ text: one, share: shareOf(counts![at]!) })),
    bounds: bounds ?? [],
    share: shareOf(filled),
  }
}

export const BINS = 24

/** How values lie between two of them; shares are of all rows. */
export interface Histogram {
  /** As PostgreSQL writes it. */
  readonly from: string
  readonly to: string
  /** Of stretches of the same length. */
  readonly shares: readonly number[]
  /** Of what lies before and behind, where a few values are far away from all others. */
  readonly below: number
  readonly above: number
}

/** Values that lie evenly between two positions. */
interface Mass {
  readonly from: number
  readonly to: number
  readonly share: number
  readonly texts: readonly [string, string]
}

/** Null: the values have no positions, or there are fewer than two. */
export function histogramOf(sqlType: SqlType, known: KnownValues): Histogram | null {
  const masses = massesOf(sqlType, known)
  const [first] = masses
  if (first === undefined) return null
  const last = masses.reduce((most, mass) => (mass.to > most.to ? mass : most))
  if (last.to <= first.from) return null
  const from = { at: first.from, text: first.texts[0] }
  const to = { at: last.to, text: last.texts[1] }
  const usual = usualRange(masses)
  const isFar = usual.to.at > usual.from.at && to.at - from.at > FAR * (usual.to.at - usual.from.at)
  return spread(masses, isFar ? usual : { from, to })
}

/** So many times as long as where nearly all values are: the picture would be one bar. */
const FAR = 5
const NEARLY_NONE = 0.01

function massesOf(sqlType: SqlType, { basis, frequent, bounds, share }: KnownValues): Mass[] {
  const placed = bounds.map((text) => ({ text, at: positionOf(sqlType, text) }))
  // A sample counts what is frequent among its bounds.
  const points = basis === 'sample' && bounds.length > 0 ? [] : frequent
  const masses = [
    ...points.map((one): Mass => {
      const at = positionOf(sqlType, one.text)
      return { from: at, to: at, share: one.share, texts: [one.text, one.text] }
    }),
    ...placed.slice(1).map((to, at): Mass => {
      const from = placed[at]!
      return {
        from: from.at,
        to: to.at,
        share: share / (placed.length - 1),
        texts: [from.text, to.text],
      }
    }),
  ]
  return masses
    .filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
    .toSorted((a, b) => a.from - b.from)
}

function positionOf(sqlType: SqlType, text: string): number {
  if (sqlType === 'bigint' || sqlType === 'numeric') return Number(text)
  if (sqlType === 'date') return Date.parse(`${text}T00:00:00Z`)
  return sqlType === 'timestamptz' ? Date.parse(isoInstant(text)) : Number.NaN
}

/** `2026-03-03 10:00:00.5+00`, as a session in UTC writes it. */
export const isoInstant = (text: string): string =>
  `${text.slice(0, 'YYYY-MM-DD'.length)}T${text.slice('YYYY-MM-DD '.length).replace(/\+00$/, 'Z')}`

interface Range {
  readonly from: { readonly at: number; readonly text: string }
  readonly to: { readonly at: number; readonly text: string }
}

/** Without what is further out than nearly all values. */
function usualRange(masses: readonly Mass[]): Range {
  const low = edgeOf(masses)
  const high = edgeOf(masses.toSorted((a, b) => b.to - a.to))
  return {
    from: { at: low.from, text: low.texts[0] },
    to: { at: high.to, text: high.texts[1] },
  }
}

function edgeOf(masses: readonly Mass[]): Mass {
  const least = masses.reduce((sum, { share }) => sum + share, 0) * NEARLY_NONE
  let passed = 0
  for (const mass of masses) {
    passed += mass.share
    if (passed > least + Number.EPSILON) return mass
  }
  return masses.at(-1)!
}

function spread(masses: readonly Mass[], { from, to }: Range): Histogram {
  const shares = Array<number>(BINS).fill(0)
  const width = (to.at - from.at) / BINS
  let below = 0
  let above = 0
  for (const mass of masses) {
    below += partOf(mass, -Infinity, from.at)
    above += partOf(mass, to.at, Infinity)
    for (let bin = 0; bin < BINS; bin++) {
      shares[bin]! += partOf(mass, from.at + bin * width, from.at + (bin + 1) * width)
    }
    // The last stretch has its end.
    if (mass.from === to.at && mass.to === to.at) {
      above -= mass.share
      shares[BINS - 1]! += mass.share
    }
  }
  return {
    from: from.text,
    to: to.text,
    shares: shares.map(rounded),
    below: rounded(below),
    above: rounded(above),
  }
}

/** Of the mass what lies from `low` on, before `high`. */
function partOf({ from, to, share }: Mass, low: number, high: number): number {
  if (from === to) return from >= low && from < high ? share : 0
  const inside = Math.min(to, high) - Math.max(from, low)
  return inside <= 0 ? 0 : (inside / (to - from)) * share
}

export const rounded = (share: number): number => Math.round(share * 1e6) / 1e6
