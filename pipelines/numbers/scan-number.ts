import type { NumberReading } from '../core/plan.ts'
import { spaceWidth } from '../transforms/white-space.ts'

/** The readings that a text allows, as a set of bits. */
export const POINT = 1
export const COMMA = 2
export const EITHER = POINT | COMMA

/** Postgres holds this many digits before and after the decimal sign of a numeric. */
const MOST_INTEGER_DIGITS = 131_072
const MOST_FRACTION_DIGITS = 16_383
/** More digits than this without a decimal sign are an identifier, and may not fit an int8. */
export const MOST_PLAIN_DIGITS = 18

const ZERO = 0x30
const NINE = 0x39
const DOT = 0x2e
const COMMA_SIGN = 0x2c
const NO_GROUPS = 0
const SPACES = 1
const APOSTROPHES = 2

export function readingBit(reading: NumberReading): number {
  if (reading === 'plain') return EITHER
  return reading === 'comma-decimal' ? COMMA : POINT
}

/**
 * Recognises a number in bytes, under both decimal signs at once: `1.234,5` allows one reading,
 * `1,234` two, `12` any. Groups of thousands are set apart by spaces (no-break and thin ones too),
 * apostrophes, or the sign that is not the decimal one, and stand in threes.
 *
 * One scanner is one set of results: they describe the last text that was scanned.
 */
export class NumberScanner {
  /** Readings that accept the text, whatever it might be besides a number. */
  accepted = 0
  /** ... of which these see an integer, ... */
  integer = 0
  /** ... and these a number rather than an identifier: no leading zero, plus sign, excess digits. */
  natural = 0
  /** A point or a comma is in it, so it says something about the reading. */
  marked = false
  negative = false
  digits = 0
  exponent = 0
  /** Where digits and groups begin and end, without sign and exponent. */
  bodyStart = 0
  bodyEnd = 0

