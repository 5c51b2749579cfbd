import type { RuleScalar } from '../core/rule.ts'
import { canonicalDecimal } from '../json/decimal.ts'
import { SURELY_APART } from './decimals.ts'

const DAY_MS = 86_400_000

/** The decimal that a rule names, as a number or as a text that keeps all digits; null: it is none. */
export function decimalOf(value: RuleScalar): string | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^-?\d{1,400}(?:\.\d{1,400})?(?:e[+-]?\d{1,4})?$/i.test(text)) {
    return null
  }
  return canonicalDecimal(text)
}

/** Values of such a size (see `CellValue.isWithin`) keep a rule for sure; of others it says nothing. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The sizes that are in all of them. */
export const inAllOf = (spans: readonly Span[]): Span => ({
  from: Math.max(...spans.map(({ from }) => from), -Infinity),
  to: Math.min(...spans.map(({ to }) => to), Infinity),
})

/**
 * The numbers on the right side of a bound, by the doubles that are near to them. `beyond`: on which
 * side values break it; `isWhole`: doubles of this size are the numbers themselves.
 */
export function spanOf(limit: string, beyond: -1 | 1, isWhole: boolean): Span {
  const near = Number(limit)
  const isExact = !/[1-9]/.test(limit) || (isWhole && near !== 0 && Number.isSafeInteger(near))
  const doubt = isExact ? 0 : Math.max(SURELY_APART * Math.abs(near), Number.MIN_VALUE)
  const edge = near - beyond * doubt
  return beyond < 0 ? { from: edge, to: Infinity } : { from: -Infinity, to: edge }
}

interface Moment {
  /** Milliseconds since 1970. */
  readonly from: number
  /** The last that belongs to it: a day has many. */
  readonly to: number
}

/** The day or the instant that a rule names; null: it is none. */
export function momentOf(value: RuleScalar): Moment | null {
  if (typeof value !== 'string') return null
  const parts =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:\d{2}))?$/.exec(
      value,
    )
  if (parts === null) return null
  const [, day, time] = parts
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Date.parse would take the 31st of February for the 2nd of March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null
  if (time === undefined) return { from: midnight, to: midnight + DAY_MS - 1 }
  const instant = Date.parse(value)
  return Number.isNaN(instant) ? null : { from: instant, to: instant }
}
