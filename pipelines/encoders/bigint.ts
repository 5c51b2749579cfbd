import { CellKind } from '../core/batch.ts'
import type { NumberDecision } from './column-decision.ts'
import { isWellKnownNull } from '../cells/null-placeholders.ts'
import { putInt32, putInteger, type CopyBuffer } from './copy-buffer.ts'
import { NumberCell } from './number-cell.ts'
import { Outcome } from '../cells/outcome.ts'
import { putInt64 } from './put-int64.ts'
import { writeNull, type ValueWriter } from './value-writer.ts'

const BILLION = 1_000_000_000
/** A double holds this many digits exactly. */
const EXACT_DIGITS = 15
const MOST_DIGITS = 19
/** The largest value, in billions and the rest; for negative numbers the rest is one more. */
const LARGEST = { high: 9_223_372_036, low: 854_775_807 }

export class BigintWriter implements ValueWriter {
  readonly #cell: NumberCell
  /** Every value has a unit, so none consists of digits only. */
  readonly #isDressed: boolean

  constructor(decision: NumberDecision) {
    this.#cell = new NumberCell(decision)
    this.#isDressed = !decision.given && decision.unit !== ''
  }

  write(bytes: Buffer, start: number, end: number, kind: number, out: CopyBuffer): Outcome {
    const isPlain = kind <= CellKind.number && !this.#isDressed
    const short = isPlain ? shortInteger(bytes, start, end) : Number.NaN
    if (!Number.isNaN(short)) return putShort(out, short)
    const outcome = this.#cell.read(bytes, start, end, kind)
    if (outcome !== Outcome.stored) {
      return isWellKnownNull(bytes, start, end) ? writeNull(out, Outcome.wellKnown) : outcome
    }
    const { scan, notation } = this.#cell
    if ((scan.integer & notation) === 0 || scan.digits > MOST_DIGITS) return Outcome.misfit
    let high = 0
    let low = 0
    let left = scan.digits
    for (let at = scan.bodyStart; at < scan.bodyEnd; at++) {
      const digit = bytes[at]! - 0x30
      if (digit < 0 || digit > 9) continue
      if (left > 9) high = high * 10 + digit
      else low = low * 10 + digit
      left -= 1
    }
    if (isBeyond(high, low, scan.negative)) return Outcome.misfit
    return scan.negative ? put(out, -high, BILLION, -low) : put(out, high, BILLION, low)
  }
}

function isBeyond(high: number, low: number, isNegative: boolean): boolean {
  if (high !== LARGEST.high) return high > LARGEST.high
  return low > LARGEST.low + (isNegative ? 1 : 0)
}

function putShort(out: CopyBuffer, value: number): Outcome {
  out.reserve(12)
  out.length = putInteger(out.view, putInt32(out.view, out.length, 8), value)
  return Outcome.stored
}

function put(out: CopyBuffer, high: number, scale: number, low: number): Outcome {
  out.reserve(12)
  const at = putInt32(out.view, out.length, 8)
  out.length = putInt64(out.view, at, high, scale, low)
  return Outcome.stored
}

/**
 * Parses digits with an optional minus sign, as nearly every integer is written; NaN for anything
 * else.
 */
function shortInteger(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === 0x2d
  let at = negative ? start + 1 : start
  const length = end - at
  // A leading zero is left to the scanner, which knows whether it makes an identifier.
  if (length < 1 || length > EXACT_DIGITS || (length > 1 && bytes[at] === 0x30)) return Number.NaN
  let value = 0
  for (; at < end; at++) {
    const digit = bytes[at]! - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return negative ? 0 - value : value
}
