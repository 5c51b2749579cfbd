import { skipSpace, spaceWidth } from '../cells/white-space.ts'
import type { Message } from '../core/message.ts'
import { daysFromCivil, daysInMonth, fullYear } from './civil.ts'
import { type NumberByName, plainName } from './day-names.ts'
import { type NumberField, type PatternPart, readPattern } from './pattern-parts.ts'
import type { WrittenDate } from './written-date.ts'

const ZERO = 0x30
const POINT = 0x2e
const COLON = 0x3a
const PLUS = 0x2b
const MINUS = 0x2d
/** Longer than any name, since combining accents take additional bytes. */
const LONGEST_NAME_BYTES = 24
/** `1er`, `1st`, `2nd`, `3rd`, `4th`. */
const ORDINAL_ENDINGS: ReadonlySet<string> = new Set(['er', 'st', 'nd', 'rd', 'th'])
const WEEK = 7
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const EPOCH_WEEKDAY = 4
const AFTERNOON = 2
const NOT_READ = -1

/** The state before anything has been read. */
const NOTHING: Readonly<Record<NumberField, number>> = {
  year: 0,
  month: 1,
  day: 1,
  weekday: 0,
  hour: 0,
  half: 0,
  minute: 0,
  second: 0,
  fraction: 0,
}

/**
 * Reads dates that are all written in one way, given as a pattern in the notation of luxon:
 * `yyyyMMdd`, `d MMM yyyy`. Names of months and days are French or English, with or without
 * accents, in lower or upper case. Whatever the pattern leaves out is the first: month of the year,
 * day of the month, hour of the day.
 *
 * The fields describe the text that was read last.
 */
export class DatePattern implements WrittenDate {
  readonly hasTime: boolean
  readonly hasZone: boolean
  zoneOffset = 0
  dayNumber = 0
  secondOfDay = 0
  microsecond = 0
  readonly #parts: readonly PatternPart[]
  readonly #told = { ...NOTHING }

  /** `pattern` must have been checked with `faultOfPattern`. */
  constructor(pattern: string) {
    const read = readPattern(pattern)
    if (read.kind === 'fault') throw new Error(String(read.fault))
    this.#parts = read.parts
    this.hasTime = read.parts.some((part) => 'field' in part && part.field === 'hour')
    this.hasZone = read.parts.some(({ kind }) => kind === 'zone')
  }

  get year(): number {
    return this.#told.year
  }

