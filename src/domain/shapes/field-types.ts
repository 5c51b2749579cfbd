import {
  type FieldNotation,
  type NotationType,
  patternOfStrptime,
} from '../../../pipelines/index.ts'
import { LONGEST_SIGN, LONGEST_TEXT, MOST_VALUES } from '../../resources/rule.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import { itemsOf } from './array-items.ts'
import { isStrptime } from './date-notations.ts'

type Json = Readonly<Record<string, unknown>>

/** What a type of a Table Schema is here. */
interface KnownType {
  readonly type: ShapeColumn['type']
  /** Members of a field that say how its values are written. */
  readonly members: Readonly<Record<string, (value: unknown) => unknown>>
  /** It is kept as text although it is more than that. */
  readonly isMore?: true
}

/** What a field of a Table Schema is here. */
export interface TypeOfField extends Pick<KnownType, 'type' | 'isMore'> {
  /** Null: its values are written in any way that is understood. */
  readonly notation: FieldNotation | null
  /** Members that are said by it. */
  readonly taken: readonly string[]
}

const sign = (value: unknown) =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_SIGN ? value : undefined
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const words = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MOST_VALUES &&
  value.every((word) => typeof word === 'string' && word.length <= LONGEST_TEXT)
    ? (value as readonly string[])
    : undefined
const oneOf =
  (...known: readonly string[]) =>
  (value: unknown) =>
    known.find((each) => each === value)
const moment = (value: unknown) =>
  value === 'any' || (typeof value === 'string' && isStrptime(value)) ? value : undefined

const time = (value: unknown) =>
  value === 'any' || (typeof value === 'string' && patternOfStrptime(value) !== null)
    ? value
    : undefined

/** Of its first version and its second. */
const TYPES: Readonly<Record<NotationType, KnownType>> = {
  any: { type: 'text', members: {} },
  string: { type: 'text', members: { format: oneOf('binary', 'uri') } },
  integer: { type: 'number', members: { groupChar: sign, bareNumber: flag } },
  number: {
    type: 'number',
    members: { decimalChar: sign, groupChar: sign, bareNumber: flag },
  },
  year: { type: 'number', members: {} },
  boolean: { type: 'boolean', members: { trueValues: words, falseValues: words } },
  date: { type: 'date', members: { format: moment } },
  datetime: { type: 'date', members: { format: moment } },
  time: { type: 'text', members: { format: time }, isMore: true },
  yearmonth: { type: 'text', members: {}, isMore: true },
  duration: { type: 'text', members: {}, isMore: true },
  geopoint: { type: 'text', members: { format: oneOf('array', 'object') }, isMore: true },
  object: { type: 'json', members: {} },
  array: { type: 'json', members: { arrayItem: (value) => itemsOf(value).items } },
  geojson: { type: 'json', members: {} },
}

/** `missing`: what stands for no value, besides blanks. */
export function typeOfField(type: string, field: Json, missing: readonly string[]): TypeOfField {
  const ofMissing = missing.length > 0 && { missingValues: missing }
  if (!Object.hasOwn(TYPES, type)) {
    return { type: 'text', isMore: true, taken: [], notation: inAnyWay(ofMissing) }
  }
  const known = TYPES[type as NotationType]
  const taken = Object.entries(known.members).flatMap(([member, read]) => {
    const value = isUsual(member, field[member]) ? undefined : read(field[member])
    return value === undefined ? [] : [[member, value] as const]
  })
  const notation = { type: type as NotationType, ...Object.fromEntries(taken), ...ofMissing }
  return {
    type: known.type,
    ...(known.isMore && { isMore: true }),
    taken: taken.map(([member]) => member),
    notation: isAny(field, notation) ? inAnyWay(ofMissing) : notation,
  }
}

const isUsual = (member: string, value: unknown): boolean =>
  member === 'format' && value === 'default'

/** Texts are written in any way, and so are moments of a format that nobody knows here. */
function isAny({ format, pattern }: Json, notation: FieldNotation): boolean {
  const { type } = notation
  if (type === 'any') return true
  if (type === 'string') return notation.format === undefined
  if (type !== 'date' && type !== 'datetime' && type !== 'time') return false
  const isKnown = format === undefined || format === 'default' || notation.format !== undefined
  return !isKnown || pattern !== undefined
}

const inAnyWay = (
  ofMissing: false | { readonly missingValues: readonly string[] },
): FieldNotation | null => (ofMissing === false ? null : { type: 'any', ...ofMissing })
