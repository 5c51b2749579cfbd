import { RE2JS } from 're2js'

import type { FieldNotation, ItemNotation, NotationType } from '../core/field-notation.ts'
import type { Message } from '../core/message.ts'
import type { ColumnType } from '../core/options.ts'
import type { CellValue } from './cell-value.ts'
import { isGeojson } from './geojson.ts'
import { notationMessages } from './notation-messages.ts'
import { exampleOfStrptime, patternOfStrptime } from './strptime.ts'

/** What a text is to the type of its column; null: it is not written so. */
type Read = (text: string) => string | null

interface NotationKind {
  /** The types of columns that it can be of. */
  readonly columns: readonly ColumnType[]
  reader(given: FieldNotation): Read
  /** After “is not”. */
  what(given: FieldNotation): Message
  /** Of a number that came without a text. */
  isKept?(number: string): boolean
}

const as =
  (pattern: RegExp): Read =>
  (text) =>
    pattern.test(text) ? text : null

const LIST = '["a", "b"]'
const POINT = '{"type": "Point", "coordinates": [4.85, 45.75]}'
const ANY: Read = (text) => text
const DIGITS = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)?`
const TIME = new RegExp(`^${CLOCK}$`, 'i')
const INSTANT = new RegExp(String.raw`^\d{4}-\d\d-\d\d[T ]${CLOCK}$`, 'i')
const AMOUNT = String.raw`\d+(?:[.,]\d+)?`
const HOURS = `T(?:${AMOUNT}[HMS])+`
const DURATION = new RegExp(`^-?P(?:(?:${AMOUNT}[YMWD])+(?:${HOURS})?|${HOURS})$`)

/** By format. An address is what begins with a scheme: the standard's validator asks no more of it. */
const TEXTS: Readonly<Record<string, { readonly read: Read; readonly what: () => Message }>> = {
  binary: { read: as(/^[A-Za-z\d+/\s]*(?:={1,2}\s*)?$/), what: notationMessages.binary },
  uri: { read: as(/^[a-z][a-z\d+.-]*:/i), what: notationMessages.uri },
}

export const NOTATIONS: Readonly<Record<NotationType, NotationKind>> = {
  any: {
    columns: ['text', 'number', 'date', 'boolean', 'json'],
    reader: () => ANY,
    what: () => notationMessages.any(),
  },
  string: {
    columns: ['text'],
    reader: ({ format }) => TEXTS[format ?? '']?.read ?? ANY,
    what: ({ format }) => (TEXTS[format ?? '']?.what ?? notationMessages.any)(),
  },
  integer: {
    columns: ['number'],
    reader:
      ({ bareNumber, groupChar }) =>
      (text) => {
        const digits = bared(text.trim(), bareNumber).replaceAll(groupChar ?? '', '')
        return DIGITS.test(digits) ? digits : null
      },
    what: () => notationMessages.integer(),
    isKept: (number) => !number.includes('.'),
  },
  number: {
    columns: ['number'],
    reader: (given) => (text) => plainNumber(text.trim(), given),
    what: ({ decimalChar = '.', groupChar = '' }) =>
      notationMessages.number({ example: `1${groupChar}234${decimalChar}5` }),
  },
  year: {
    columns: ['number'],
    reader: () => as(/^\d{4}$/),
    what: () => notationMessages.year(),
    isKept: (number) => /^\d{1,4}$/.test(number),
  },
  boolean: {
    columns: ['boolean'],
    reader: (given) => {
      const meanings = meaningsOf(given)
      return (text) => meanings.get(text) ?? null
    },
    what: (given) => notationMessages.boolean({ words: [...meaningsOf(given).keys()].join(', ') }),
  },
  date: {
    columns: ['date'],
    reader: ({ format }) => readMoment(format ?? '%Y-%m-%d'),
    what: ({ format = '%Y-%m-%d' }) =>
      notationMessages.date({ example: exampleOfStrptime(format) }),
  },
  datetime: {
    columns: ['date'],
    reader: ({ format }) => (format === undefined ? as(INSTANT) : readMoment(format)),
    what: ({ format = '%Y-%m-%dT%H:%M:%SZ' }) =>
      notationMessages.date({ example: exampleOfStrptime(format) }),
  },
  time: {
    columns: ['text'],
    reader: ({ format }) => (format === undefined ? as(TIME) : readMoment(format)),
    what: ({ format = '%H:%M:%S' }) =>
      notationMessages.time({ example: exampleOfStrptime(format) }),
  },
  yearmonth: {
    columns: ['text'],
    reader: () => as(/^\d{4}-(?:0?[1-9]|1[0-2])$/),
    what: () => notationMessages.yearmonth(),
  },
  duration: {
    columns: ['text'],
    reader: () => as(DURATION),
    what: () => notationMessages.duration(),
  },
  geopoint: {
    columns: ['text'],
    reader: ({ format = 'default' }) => {
      const coordinatesIn = COORDINATES_IN[format] ?? (() => null)
      return (text) => (isPoint(coordinatesIn(text)) ? text : null)
    },
    what: ({ format = 'default' }) =>
      notationMessages.geopoint({ example: POINTS[format] ?? POINTS.default! }),
  },
  object: {
    columns: ['json'],
    reader: () =>
      ofJson((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
    what: () => notationMessages.object({ example: '{"a": 1}' }),
  },
  array: {
    columns: ['json'],
    reader: ({ arrayItem }) => {
      const isItem = itemTest(arrayItem ?? {})
      return ofJson((value) => Array.isArray(value) && value.every(isItem))
    },
    what: ({ arrayItem }) => {
      const values = arrayItem?.constraints?.enum
      if (values === undefined) {
        return arrayItem === undefined
          ? notationMessages.array({ example: LIST })
          : notationMessages.arrayOfItems({ example: LIST })
      }
      const example = JSON.stringify(values.slice(0, 2))
      return notationMessages.arrayOf({ example, values: values.join(', ') })
    },
  },
  geojson: {
    columns: ['json'],
    reader: () => ofJson(isGeojson),
    what: () => notationMessages.geojson({ example: POINT }),
  },
}

/** How the values of a column are written, ready to read them. */
export interface Notation {
  readonly read: Read
  isMissing(text: string): boolean
  /** By its text, if it came with one. */
  isKept(value: CellValue): boolean
}

export function createNotation(given: FieldNotation): Notation {
  const kind = NOTATIONS[given.type]
  const reader = kind.reader(given)
  const missing = new Set(given.missingValues)
  // Whoever writes a value reads it, and whoever judges it reads it again.
  let last: string | null = null
  let lastRead: string | null = null
  const read = (text: string) => {
    if (text !== last) {
      lastRead = reader(text)
      last = text
    }
    return lastRead
  }
  return {
    read,
    isMissing: (text) => missing.has(text),
    isKept: (value) =>
      value.written === null ? (kind.isKept?.(value.text) ?? true) : read(value.written) !== null,
  }
}

const readMoment = (format: string): Read => {
  const pattern = format === 'any' ? null : patternOfStrptime(format)
  return pattern === null ? ANY : as(pattern)
}

/** `isBare` false: what stands around the digits does not count. */
function bared(text: string, isBare = true): string {
  if (isBare) return text
  let start = 0
  let end = text.length
  while (start < end && !/[-\d]/.test(text[start]!)) start++
  while (end > start && !/\d/.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

/** With a point, and no signs of thousands. */
function plainNumber(
  text: string,
  { bareNumber, decimalChar = '.', groupChar = '' }: FieldNotation,
): string | null {
  const digits = bared(text, bareNumber).replaceAll(groupChar, '')
  if (decimalChar !== '.' && digits.includes('.')) return null
  const number = digits.replace(decimalChar, '.')
  // No digit has to follow the point.
  return DECIMAL.test(number) ? number.replace(/\.(?!\d)/, '') : null
}

function meaningsOf({ trueValues, falseValues }: FieldNotation): ReadonlyMap<string, string> {
  return new Map([
    ...(trueValues ?? ['true', 'True', 'TRUE', '1']).map((word) => [word, 'true'] as const),
    ...(falseValues ?? ['false', 'False', 'FALSE', '0']).map((word) => [word, 'false'] as const),
  ])
}

const POINTS: Readonly<Record<string, string>> = {
  default: '4.85, 45.75',
  array: '[4.85, 45.75]',
  object: '{"lon": 4.85, "lat": 45.75}',
}

/** By format: longitude and latitude, if there are such. */
const COORDINATES_IN: Readonly<Record<string, (text: string) => unknown>> = {
  default: (text) => text.split(','),
  array: (text) => jsonOf(text),
  object(text) {
    const value = jsonOf(text) as { readonly lon?: unknown; readonly lat?: unknown } | null
    const isPair = typeof value === 'object' && value !== null && Object.keys(value).length === 2
    return isPair ? [value.lon, value.lat] : null
  },
}

function isPoint(coordinates: unknown): boolean {
  if (!Array.isArray(coordinates) || coordinates.length !== 2) return false
  return coordinates.every((each: unknown, at) => {
    const text =
      typeof each === 'number' ? String(each) : typeof each === 'string' ? each.trim() : ''
    return DECIMAL.test(text) && Math.abs(Number(text)) <= (at === 0 ? 180 : 90)
  })
}

/** Undefined: it is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ofJson =
  (isMet: (value: unknown) => boolean): Read =>
  (text) =>
    isMet(jsonOf(text)) ? text : null

const BOOLEANS = meaningsOf({ type: 'boolean' })

const ITEMS: Readonly<Record<NonNullable<ItemNotation['type']>, (item: unknown) => boolean>> = {
  string: (item) => typeof item === 'string',
  integer: (item) => (typeof item === 'string' ? DIGITS.test(item) : Number.isInteger(item)),
  number: (item) => (typeof item === 'string' ? DECIMAL.test(item) : typeof item === 'number'),
  boolean: (item) => typeof item === 'boolean' || BOOLEANS.has(String(item)),
}

function itemTest({ type, constraints = {} }: ItemNotation): (item: unknown) => boolean {
  const isOfType = type === undefined ? () => true : ITEMS[type]
  const { pattern, minLength = 0, maxLength = Infinity } = constraints
  const whole = pattern === undefined ? null : RE2JS.compile(pattern)
  const allowed = constraints.enum === undefined ? null : new Set(constraints.enum.map(String))
  return (item) => {
    if (item === '' || item === null) return true
    if (!isOfType(item)) return false
    const text = typeof item === 'string' ? item : JSON.stringify(item)
    const { length } = [...text]
    return (
      allowed?.has(text) !== false &&
      whole?.matches(text) !== false &&
      length >= minLength &&
      length <= maxLength
    )
  }
}
