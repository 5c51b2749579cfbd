import type { Message } from '../core/message.ts'
import { dateMessages } from './date-messages.ts'
import { HALVES_OF_DAY, MONTHS, MONTHS_IN_FULL, type NumberByName, WEEKDAYS } from './day-names.ts'

/** A field of a date or time that a part of the text gives. */
type DateField = NumberField | 'zone'
export type NumberField =
  | 'year'
  | 'month'
  | 'day'
  | 'weekday'
  | 'hour'
  /** Before or after noon. */
  | 'half'
  | 'minute'
  | 'second'
  | 'fraction'

/** One part of a date, from left to right. */
export type PatternPart =
  | {
      readonly kind: 'digits'
      readonly field: NumberField
      readonly least: number
      readonly most: number
    }
  | { readonly kind: 'name'; readonly field: NumberField; readonly names: NumberByName }
  | { readonly kind: 'zone'; readonly field: 'zone' }
  /** Any amount of white space. */
  | { readonly kind: 'space' }
  /** In lower and in upper case. */
  | { readonly kind: 'text'; readonly small: Buffer; readonly capital: Buffer }

type ReadPattern =
  | { readonly kind: 'parts'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'fault'; readonly fault: Message }

type Field = Exclude<PatternPart, { kind: 'space' | 'text' }>

/** Letters of luxon; its other letters do not describe a date, or not in every language. */
const FIELDS: Readonly<Record<string, Field>> = {
  y: digits('year', 1, 4),
  yy: digits('year', 2),
  yyyy: digits('year', 4),
  M: digits('month', 1, 2),
  MM: digits('month', 2),
  MMM: { kind: 'name', field: 'month', names: MONTHS },
  MMMM: { kind: 'name', field: 'month', names: MONTHS_IN_FULL },
  L: digits('month', 1, 2),
  LL: digits('month', 2),
  LLL: { kind: 'name', field: 'month', names: MONTHS },
  LLLL: { kind: 'name', field: 'month', names: MONTHS_IN_FULL },
  d: digits('day', 1, 2),
  dd: digits('day', 2),
  EEE: { kind: 'name', field: 'weekday', names: WEEKDAYS },
  EEEE: { kind: 'name', field: 'weekday', names: WEEKDAYS },
  ccc: { kind: 'name', field: 'weekday', names: WEEKDAYS },
  cccc: { kind: 'name', field: 'weekday', names: WEEKDAYS },
  H: digits('hour', 1, 2),
  HH: digits('hour', 2),
  h: digits('hour', 1, 2),
  hh: digits('hour', 2),
  a: { kind: 'name', field: 'half', names: HALVES_OF_DAY },
  m: digits('minute', 1, 2),
  mm: digits('minute', 2),
  s: digits('second', 1, 2),
  ss: digits('second', 2),
  SSS: digits('fraction', 3),
  u: digits('fraction', 1, 9),
  Z: { kind: 'zone', field: 'zone' },
  ZZ: { kind: 'zone', field: 'zone' },
  ZZZ: { kind: 'zone', field: 'zone' },
}

/** Fields that only make sense together with another one. */
const NEEDS: readonly (readonly [field: DateField, needed: DateField])[] = [
  ['day', 'month'],
  ['hour', 'day'],
  ['minute', 'hour'],
  ['second', 'minute'],
  ['fraction', 'second'],
  ['zone', 'hour'],
  ['half', 'hour'],
  ['weekday', 'day'],
]

/** Quoted text, a doubled apostrophe, a run of one letter, white space, or anything else. */
const TOKEN = /'((?:[^']|'')+)'|''|([A-Za-z])\2*|\s+|[^A-Za-z'\s]+/gy

function digits(field: NumberField, least: number, most = least): Field {
  return { kind: 'digits', field, least, most }
}

/** The parts of `pattern`, or what is wrong with it. */
export function readPattern(pattern: string): ReadPattern {
  const parts: PatternPart[] = []
  const letters = new Map<DateField, string>()
  let behind: { readonly part: PatternPart; readonly written: string } | null = null
  let end = 0
  for (const match of pattern.matchAll(TOKEN)) {
    const [written, quoted, letter] = match
    end = match.index + written.length
    const part = letter === undefined ? textPart(written, quoted) : FIELDS[written]
    if (part === undefined) return fault(dateMessages.unknownLetters({ pattern, written }))
    if ('field' in part) {
      const other = letters.get(part.field)
      if (other !== undefined) return fault(dateMessages.saidTwice({ pattern, other, written }))
      letters.set(part.field, written)
    }
    if (behind !== null && isOpenEnded(behind.part) && beginsWithDigit(part)) {
      return fault(dateMessages.openEnded({ pattern, written: behind.written, next: written }))
    }
    parts.push(part)
    behind = { part, written }
  }
  if (end < pattern.length) return fault(dateMessages.openQuote({ pattern }))
  const missing = missingField(letters)
  return missing === null
    ? { kind: 'parts', parts }
    : fault(dateMessages.fieldMissing({ pattern, ...missing }))
}

const fault = (said: Message): ReadPattern => ({ kind: 'fault', fault: said })

function textPart(written: string, quoted: string | undefined): PatternPart {
  if (/^\s/.test(written)) return { kind: 'space' }
  const plain = (quoted ?? written).replaceAll("''", "'")
  return {
    kind: 'text',
    small: Buffer.from(plain.toLowerCase()),
    capital: Buffer.from(plain.toUpperCase()),
  }
}

const isOpenEnded = (part: PatternPart) => part.kind === 'digits' && part.least < part.most

const beginsWithDigit = (part: PatternPart) =>
  part.kind === 'digits' || (part.kind === 'text' && /^\d/.test(part.small.toString()))

function missingField(
  letters: ReadonlyMap<DateField, string>,
): { readonly missing: string; readonly by: string } | null {
  if (!letters.has('year')) return { missing: LETTERS.year, by: '' }
  for (const [field, needed] of NEEDS) {
    const by = letters.get(field)
    if (by !== undefined && !letters.has(needed)) return { missing: LETTERS[needed], by }
  }
  const hour = letters.get('hour')
  if (hour?.startsWith('h') && !letters.has('half')) return { missing: LETTERS.half, by: hour }
  const half = letters.get('half')
  return hour?.startsWith('H') && half !== undefined ? { missing: 'h', by: half } : null
}

/** The most common notation of each field. */
const LETTERS: Readonly<Record<DateField, string>> = {
  year: 'yyyy',
  month: 'MM',
  day: 'dd',
  weekday: 'EEEE',
  hour: 'HH',
  half: 'a',
  minute: 'mm',
  second: 'ss',
  fraction: 'SSS',
  zone: 'ZZ',
}
