import type { SqlType } from '../../../pipelines/index.ts'
import type { KnownValues } from './known-values.ts'

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
