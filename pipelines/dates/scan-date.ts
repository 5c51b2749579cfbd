import { daysFromCivil, daysInMonth, fullYear } from './civil.ts'
import { ISO, LAYOUTS, type DateLayout } from './formats.ts'
import type { WrittenDate } from './written-date.ts'

const ISO_BIT = 1 << ISO
const ZERO = 0x30
const COLON = 0x3a
const PLUS = 0x2b
const MINUS = 0x2d

/** Neighbours in ASCII, so that the index of a separator is its code minus that of the first. */
const SEPARATORS = ['-', '.', '/']
const FIRST_SEPARATOR = 0x2d
const YEAR_PLACES = ['first', 'last', 'last, short'] as const
type YearPlace = (typeof YEAR_PLACES)[number]

/** Layouts with the same shape, by the order of their fields; bit sets. */
interface Shape {
  readonly ymd: number
  readonly dmy: number
  readonly mdy: number
}

/** The layouts by separator, and by the place of the year. */
const SHAPES: readonly Shape[] = SEPARATORS.flatMap((separator) =>
  YEAR_PLACES.map((place) => {
    const having = (order: DateLayout['order']): number =>
      LAYOUTS.reduce((bits, layout: DateLayout, at) => {
        const same = layout.separator === separator && layout.order === order
        return same && yearPlace(layout) === place ? bits | (1 << at) : bits
      }, 0)
    return { ymd: having('ymd'), dmy: having('dmy'), mdy: having('mdy') }
  }),
)

function yearPlace({ order, yearDigits }: DateLayout): YearPlace {
  if (order === 'ymd') return 'first'
  return yearDigits === 4 ? 'last' : 'last, short'
}

/**
 * Recognises a date in bytes, in all layouts at once: one pass finds the shape, and the shape gives
 * the layouts. It stops at the first byte that cannot belong to a date.
 *
 * Day, month and hour may have a single digit (people write `5/3/2024 9:05`), except in ISO 8601.
 * Compact ISO dates (`20240131`) are numbers; week dates and ordinal dates are not read.
 *
 * The fields describe the text that was scanned last.
 */
export class DateScanner implements WrittenDate {
  year = 0
  hasTime = false
  /** 86,400 for the `24:00` of ISO 8601. */
  secondOfDay = 0
  /** Digits beyond microseconds are cut off. */
  microsecond = 0
  hasZone = false
  /** Seconds east of UTC; only valid if `hasZone`. */
  zoneOffset = 0
  /**
   * Whether the text would be a date with the month first, too. With a year of two digits there is
   * no layout that says so.
   */
  fitsMonthFirst = false
  /** The two fields other than the year, in the order of the text. */
  #first = 0
  #second = 0
  #yearFirst = false
  #isoPossible = true
  #isoNeeded = false
  /** The last run of digits, and its length. */
  #value = 0
  #count = 0

