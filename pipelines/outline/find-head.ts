import { columnsOf, usedColumns } from './columns.ts'
import { type Role, weigh, weighHeader } from './features.ts'
import type { RowInPlace } from './measures.ts'
import type { SeenRow } from './seen-row.ts'

const MOST_HEADER_ROWS = 8
const MOST_HEADINGS = 3
/** So many rows are compared with one another ... */
const PEERS = 30
/** ... among so many that follow. */
const PEERS_WITHIN = 2 * PEERS
/** So many rows are weighed; more would say the same. */
const WEIGHED_ROWS = 60

/** Where the header may stand, by places among the rows that hold something. */
export interface Head {
  readonly headerFrom: number
  /** Behind the last row of the header; up to the first row of data stand headings. */
  readonly headerTo: number
  readonly firstRow: number
  readonly score: number
}

/** Every head that the rows could have, the likeliest first. */
export function weighHeads(places: readonly RowInPlace[]): Head[] {
  const sum = sumsByRole(places)
  const end = places.length
  return possibleHeads(places.length)
    .map((head) => {
      const { headerFrom, headerTo, firstRow } = head
      const rows = places.slice(headerFrom, headerTo).map(({ row }) => row)
      const score =
        sum('title', 0, headerFrom) +
        sum('header', headerFrom, headerTo) +
        sum('heading', headerTo, firstRow) +
        sum('row', firstRow, end) +
        weighHeader({ rows, used: places[0]!.used, isFirst: headerFrom === 0 })
      return { ...head, score }
    })
    .toSorted((a, b) => b.score - a.score)
}

export function possibleHeads(rows: number): Omit<Head, 'score'>[] {
  const heads: Omit<Head, 'score'>[] = []
  for (let firstRow = 1; firstRow <= rows; firstRow += 1) {
    for (
      let headerTo = firstRow;
      headerTo > Math.max(0, firstRow - 1 - MOST_HEADINGS);
      headerTo -= 1
    ) {
      const highest = Math.max(0, headerTo - MOST_HEADER_ROWS)
      for (let headerFrom = headerTo - 1; headerFrom >= highest; headerFrom -= 1) {
        heads.push({ headerFrom, headerTo, firstRow })
      }
    }
  }
  return heads
}

/** The rows that are weighed, each among those below it. */
export function placesOf(rows: readonly SeenRow[]): RowInPlace[] {
  const used = usedColumns(rows)
  return rows.slice(0, WEIGHED_ROWS).map((row, at) => {
    const peers = rows
      .slice(at + 1, at + 1 + PEERS_WITHIN)
      .filter(({ filled }) => filled.length > 1 || used.length === 1)
      .slice(0, PEERS)
    return { row, next: rows[at + 1] ?? null, peers, columns: columnsOf(peers), used }
  })
}

function sumsByRole(places: readonly RowInPlace[]) {
  const sums = new Map<Role, number[]>()
  const sumsOf = (role: Role) => {
    const known = sums.get(role) ?? [0]
    if (known.length === 1)
      for (const place of places) known.push(known.at(-1)! + weigh(place, role))
    sums.set(role, known)
    return known
  }
  return (role: Role, from: number, to: number) => sumsOf(role)[to]! - sumsOf(role)[from]!
}