  /** `start` and `end` enclose the text without the white space around it. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    this.accepted = 0
    this.integer = 0
    this.natural = 0
    this.marked = false
    this.digits = 0
    this.exponent = 0
    let at = this.#sign(bytes, start, end)
    const plus = at > start && bytes[start] === 0x2b
    this.bodyStart = at
    const first = this.#run(bytes, at, end)
    at += first
    const leadingZero = first > 1 && bytes[this.bodyStart] === ZERO
    at = this.#rest(bytes, at, end, first)
    this.bodyEnd = at
    if (this.accepted === 0 || this.digits === 0) return this.#refuse()
    if (at < end && !this.#exponent(bytes, at, end)) return this.#refuse()
    if (!this.#fits(first)) return this.#refuse()
    const identifiers = plus || this.digits > MOST_PLAIN_DIGITS ? this.integer : 0
    this.natural = leadingZero ? 0 : this.accepted & ~identifiers
    if (this.exponent !== 0 || at < end) this.integer = 0
    return true
  }

  #refuse(): false {
    this.accepted = 0
    return false
  }

  #sign(bytes: Uint8Array, start: number, end: number): number {
    this.negative = false
    if (start >= end) return start
    const first = bytes[start]!
    if (first === 0x2b) return start + 1
    if (first === 0x2d) {
      this.negative = true
      return start + 1
    }
    // U+2212, the minus sign of typographers
    if (first === 0xe2 && start + 2 < end && bytes[start + 1] === 0x88 && bytes[start + 2] === 0x92) {
      this.negative = true
      return start + 3
    }
    return start
  }

  /** How many digits stand at `at`. */
  #run(bytes: Uint8Array, at: number, end: number): number {
    let count = 0
    while (at + count < end && isDigit(bytes[at + count]!)) count += 1
    this.digits += count
    return count
  }

  /** What follows the first digits; returns where the body ends and sets what accepts it. */
  #rest(bytes: Uint8Array, start: number, end: number, first: number): number {
    let at = start
    const group = separatorKind(bytes, at, end)
    if (group !== NO_GROUPS) {
      if (first < 1 || first > 3) return at
      while (separatorKind(bytes, at, end) === group) {
        at += separatorWidth(bytes, at, end)
        const run = this.#run(bytes, at, end)
        if (run !== 3) return at
        at += run
      }
      return this.#fraction(bytes, at, end, EITHER)
    }
    if (at >= end || !isMark(bytes[at]!)) return this.#fraction(bytes, at, end, EITHER)
    return this.#marked(bytes, at, end, first)
  }

  /** A point or comma right after the first digits: a decimal sign, or the first of its groups. */
  #marked(bytes: Uint8Array, start: number, end: number, first: number): number {
    this.marked = true
    const mark = bytes[start]!
    const asDecimal = mark === DOT ? POINT : COMMA
    let at = start + 1
    const run = this.#run(bytes, at, end)
    at += run
    const grouped = first >= 1 && first <= 3 && run === 3 && bytes[this.bodyStart] !== ZERO
    if (at < end && isMark(bytes[at]!)) {
      if (!grouped) return at
      while (at < end && bytes[at] === mark) {
        const next = this.#run(bytes, at + 1, end)
        at += 1 + next
        if (next !== 3) return at
      }
      return this.#fraction(bytes, at, end, EITHER ^ asDecimal)
    }
    if (run === 0) return at
    const plainEnd = at >= end
    this.accepted = grouped && plainEnd ? EITHER : asDecimal
    this.integer = this.accepted & ~asDecimal
    return at
  }

  /** The decimal sign of one of `readings` and digits after it, or nothing. */
  #fraction(bytes: Uint8Array, at: number, end: number, readings: number): number {
    if (at < end && isMark(bytes[at]!)) {
      this.marked = true
      const reading = readings & (bytes[at] === DOT ? POINT : COMMA)
      const run = this.#run(bytes, at + 1, end)
      if (run > 0) this.accepted = reading
      return at + 1 + run
    }
    this.accepted = readings
    this.integer = readings
    return at
  }

  #exponent(bytes: Uint8Array, start: number, end: number): boolean {
    if ((bytes[start]! | 0x20) !== 0x65 || this.#hasGroups(bytes)) return false
    let at = start + 1
    const sign = bytes[at]
    if (at < end && (sign === 0x2b || sign === 0x2d)) at += 1
    if (at >= end) return false
    let value = 0
    for (; at < end; at++) {
      if (!isDigit(bytes[at]!)) return false
      if (value < 1_000_000) value = value * 10 + bytes[at]! - ZERO
    }
    this.exponent = sign === 0x2d ? -value : value
    return true
  }

  #hasGroups(bytes: Uint8Array): boolean {
    const marks = this.bodyEnd - this.bodyStart - this.digits
    return marks > 1 || (marks === 1 && !isMark(bytes[this.bodyStart]!) && this.integer !== 0 && this.marked)
  }

  #fits(first: number): boolean {
    if (this.digits <= MOST_FRACTION_DIGITS && this.exponent === 0) return true
    const fraction = this.marked ? this.digits - first : 0
    return (
      this.digits - fraction + this.exponent <= MOST_INTEGER_DIGITS &&
      fraction - this.exponent <= MOST_FRACTION_DIGITS
    )
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

function isMark(byte: number): boolean {
  return byte === DOT || byte === COMMA_SIGN
}

function separatorKind(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return NO_GROUPS
  const byte = bytes[at]!
  if (byte === 0x20) return SPACES
  if (byte === 0x27) return APOSTROPHES
  if (byte === 0xc2) return spaceWidth(bytes, at, end) === 2 ? SPACES : NO_GROUPS
  if (byte !== 0xe2 || at + 2 >= end || bytes[at + 1] !== 0x80) return NO_GROUPS
  const third = bytes[at + 2]
  if (third === 0x99) return APOSTROPHES // U+2019
  return third === 0x89 || third === 0xaf ? SPACES : NO_GROUPS // U+2009, U+202F
}

function separatorWidth(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at]!
  if (byte < 0x80) return 1
  return byte === 0xc2 && at + 1 < end ? 2 : 3
}