  /** The layouts that can read the text between `start` and `end`, as a bit set. */
  scan(bytes: Uint8Array, start: number, end: number): number {
    this.hasTime = false
    this.hasZone = false
    this.secondOfDay = 0
    this.microsecond = 0
    this.#isoNeeded = false
    const shape = this.#date(bytes, start, end)
    if (shape === null) return 0
    const layouts = this.#layoutsOf(shape)
    if (layouts === 0) return 0
    if (this.#isoNeeded) return this.#isoPossible ? layouts & ISO_BIT : 0
    return this.#isoPossible ? layouts : layouts & ~ISO_BIT
  }

  /** Days since 1970-01-01, read by one of the layouts that `scan` returned. */
  dayNumber(layout: number): number {
    const { order } = LAYOUTS[layout]!
    return order === 'dmy'
      ? daysFromCivil(this.year, this.#second, this.#first)
      : daysFromCivil(this.year, this.#first, this.#second)
  }

  /** Whether the text is this day in some order; only useful for days that allow a single order. */
  names(year: number, month: number, day: number): boolean {
    if (this.year !== year) return false
    if (this.#first === month && this.#second === day) return true
    return !this.#yearFirst && this.#first === day && this.#second === month
  }

  /** Reads the fields and everything after them; null if it does not have the shape of a date. */
  #date(bytes: Uint8Array, start: number, end: number): Shape | null {
    let at = this.#digits(bytes, start, end, 4)
    const separator = bytes[at]! - FIRST_SEPARATOR
    this.#yearFirst = this.#count === 4
    this.#first = this.#value
    if (at >= end || this.#count === 0 || this.#count === 3) return null
    if (!(separator >= 0 && separator < SEPARATORS.length)) return null
    at = this.#digits(bytes, at + 1, end, 2)
    if (this.#count === 0 || at >= end || bytes[at]! - FIRST_SEPARATOR !== separator) return null
    this.#isoPossible = this.#count === 2
    this.#second = this.#value
    at = this.#digits(bytes, at + 1, end, this.#yearFirst ? 2 : 4)
    const count = this.#count
    if (count === 0) return null
    let place = 0
    if (this.#yearFirst) {
      this.year = this.#first
      this.#first = this.#second
      this.#second = this.#value
      if (count === 1) this.#isoPossible = false
    } else {
      if (count % 2 === 1) return null
      this.#isoPossible = false
      place = count === 4 ? 1 : 2
      this.year = count === 4 ? this.#value : fullYear(this.#value)
    }
    if (at < end && !this.#time(bytes, at, end)) return null
    return SHAPES[separator * YEAR_PLACES.length + place]!
  }

  #layoutsOf({ ymd, dmy, mdy }: Shape): number {
    const { year } = this
    const first = this.#first
    const second = this.#second
    if (year === 0 || first === 0 || second === 0) return 0
    const monthFirst = first <= 12 && second <= daysInMonth(year, first)
    this.fitsMonthFirst = monthFirst
    if (this.#yearFirst) return monthFirst ? ymd : 0
    const dayFirst = second <= 12 && first <= daysInMonth(year, second)
    return (dayFirst ? dmy : 0) | (monthFirst ? mdy : 0)
  }

  /** `HH:mm[:ss]` after a space or `T`; in ISO 8601 also a fraction and a zone. */
  #time(bytes: Uint8Array, start: number, end: number): boolean {
    const gap = bytes[start]!
    if (gap !== 0x20 && (gap | 0x20) !== 0x74) return false
    let at = this.#digits(bytes, start + 1, end, 2)
    const hour = this.#value
    if (this.#count === 0 || at >= end || bytes[at] !== COLON) return false
    if (this.#count === 1) this.#isoPossible = false
    at = this.#digits(bytes, at + 1, end, 2)
    const minute = this.#value
    if (this.#count !== 2 || minute > 59) return false
    let second = 0
    if (at < end && bytes[at] === COLON) {
      at = this.#digits(bytes, at + 1, end, 2)
      second = this.#value
      if (this.#count !== 2 || second > 59) return false
      if (at < end && (bytes[at] === 0x2e || bytes[at] === 0x2c)) {
        at = this.#fraction(bytes, at + 1, end)
        if (at < 0) return false
      }
    }
    this.hasTime = true
    this.secondOfDay = hour * 3600 + minute * 60 + second
    if (hour > 23) {
      if (hour > 24 || this.secondOfDay > 86_400 || this.microsecond > 0) return false
      this.#isoNeeded = true
    }
    return at === end || this.#zone(bytes, at, end)
  }

  #fraction(bytes: Uint8Array, start: number, end: number): number {
    this.#isoNeeded = true
    const at = this.#digits(bytes, start, end, 9)
    if (this.#count === 0) return -1
    this.microsecond = Math.floor((this.#value * 1_000_000) / 10 ** this.#count)
    return at
  }

  /** `Z`, `+02:00`, `+0200` or `+02`, perhaps after a space, and then the end. */
  #zone(bytes: Uint8Array, start: number, end: number): boolean {
    this.#isoNeeded = true
    this.hasZone = true
    this.zoneOffset = 0
    let at = bytes[start] === 0x20 ? start + 1 : start
    const sign = bytes[at]!
    if (at < end && (sign | 0x20) === 0x7a) return at + 1 === end
    if (at >= end || (sign !== PLUS && sign !== MINUS)) return false
    at = this.#digits(bytes, at + 1, end, 2)
    const hours = this.#value
    if (this.#count !== 2 || hours > 23) return false
    let minutes = 0
    if (at < end) {
      at = this.#digits(bytes, bytes[at] === COLON ? at + 1 : at, end, 2)
      minutes = this.#value
      if (this.#count !== 2 || minutes > 59 || at !== end) return false
    }
    const offset = hours * 3600 + minutes * 60
    this.zoneOffset = sign === MINUS ? -offset : offset
    return true
  }

  /** Reads up to `most` digits and returns where they end. */
  #digits(bytes: Uint8Array, start: number, end: number, most: number): number {
    const limit = Math.min(end, start + most)
    let at = start
    let value = 0
    for (; at < limit; at++) {
      const digit = bytes[at]! - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    this.#value = value
    this.#count = at - start
    return at
  }
}
