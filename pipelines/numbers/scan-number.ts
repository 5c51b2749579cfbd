import type { NumberNotation } from '../core/plan.ts'
import { amountIn } from './amount.ts'

/** The notations that a text allows, as a bit set. */
export const POINT = 1
export const COMMA = 2
export const EITHER = POINT | COMMA

/** The limits of Postgres for digits before and after the decimal sign of a numeric. */
const MOST_INTEGER_DIGITS = 131_072
const MOST_FRACTION_DIGITS = 16_383
/** More digits than this without a decimal sign are an identifier, and may not fit an int8. */
export const MOST_PLAIN_DIGITS = 18

const ZERO = 0x30
const NINE = 0x39
const DOT = 0x2e
const COMMA_SIGN = 0x2c
const PLUS = 0x2b
const MINUS = 0x2d
const LETTER_E = 0x65
const NO_GROUP = 0
const SPACE = 1
const APOSTROPHE = 2

export function notationBit(notation: NumberNotation): number {
  if (notation === 'plain') return EITHER
  return notation === 'comma-decimal' ? COMMA : POINT
}

/**
 * Recognises a number in bytes, with both decimal signs at once: `1.234,5` allows one notation,
 * `1,234` two, `12` any. Groups of three digits may be separated by spaces (including no-break and
 * thin ones), apostrophes, or the sign that is not the decimal one.
 *
 * The fields describe the text that was scanned last.
 */
export class NumberScanner {
  /** The notations that accept the text, whatever it might be besides a number; ... */
  accepted = 0
  /** ... those of them that read an integer, ... */
  integer = 0
  /**
   * ... and those that read a number rather than an identifier: no leading zero, plus sign or
   * excess digits.
   */
  natural = 0
  /** The first point or comma, which gives a hint of the notation; 0 if there is none. */
  mark = 0
  negative = false
  /** What is around the number: `€`, `%` ...; empty if there is nothing. */
  unit = ''
  /** Whether that is a currency before the number. */
  isCurrencyFirst = false
  /** Whether the number may be a part of a code, as in `NAD83`. */
  mayBeCode = false
  digits = 0
  exponent = 0
  /** Where the digits and their separators begin and end, without sign and exponent. */
  bodyStart = 0
  bodyEnd = 0
  #first = 0
  #fraction = 0
  #grouped = false

  /** The number of digits before the decimal sign, were the exponent written out. */
  get wholeDigits(): number {
    return this.digits - this.#fraction + this.exponent
  }

  /** Whether the exponent is at least as large as the number of decimals. */
  get isWhole(): boolean {
    return this.exponent >= this.#fraction
  }

  /** `start` and `end` enclose the text without the white space around it. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    this.#reset()
    this.bodyStart = this.#sign(bytes, start, end)
    const plus = this.bodyStart > start && bytes[start] === PLUS
    this.#first = this.#run(bytes, this.bodyStart, end)
    const at = this.#body(bytes, this.bodyStart + this.#first, end)
    this.bodyEnd = at
    const whole = at === end || this.#scanExponent(bytes, at, end)
    if (!whole || this.digits === 0 || !this.#fits()) {
      this.accepted = 0
      return false
    }
    const identifiers = plus || this.digits > MOST_PLAIN_DIGITS ? this.integer : 0
    const leadingZero = this.#first > 1 && bytes[this.bodyStart] === ZERO
    this.natural = leadingZero ? 0 : this.accepted & ~identifiers
    // An exponent may move the decimal sign either way, so the result never counts as an integer.
    if (at < end) this.integer = 0
    return this.accepted !== 0
  }

  /** The same for a number with a unit, a currency, parentheses or a trailing minus. */
  scanAmount(bytes: Uint8Array, start: number, end: number): boolean {
    const amount = amountIn(bytes, start, end)
    if (amount === null || !this.scan(bytes, amount.start, amount.end)) return false
    this.unit = amount.unit
    this.isCurrencyFirst = amount.isCurrencyFirst
    this.mayBeCode = amount.mayBeCode
    if (amount.isNegative) this.negative = true
    if (amount.unit === '%') {
      this.exponent -= 2
      this.integer = 0
    }
    return true
  }

