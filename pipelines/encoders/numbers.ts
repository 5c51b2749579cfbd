import { CellKind } from '../core/batch.ts'
import { COMMA, notationBit, EITHER, NumberScanner, POINT } from '../numbers/scan-number.ts'
import type { NumberDecision } from './column-decision.ts'
import { isWellKnownNull } from '../cells/known-words.ts'
import { putInt32, type CopyBuffer, putInteger, putInt64 } from './copy-buffer.ts'
import { Outcome } from '../cells/outcome.ts'
import { writeNull, type ValueWriter } from './value-writer.ts'

/** A numeric is sent as digits of this base, each for four decimal digits, aligned on the point. */
const BASE = 10_000
const HUNDRED_MILLION = BASE * BASE
const TRILLION = BASE * BASE * BASE
const HEADER_BYTES = 8
const DOT = 0x2e
const COMMA_SIGN = 0x2c
/** A double exactly holds this many digits, even with three more zeros after them. */
const SHORT_DIGITS = 12

/** Keeps every digit, and as many decimals as were written. */
export class NumericWriter implements ValueWriter {
  readonly #cell: NumberCell
  readonly #shortMark: number
  /** Every value has a unit, so none consists of digits only. */
  readonly #isDressed: boolean
  #digits = new Uint8Array(64)

  constructor(decision: NumberDecision) {
    this.#cell = new NumberCell(decision)
    this.#isDressed = !decision.given && decision.unit !== ''
    const mark = notationBit(decision.notation) === COMMA ? COMMA_SIGN : DOT
    this.#shortMark = decision.notation === 'plain' ? 0 : mark
  }

