import { booleanOfText, type ColumnRule } from '../../../pipelines/index.ts'
import { LONGEST_PATTERN } from '../../resources/rule.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import { ISO_DATE, writtenByStrptime } from './date-notations.ts'

/** What a type of a Table Schema is here. */
export interface TypeOfField {
  readonly type: ShapeColumn['type']
  /** What its values have to be besides. */
  readonly rules?: readonly ColumnRule[]
  /** It is kept as text although it is more than that. */
  readonly isMore?: true
  /** Formats that are known besides the default. */
  readonly formats?: readonly string[]
}

const asText = (pattern: string): TypeOfField => ({
  type: 'text',
  isMore: true,
  rules: [{ matches: `^(?:${pattern})$` }],
})

const OBJECT: TypeOfField = { type: 'json', rules: [{ written: String.raw`\{[\s\S]*\}` }] }
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?`
const AMOUNT = String.raw`\d+(?:[.,]\d+)?`
const DAYS = `(?:${AMOUNT}[YMWD])+`
const HOURS = `T(?:${AMOUNT}[HMS])+`
const DURATION = `-?P(?:${DAYS}(?:${HOURS})?|${HOURS})`
const LONGITUDE = String.raw`[+-]?(?:180(?:\.0*)?|(?:1[0-7]\d|\d?\d)(?:\.\d*)?)`
const LATITUDE = String.raw`[+-]?(?:90(?:\.0*)?|[0-8]?\d(?:\.\d*)?)`
const POINT = String.raw`\s*${LONGITUDE}\s*,\s*${LATITUDE}\s*`

/** Of its first version and its second. */
const TYPES: Readonly<Record<string, TypeOfField>> = {
  string: { type: 'text' },
  any: { type: 'text' },
  integer: { type: 'number', rules: [{ whole: true }, { written: '[+-]?\\d+' }] },
  number: { type: 'number' },
  year: { type: 'number', rules: [{ written: String.raw`\d{4}` }, { whole: true }] },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  datetime: { type: 'date' },
  object: OBJECT,
  array: { type: 'json', rules: [{ written: String.raw`\[[\s\S]*\]` }] },
  geojson: OBJECT,
  time: asText(TIME),
  yearmonth: asText(String.raw`\d{4}-(?:0[1-9]|1[0-2])`),
  duration: asText(DURATION),
  geopoint: asText(POINT),
}

const TEXT: TypeOfField = { type: 'text', isMore: true }

/** By type and format, where the format says how text is written. */
const OF_FORMAT: Readonly<Record<string, TypeOfField>> = {
  'geopoint array': { ...asText(String.raw`\s*\[${POINT}\]\s*`), formats: ['array'] },
}

const isOfFormat = (format: unknown): format is string =>
  typeof format === 'string' && format !== 'default'

type Json = Readonly<Record<string, unknown>>

/** `given`: the field. */
export function typeOfField(type: string, given: Json): TypeOfField {
  const known = Object.hasOwn(TYPES, type) ? TYPES[type]! : TEXT
  if (known.isMore === true && isOfFormat(given.format)) {
    const name = `${type} ${given.format}`
    return Object.hasOwn(OF_FORMAT, name) ? OF_FORMAT[name]! : TEXT
  }
  const written = Object.hasOwn(WRITTEN, type) ? WRITTEN[type]!(given) : null
  return written === null || written.length > LONGEST_PATTERN
    ? known
    : { ...known, rules: [{ written }] }
}

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`
const INSTANT = String.raw`\d{4}-\d\d-\d\d[T ]${TIME}`
/** Those of a number that is not written plainly. */
const OTHERWISE = ['bareNumber', 'decimalChar', 'groupChar']

/** How values are written, where the field says it; null: in any way that is understood. */
const WRITTEN: Readonly<Record<string, (field: Json) => string | null>> = {
  number: (field) => (OTHERWISE.some((member) => field[member] !== undefined) ? null : NUMBER),
  boolean: ({ trueValues, falseValues }) => {
    const words = [
      ...wordsOr(trueValues, ['true', 'True', 'TRUE', '1']),
      ...wordsOr(falseValues, ['false', 'False', 'FALSE', '0']),
    ]
    return words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|')
  },
  date: ({ format, pattern }) => {
    if (pattern !== undefined) return null
    return format === 'any' ? null : writtenByStrptime(isOfFormat(format) ? format : ISO_DATE)
  },
  datetime: ({ format, pattern }) => {
    if (pattern !== undefined || format === 'any') return null
    return isOfFormat(format) ? writtenByStrptime(format) : INSTANT
  },
}

const wordsOr = (given: unknown, usual: readonly string[]): readonly string[] =>
  isWords(given) ? given : usual

const isWords = (given: unknown): given is readonly string[] =>
  Array.isArray(given) && given.length > 0 && given.every((word) => typeof word === 'string')

/** Whether the words of a boolean mean here what the field says; another is no boolean. */
export const meansThat = (words: unknown, value: boolean): boolean =>
  isWords(words) && words.every((word) => booleanOfText(word.trim()) === value)