  /** Whether the text between `start` and `end` is a date by the pattern. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    Object.assign(this.#told, NOTHING)
    let at = start
    for (const [index, part] of this.#parts.entries()) {
      at = this.#take(part, this.#parts[index + 1], bytes, at, end)
      if (at === NOT_READ) return false
    }
    return at === end && this.#setDay() && this.#setTime()
  }

  names(year: number, month: number, day: number): boolean {
    const told = this.#told
    return told.year === year && told.month === month && told.day === day
  }

  /** Reads one part, and returns where the next one begins. */
  #take(
    part: PatternPart,
    next: PatternPart | undefined,
    bytes: Uint8Array,
    at: number,
    end: number,
  ): number {
    switch (part.kind) {
      case 'digits':
        return this.#takeDigits(part, bytes, at, end)
      case 'name':
        return this.#takeName(part, next, bytes, at, end)
      case 'zone':
        return this.#takeZone(bytes, at, end)
      case 'space': {
        const behind = skipSpace(bytes, at, end)
        return behind === at ? NOT_READ : behind
      }
      case 'text':
        return takeText(part, bytes, at, end)
    }
  }

  #takeDigits(
    { field, least, most }: Extract<PatternPart, { kind: 'digits' }>,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): number {
    const { at, value } = digitsAt(bytes, start, Math.min(end, start + most))
    const digits = at - start
    if (digits < least) return NOT_READ
    this.#told[field] = value
    if (field === 'fraction') this.#told.fraction = Math.floor((value * 1e6) / 10 ** digits)
    if (field === 'year' && most === 2) this.#told.year = fullYear(value)
    return field === 'day' ? passOrdinalEnding(bytes, at, end) : at
  }

  #takeName(
    { field, names }: { readonly field: NumberField; readonly names: NumberByName },
    next: PatternPart | undefined,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): number {
    const at = passLetters(bytes, start, Math.min(end, start + LONGEST_NAME_BYTES))
    const number = names.get(plainName(textOf(bytes, start, at)))
    if (number === undefined) return NOT_READ
    this.#told[field] = number
    // `janv.`: if the pattern has a point there, a single point belongs to the pattern.
    const pointsAtMost = next?.kind === 'text' && next.small[0] === POINT ? 1 : 0
    const belongsToName = at + pointsAtMost < end && bytes[at + pointsAtMost] === POINT
    return bytes[at] === POINT && belongsToName ? at + 1 : at
  }

  /** `Z`, `+02:00`, `+0200`, `+02` or `+2`. */
  #takeZone(bytes: Uint8Array, start: number, end: number): number {
    const sign = bytes[start]!
    this.zoneOffset = 0
    if (start < end && (sign | 0x20) === 0x7a) return start + 1
    if (start >= end || (sign !== PLUS && sign !== MINUS)) return NOT_READ
    const hours = digitsAt(bytes, start + 1, Math.min(end, start + 3))
    const minutesFrom = bytes[hours.at] === COLON ? hours.at + 1 : hours.at
    const minutes = digitsAt(bytes, minutesFrom, Math.min(end, minutesFrom + 2))
    const isWhole =
      minutes.at === minutesFrom ? minutesFrom === hours.at : minutes.at === minutesFrom + 2
    if (hours.at === start + 1 || !isWhole || hours.value > 23 || minutes.value > 59)
      return NOT_READ
    const offset = hours.value * 3600 + minutes.value * 60
    this.zoneOffset = sign === MINUS ? -offset : offset
    return minutes.at
  }

  #setDay(): boolean {
    const { year, month, day, weekday } = this.#told
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
      return false
    this.dayNumber = daysFromCivil(year, month, day)
    const found = (((this.dayNumber + EPOCH_WEEKDAY - 1) % WEEK) + WEEK) % WEEK
    return weekday === 0 || weekday === found + 1
  }

  #setTime(): boolean {
    const { hour, half, minute, second, fraction } = this.#told
    const isOfHalf = half === 0 || (hour >= 1 && hour <= 12)
    if (hour > 23 || minute > 59 || second > 59 || !isOfHalf) return false
    const hours = half === 0 ? hour : (hour % 12) + (half === AFTERNOON ? 12 : 0)
    this.secondOfDay = hours * 3600 + minute * 60 + second
    this.microsecond = fraction
    return true
  }
}

/** What is wrong with a pattern; null if it is valid. */
export function faultOfPattern(pattern: string): Message | null {
  const read = readPattern(pattern)
  return read.kind === 'fault' ? read.fault : null
}

function digitsAt(bytes: Uint8Array, start: number, end: number): { at: number; value: number } {
  let at = start
  let value = 0
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO
    if (digit < 0 || digit > 9) break
    value = value * 10 + digit
  }
  return { at, value }
}

/** Letters of Latin scripts: ASCII letters, and multi-byte characters other than white space. */
function passLetters(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end) {
    const byte = bytes[at]!
    const isLetter = byte < 0x80 ? isAsciiLetter(byte) : spaceWidth(bytes, at, end) === 0
    if (!isLetter) break
    at += 1
  }
  return at
}

function isAsciiLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

function passOrdinalEnding(bytes: Uint8Array, at: number, end: number): number {
  const isWord = at + 2 <= end && passLetters(bytes, at, Math.min(end, at + 3)) === at + 2
  return isWord && ORDINAL_ENDINGS.has(textOf(bytes, at, at + 2).toLowerCase()) ? at + 2 : at
}

function takeText(
  { small, capital }: { readonly small: Buffer; readonly capital: Buffer },
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (start + small.length > end) return NOT_READ
  for (let at = 0; at < small.length; at++) {
    const byte = bytes[start + at]
    if (byte !== small[at] && byte !== capital[at]) return NOT_READ
  }
  return start + small.length
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}
