import type { ClientBase } from 'pg'

import type { ComparedStates, Side, SideName } from './comparison.ts'
import { requireKey } from './key-flaws.ts'
import { type Difference, differentByContent, differentByKey } from './row-differences.ts'
import { countRows, type TypedPiece } from './state-rows.ts'

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