  write(bytes: Buffer, start: number, end: number, kind: number, out: CopyBuffer): Outcome {
    if (kind === CellKind.text && !this.#isDressed && this.#writeShort(bytes, start, end, out))
      return Outcome.stored
    const outcome = this.#cell.read(bytes, start, end, kind)
    if (outcome === Outcome.stored) this.#writeLong(bytes, out)
    else if (isWellKnownNull(bytes, start, end)) return writeNull(out, Outcome.wellKnown)
    return outcome
  }

  /** Few digits with an optional decimal sign, as nearly every number is written. */
  #writeShort(bytes: Uint8Array, start: number, end: number, out: CopyBuffer): boolean {
    const negative = bytes[start] === 0x2d
    const first = negative ? start + 1 : start
    if (end - first > SHORT_DIGITS + 1 || first === end) return false
    let value = 0
    let point = -1
    for (let at = first; at < end; at++) {
      const byte = bytes[at]!
      const digit = byte - 0x30
      if (digit >= 0 && digit <= 9) value = value * 10 + digit
      else if (byte === this.#shortMark && point < 0) point = at
      else return false
    }
    const scale = point < 0 ? 0 : end - point - 1
    const digits = end - first - (point < 0 ? 0 : 1)
    const whole = digits - scale
    if (digits > SHORT_DIGITS || whole === 0 || (point >= 0 && scale === 0)) return false
    // Leading zeros may make an identifier, and three decimals may be a group of thousands; the
    // scanner decides about both.
    if (whole > 1 && bytes[first] === 0x30) return false
    putDecimal(out, negative ? -value : value, scale)
    return true
  }

  #writeLong(bytes: Uint8Array, out: CopyBuffer): void {
    const { scan, notation } = this.#cell
    if (scan.digits > this.#digits.length) this.#digits = new Uint8Array(scan.digits * 2)
    const digits = this.#digits
    const integer = (scan.integer & notation) !== 0
    const mark = integer ? 0 : notation === COMMA ? COMMA_SIGN : DOT
    let count = 0
    let whole = -1
    for (let at = scan.bodyStart; at < scan.bodyEnd; at++) {
      const byte = bytes[at]!
      if (byte >= 0x30 && byte <= 0x39) digits[count++] = byte - 0x30
      else if (byte === mark) whole = count
    }
    const point = (whole < 0 ? count : whole) + scan.exponent
    let from = 0
    while (from < count && digits[from] === 0) from += 1
    while (count > from && digits[count - 1] === 0) count -= 1
    const fraction = whole < 0 ? 0 : scan.digits - whole
    const scale = Math.max(0, fraction - scan.exponent)
    if (from === count) return putHeader(out, 0, 0, false, scale)
    // Group 0 holds the four digits left of the point, -1 the four to its right.
    const top = Math.floor((point - from - 1) / 4)
    const bottom = Math.floor((point - count) / 4)
    putHeader(out, top - bottom + 1, top, scan.negative, scale)
    for (let group = top; group >= bottom; group--) {
      const first = point - 4 * group - 4
      let value = 0
      for (let i = first; i < first + 4; i++) {
        value = value * 10 + (i >= from && i < count ? digits[i]! : 0)
      }
      out.int16(value)
    }
  }
}

const SHIFT = [1, 1000, 100, 10]

/** `unscaled` is the number without its point, with at most `SHORT_DIGITS` digits. */
export function putDecimal(out: CopyBuffer, unscaled: number, scale: number): void {
  if (unscaled === 0) return putHeader(out, 0, 0, false, scale)
  const negative = unscaled < 0
  // Shifted so that its decimals fill whole groups.
  const value = (negative ? -unscaled : unscaled) * SHIFT[scale % 4]!
  const below = (scale + 3) >> 2
  const needed = value < BASE ? 1 : value < HUNDRED_MILLION ? 2 : value < TRILLION ? 3 : 4
  const groups = needed > below ? needed : below
  putHeader(out, groups, groups - below - 1, negative, scale)
  const { view } = out
  let rest = value
  for (let at = out.length + 2 * groups - 2; at >= out.length; at -= 2) {
    const next = Math.floor(rest / BASE)
    view.setInt16(at, rest - next * BASE)
    rest = next
  }
  out.length += 2 * groups
}

/** Writes the header and reserves space for the groups after it. */
function putHeader(
  out: CopyBuffer,
  groups: number,
  weight: number,
  negative: boolean,
  scale: number,
): void {
  out.reserve(4 + HEADER_BYTES + 2 * groups)
  const at = putInt32(out.view, out.length, HEADER_BYTES + 2 * groups)
  const next = putInt32(out.view, at, (groups << 16) | (weight & 0xffff))
  out.length = putInt32(out.view, next, (negative ? 0x4000_0000 : 0) | scale)
}

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

/** Reads the cells of a number column in the notation that was decided. */
class NumberCell {
  readonly scan = new NumberScanner()
  /** The notation under which the last cell was accepted: POINT or COMMA. */
  notation = 0
  readonly #decision: NumberDecision
  readonly #bit: number

  constructor(decision: NumberDecision) {
    this.#decision = decision
    this.#bit = notationBit(decision.notation)
  }

  get given(): boolean {
    return this.#decision.given
  }

  read(bytes: Uint8Array, start: number, end: number, kind: number): Outcome {
    const { scan } = this
    if (!scan.scan(bytes, start, end)) {
      const isText = kind === CellKind.text
      if (!isText || !scan.scanAmount(bytes, start, end)) return this.#refuse(0)
    }
    if (!this.#decision.given && scan.unit !== this.#decision.unit) return this.#refuse(0)
    if (kind === CellKind.number) {
      this.notation = scan.accepted & POINT
      return this.notation === 0 ? this.#refuse(0) : Outcome.stored
    }
    if (kind !== CellKind.text) return this.#refuse(0)
    const possible = this.#decision.given ? scan.accepted : scan.natural
    // The decimal sign of the column is still undecided, and this cell would decide it.
    if (this.#bit === EITHER && scan.mark !== 0) return this.#refuse(possible)
    const usable = possible & this.#bit
    if (usable === 0) return this.#refuse(possible)
    this.notation = usable === EITHER ? POINT : usable
    return Outcome.stored
  }

  #refuse(possible: number): Outcome {
    const { given, settled } = this.#decision
    return given && (settled || possible === 0) ? Outcome.invalid : Outcome.misfit
  }
}
