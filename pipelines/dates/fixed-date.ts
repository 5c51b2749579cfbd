import { daysFromCivil, daysInMonth } from './civil.ts'
import { LAYOUTS, type DateLayout } from './formats.ts'

const ZERO = 0x30
const SPACE = 0x20
const LETTER_T = 0x54
const COLON = 0x3a
/** Negative enough that every sum with it is negative. */
const NOT_DIGITS = -10_000

const DATE_BYTES = 10
const DATE_TIME_BYTES = 19

/** Dates of earlier or later years may be placeholders, or at the limits of the calendar. */
const FIRST_PLAIN_YEAR = 1901
const LAST_PLAIN_YEAR = 9998
const EPOCH_YEAR = 1970

/**
 * Quickly reads dates in the usual form of a column: in one layout, every field with all its
 * digits, followed by `HH:mm:ss` or nothing. It never disagrees with the scanner: anything written
 * differently, anything that is not a date, and possible placeholders are left to it.
 */
export class FixedDate {
  /** Days since 1970-01-01. */
  dayNumber = 0
  hasTime = false
  secondOfDay = 0
  readonly #separator: number
  readonly #yearAt: number
  readonly #monthAt: number
  readonly #dayAt: number

  private constructor({ order, separator }: DateLayout) {
    this.#separator = separator.charCodeAt(0)
    this.#yearAt = order === 'ymd' ? 0 : 6
    this.#monthAt = { ymd: 5, dmy: 3, mdy: 0 }[order]
    this.#dayAt = { ymd: 8, dmy: 0, mdy: 3 }[order]
  }

  /** Null for a layout with two-digit years. */
  static of(layout: number): FixedDate | null {
    const { yearDigits } = LAYOUTS[layout]!
    return yearDigits === 4 ? new FixedDate(LAYOUTS[layout]!) : null
  }

  read(bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start
    if (length !== DATE_BYTES && length !== DATE_TIME_BYTES) return false
    const separator = this.#separator
    // The year is at the beginning or the end; the separators follow the first and second field.
    const first = start + (this.#yearAt === 0 ? 4 : 2)
    if (bytes[first] !== separator || bytes[first + 3] !== separator) return false
    const yearAt = start + this.#yearAt
    const year = twoDigits(bytes, yearAt) * 100 + twoDigits(bytes, yearAt + 2)
    const month = twoDigits(bytes, start + this.#monthAt)
    const day = twoDigits(bytes, start + this.#dayAt)
    if (year < FIRST_PLAIN_YEAR || year > LAST_PLAIN_YEAR) return false
    if (year === EPOCH_YEAR || year === EPOCH_YEAR - 1) return false
    if (month < 1 || month > 12 || day < 1) return false
    if (day > 28 && day > daysInMonth(year, month)) return false
    this.hasTime = length === DATE_TIME_BYTES
    this.secondOfDay = 0
    if (this.hasTime && !this.#readTime(bytes, start + DATE_BYTES)) return false
    this.dayNumber = daysFromCivil(year, month, day)
    return true
  }

  #readTime(bytes: Uint8Array, at: number): boolean {
    if (bytes[at] !== SPACE && bytes[at] !== LETTER_T) return false
    if (bytes[at + 3] !== COLON || bytes[at + 6] !== COLON) return false
    const hour = twoDigits(bytes, at + 1)
    const minute = twoDigits(bytes, at + 4)
    const second = twoDigits(bytes, at + 7)
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
      return false
    this.secondOfDay = hour * 3600 + minute * 60 + second
    return true
  }
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO
  const ones = bytes[at + 1]! - ZERO
  // Any value outside 0..9 makes the whole negative.
  return (tens | ones | (9 - tens) | (9 - ones)) < 0 ? NOT_DIGITS : tens * 10 + ones
}
