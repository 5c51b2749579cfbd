import {
  type Message,
  type RowRule,
  RULE_FORMATS,
  shownName,
  type UiDateFormat,
} from '../../../pipelines/index.ts'
import { invalidField } from '../../errors/index.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import { keysOf, rulesOfField } from './field-rules.ts'
import type { GivenColumn } from './shape-columns.ts'
import { shapeMessages } from './shape-messages.ts'

interface FromTableSchema {
  readonly columns: readonly GivenColumn[]
  readonly rules: readonly RowRule[]
  /** What has no counterpart here. */
  readonly warnings: readonly Message[]
}

/** Types of a Table Schema, of its first version and its second. */
const TYPES: Readonly<Record<string, ShapeColumn['type']>> = {
  string: 'text',
  any: 'text',
  integer: 'number',
  number: 'number',
  year: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'date',
  object: 'json',
  array: 'json',
  geojson: 'json',
  list: 'text',
  time: 'text',
  yearmonth: 'text',
  duration: 'text',
  geopoint: 'text',
}

/** Types that are kept as text although they are more than that. */
const AS_TEXT: ReadonlySet<string> = new Set(['list', 'time', 'yearmonth', 'duration', 'geopoint'])

/** Patterns of strptime that are formats here. */
const DATE_FORMATS: Readonly<Record<string, UiDateFormat>> = {
  '%d/%m/%Y': 'DD/MM/YYYY',
  '%d/%m/%y': 'DD/MM/YYYY',
  '%m/%d/%Y': 'MM/DD/YYYY',
  '%Y-%m-%d': 'YYYY-MM-DD',
  '%d-%m-%Y': 'DD-MM-YYYY',
}

const KNOWN_OF_FIELD = new Set(['name', 'type', 'format', 'description', 'title', 'constraints'])
const KNOWN_OF_SCHEMA = new Set(['fields', '$schema', 'primaryKey', 'uniqueKeys'])

type Json = Readonly<Record<string, unknown>>

/** A Frictionless Table Schema as the columns of a shape. Nothing of it is left out without a word. */
export function fromTableSchema(schema: Json): FromTableSchema {
  const { fields } = schema
  if (!Array.isArray(fields) || fields.length === 0) {
    throw invalidField('/tableSchema/fields', shapeMessages.schemaNoFields())
  }
  const warnings: Message[] = Object.keys(schema)
    .filter((what) => !KNOWN_OF_SCHEMA.has(what))
    .map((what) => shapeMessages.schemaUnknownMember({ what: shownName(what) }))
  const keys = keysOf(schema)
  const columns = fields
    .map((field: unknown, at) => columnOf(field, at, warnings))
    .map((column) => {
      const { name, rules = [] } = column
      const isKey = keys.required.includes(name) && !rules.some(({ required }) => required === true)
      return isKey ? { ...column, rules: [...rules, { required: true as const }] } : column
    })
  return { columns, rules: keys.rules, warnings }
}

function columnOf(field: unknown, at: number, warnings: Message[]): GivenColumn {
  const given = typeof field === 'object' && field !== null ? (field as Json) : {}
  const { name } = given
  if (typeof name !== 'string' || name === '' || name.includes('\0')) {
    throw invalidField(`/tableSchema/fields/${at}/name`, shapeMessages.schemaNoFields())
  }
  const shown = shownName(name)
  const type = textOf(given.type) ?? 'string'
  const known = TYPES[type]
  if (known === undefined || AS_TEXT.has(type)) {
    warnings.push(shapeMessages.schemaType({ type: shownName(type), name: shown }))
  }
  for (const what of Object.keys(given).filter((member) => !KNOWN_OF_FIELD.has(member))) {
    warnings.push(shapeMessages.schemaUnknown({ what: shownName(what), name: shown }))
  }
  const columnType = known ?? 'text'
  const { rules, left } = rulesOfField(given, columnType)
  for (const what of left) {
    warnings.push(shapeMessages.schemaUnknown({ what: shownName(what), name: shown }))
  }
  const dateFormat = formatOf(type, textOf(given.format), shown, warnings)
  const description = textOf(given.description) ?? textOf(given.title)
  return {
    name,
    type: columnType,
    ...(rules.length > 0 && { rules }),
    ...(dateFormat && { dateFormat }),
    ...(description !== null && { description: description.slice(0, LONGEST_DESCRIPTION) }),
  }
}

const LONGEST_DESCRIPTION = 1000

function formatOf(
  type: string,
  format: string | null,
  name: string,
  warnings: Message[],
): UiDateFormat | null {
  if (format === null || format === 'default' || format === 'any') return null
  if (TYPES[type] === 'text' && RULE_FORMATS.some((known) => known === format)) return null
  const known = type === 'date' || type === 'datetime' ? DATE_FORMATS[format] : undefined
  if (known !== undefined) return known
  const told = { format: shownName(format), name }
  warnings.push(
    type === 'date' || type === 'datetime'
      ? shapeMessages.schemaFormat(told)
      : shapeMessages.schemaUnknown({ what: `format: ${told.format}`, name }),
  )
  return null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
