import { FEATURES, HEADER_FEATURES, type Role } from './features.ts'
import type { Top } from './find-top.ts'
import type { RowInPlace } from './measures.ts'
import type { SeenRow } from './seen-row.ts'

const MOST_ALTERNATIVES = 3

/** Why a row was given its role. */
export interface Reason {
  /** Null: the reason concerns the header's rows together. */
  readonly line: number | null
  readonly role: Role
  /** What speaks for it, or against it if the weight is below 0. */
  readonly because: readonly { readonly what: string; readonly weight: number }[]
}

/** Another header that the rows could have, and by how much it is less likely. */
export interface Alternative {
  readonly header: readonly number[]
  readonly firstRow: number | null
  readonly behind: number
}

/** For every row of the header, and for the first row of data. */
export function reasonsFor(places: readonly RowInPlace[], top: Top): Reason[] {
  const { headerFrom, headerTo, firstRow } = top
  const rows = places.slice(headerFrom, headerTo)
  const first = places[firstRow]
  const together = {
    rows: rows.map(({ row }) => row),
    used: places[0]!.used,
    isFirst: headerFrom === 0,
  }
  const measured = HEADER_FEATURES.map(({ name, measure, weight }) => ({
    what: name,
    weight: rounded(weight * measure(together)),
  }))
  return [
    ...rows.map((place) => reasonFor(place, 'header')),
    { line: null, role: 'header', because: telling(measured) },
    ...(first === undefined ? [] : [reasonFor(first, 'row')]),
  ]
}

function reasonFor(place: RowInPlace, role: Role): Reason {
  const measured = FEATURES.map(({ name, measure, weights }) => ({
    what: name,
    weight: rounded(weights[role] * measure(place)),
  }))
  return { line: place.row.line, role, because: telling(measured) }
}

const telling = (measured: Reason['because']) => measured.filter(({ weight }) => weight !== 0)

const rounded = (weight: number) => Math.round(weight * 10) / 10

/** The likeliest of the other tops. */
export function alternativesTo(tops: readonly Top[], rows: readonly SeenRow[]): Alternative[] {
  const [best, ...others] = tops
  return others.slice(0, MOST_ALTERNATIVES).map(({ headerFrom, headerTo, firstRow, score }) => ({
    header: rows.slice(headerFrom, headerTo).map(({ line }) => line),
    firstRow: rows[firstRow]?.line ?? null,
    behind: rounded(best!.score - score),
  }))
}
