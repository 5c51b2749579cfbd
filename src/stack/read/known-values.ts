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