  #reset(): void {
    this.unit = ''
    this.isCurrencyFirst = false
    this.mayBeCode = false
    this.accepted = 0
    this.integer = 0
    this.natural = 0
    this.mark = 0
    this.negative = false
    this.digits = 0
    this.exponent = 0
    this.#fraction = 0
    this.#grouped = false
  }

  #sign(bytes: Uint8Array, start: number, end: number): number {
    const first = bytes[start]!
    if (start >= end || first === PLUS) return Math.min(start + 1, end)
    const width = first === MINUS ? 1 : isTypographicMinus(bytes, start, end) ? 3 : 0
    this.negative = width > 0
    return start + width
  }

  /** The number of digits at `at`. */
  #run(bytes: Uint8Array, at: number, end: number): number {
    let count = 0
    while (at + count < end && isDigit(bytes[at + count]!)) count += 1
    this.digits += count
    return count
  }

  /**
   * Reads what follows the first digits. Sets the accepting notations, and returns where the body
   * ends.
   */
  #body(bytes: Uint8Array, start: number, end: number): number {
    if (start < end && isMark(bytes[start]!)) return this.#afterMark(bytes, start, end)
    let at = start
    const group = groupSign(bytes, at, end)
    if (group !== NO_GROUP) {
      this.#grouped = true
      if (this.#first < 1 || this.#first > 3) return at
      while (groupSign(bytes, at, end) === group) {
        at += groupSignWidth(bytes[at]!)
        if (this.#run(bytes, at, end) !== 3) return at
        at += 3
      }
    }
    return this.#decimals(bytes, at, end, EITHER)
  }

  /**
   * A point or comma right after the first digits: the decimal sign, or the first separator of
   * groups.
   */
  #afterMark(bytes: Uint8Array, start: number, end: number): number {
    const mark = bytes[start]!
    this.mark = mark
    const asDecimal = mark === DOT ? POINT : COMMA
    let at = start + 1
    const run = this.#run(bytes, at, end)
    at += run
    const inThrees =
      this.#first >= 1 && this.#first <= 3 && run === 3 && bytes[this.bodyStart] !== ZERO
    if (at < end && isMark(bytes[at]!)) {
      this.#grouped = true
      if (!inThrees) return at
      while (at < end && bytes[at] === mark) {
        if (this.#run(bytes, at + 1, end) !== 3) return at
        at += 4
      }
      return this.#decimals(bytes, at, end, EITHER ^ asDecimal)
    }
    if (run === 0) return at
    this.#fraction = run
    this.accepted = inThrees && at === end ? EITHER : asDecimal
    this.integer = this.accepted & ~asDecimal
    return at
  }

  /** Reads the decimal sign of one of `notations` and the digits after it, if there is one. */
  #decimals(bytes: Uint8Array, at: number, end: number, notations: number): number {
    if (at >= end || !isMark(bytes[at]!)) {
      this.accepted = notations
      this.integer = notations
      return at
    }
    const mark = bytes[at]!
    if (this.mark === 0) this.mark = mark
    this.#fraction = this.#run(bytes, at + 1, end)
    if (this.#fraction > 0) this.accepted = notations & (mark === DOT ? POINT : COMMA)
    return at + 1 + this.#fraction
  }

  #scanExponent(bytes: Uint8Array, start: number, end: number): boolean {
    if ((bytes[start]! | 0x20) !== LETTER_E || this.#grouped) return false
    let at = start + 1
    const sign = at < end ? bytes[at] : 0
    if (sign === PLUS || sign === MINUS) at += 1
    if (at === end) return false
    let value = 0
    for (; at < end; at++) {
      if (!isDigit(bytes[at]!)) return false
      // Already far out of range, so more digits change nothing.
      if (value < 1_000_000) value = value * 10 + bytes[at]! - ZERO
    }
    this.exponent = sign === MINUS ? -value : value
    return true
  }

  #fits(): boolean {
    return (
      this.digits - this.#fraction + this.exponent <= MOST_INTEGER_DIGITS &&
      this.#fraction - this.exponent <= MOST_FRACTION_DIGITS
    )
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

function isMark(byte: number): boolean {
  return byte === DOT || byte === COMMA_SIGN
}

function isTypographicMinus(bytes: Uint8Array, at: number, end: number): boolean {
  // U+2212
  return at + 2 < end && bytes[at] === 0xe2 && bytes[at + 1] === 0x88 && bytes[at + 2] === 0x92
}

/** The kind of separator at `at` that only groups thousands. */
function groupSign(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return NO_GROUP
  const byte = bytes[at]!
  if (byte === 0x20) return SPACE
  if (byte === 0x27) return APOSTROPHE
  if (byte === 0xc2) return at + 1 < end && bytes[at + 1] === 0xa0 ? SPACE : NO_GROUP
  if (byte !== 0xe2 || at + 2 >= end || bytes[at + 1] !== 0x80) return NO_GROUP
  const third = bytes[at + 2]
  if (third === 0x99) return APOSTROPHE // U+2019
  return third === 0x89 || third === 0xaf ? SPACE : NO_GROUP // U+2009, U+202F
}

function groupSignWidth(first: number): number {
  if (first < 0x80) return 1
  return first === 0xc2 ? 2 : 3
}
