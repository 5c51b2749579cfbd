import { isDeepStrictEqual } from 'node:util'

import {
  type ColumnRule,
  cutText,
  faultOfPattern,
  type Message,
  type RowRule,
  RULE_FORMATS,
  shownName,
} from '../../../pipelines/index.ts'
import { invalidField } from '../../errors/index.ts'
import {
  type FileShape,
  LONGEST_NAME,
  MOST_COLUMNS,
  type ShapeColumn,
} from '../../resources/shape.ts'
import { itemsOf } from './array-items.ts'
import { fromStrptime } from './date-notations.ts'
import { withoutReferences } from './field-patterns.ts'
import { keysOf, rulesOfField, withoutSaid } from './field-rules.ts'
import { type TypeOfField, typeOfField } from './field-types.ts'
import { type MissingValues, missingOf } from './missing-values.ts'
import type { GivenColumn } from './shape-columns.ts'
import { refuseLargePatterns } from './shape-rules.ts'
import { shapeMessages } from './shape-messages.ts'

/** Where the columns and the rules of rows of a Table Schema stand in what was sent. */
export const FIELDS = '/tableSchema/fields'
export const RULES = '/tableSchema/rules'

interface OwnOfField {
  readonly rules?: readonly ColumnRule[]
  readonly shape?: Partial<
    Pick<ShapeColumn, 'type' | 'dateFormat' | 'pattern' | 'column' | 'aliases'>
  >
}

type OwnOfShape = Partial<Pick<FileShape, 'unknown' | 'missing' | 'left'>>

interface OwnOfSchema {
  readonly rules?: readonly RowRule[]
  readonly shape?: OwnOfShape
}

interface FromTableSchema extends OwnOfShape {
  readonly columns: readonly GivenColumn[]
  readonly rules: readonly RowRule[]
  /** What has no counterpart here. */
  readonly warnings: readonly Message[]
}

/** `pattern` is ours: dates that no format of a Table Schema stands for. So are `rules` and `shape`. */
const KNOWN_OF_FIELD = new Set([
  'name',
  'type',
  'format',
  'pattern',
  'description',
  'title',
  'constraints',
  'arrayItem',
  'missingValues',
  'rules',
  'shape',
])
const KNOWN_OF_SCHEMA = new Set([
  'fields',
  '$schema',
  'primaryKey',
  'uniqueKeys',
  'missingValues',
  'rules',
  'shape',
])

type Json = Readonly<Record<string, unknown>>

/**
 * A Frictionless Table Schema as the columns of a shape. Nothing of it is left out without a word. Our
 * own members are those of `givenTableSchema`.
 */
export function fromTableSchema(schema: Json): FromTableSchema {
  const { fields } = schema
  if (!Array.isArray(fields) || fields.length === 0) {
    throw invalidField(FIELDS, shapeMessages.schemaNoFields())
  }
  if (fields.length > MOST_COLUMNS) {
    throw invalidField(FIELDS, shapeMessages.schemaManyFields({ most: MOST_COLUMNS }))
  }
  refuseLargePatterns(fields.flatMap(patternsOf), FIELDS)
  return readSchema({ ...schema, fields })
}

/** The same of one whose fields and patterns are no more than can be. */
export function readSchema(
  schema: Json & { readonly fields: readonly unknown[] },
): FromTableSchema {
  const { fields } = schema
  const { rules: own = [], shape } = schema as OwnOfSchema
  const warnings: Message[] = []
  const missing = missingOf(schema.missingValues)
  const keys = keysOf(schema, new Set(fields.map(nameOf)))
  const leftOfSchema = [
    ...Object.keys(schema).filter((what) => !KNOWN_OF_SCHEMA.has(what)),
    ...(missing.isLost ? ['missingValues'] : []),
    ...keys.left,
  ].map((what) => shownName(what))
  if (leftOfSchema.length > 0) {
    warnings.push(shapeMessages.schemaUnknownMember({ members: leftOfSchema }))
  }
  const left = new Map<string, string[]>()
  const columns = fields
    .map((field: unknown, at) => columnOf(field, at, missing, { warnings, left }))
    .map((column) => {
      const { name, rules = [] } = column
      const isKey = keys.required.includes(name) && !rules.some(({ required }) => required === true)
      return isKey ? { ...column, rules: [...rules, { required: true as const }] } : column
    })
  for (const [what, names] of left) warnings.push(shapeMessages.schemaUnknown({ what, names }))
  const unsaid = keys.rules.filter(
    ({ unique }) =>
      !own.some((rule) => rule.severity !== 'warning' && isDeepStrictEqual(rule.unique, unique)),
  )
  return { columns, rules: [...own, ...unsaid], ...shape, warnings }
}

/** What its rules will look for, also where what a pattern refers back to is written out. */
function patternsOf(given: unknown): readonly ColumnRule[] {
  const field = (given ?? {}) as Json
  const unsaid = withoutSaid(field, (field as OwnOfField).rules ?? [])
  const { constraints, arrayItem } = unsaid as Record<string, { constraints?: unknown }>
  return [constraints, arrayItem?.constraints].flatMap((each) => {
    const { pattern } = (each ?? {}) as Json
    if (typeof pattern !== 'string') return []
    const wider = withoutReferences(pattern)
    return [{ matches: pattern }, ...(wider === null ? [] : [{ matches: wider }])]
  })
}

interface Told {
  readonly warnings: Message[]
  /** The fields with a member that has no counterpart here, by the member. */
  readonly left: Map<string, string[]>
}

function columnOf(
  field: unknown,
  at: number,
  ofSchema: MissingValues,
  { warnings, left: leftOfFields }: Told,
): GivenColumn {
  const whole = typeof field === 'object' && field !== null ? (field as Json) : {}
  const { rules: own, shape } = whole as OwnOfField
  const given = own === undefined ? whole : withoutSaid(whole, own)
  const { name } = given
  if (typeof name !== 'string' || name === '' || name.includes('\0')) {
    throw invalidField(`${FIELDS}/${at}/name`, shapeMessages.schemaNoFields())
  }
  if (name.length > LONGEST_NAME) {
    throw invalidField(`${FIELDS}/${at}/name`, shapeMessages.schemaLongName({ most: LONGEST_NAME }))
  }
  const shown = shownName(name)
  const type = textOf(given.type) ?? 'string'
  const missing = given.missingValues === undefined ? ofSchema : missingOf(given.missingValues)
  const known = typeOfField(type, given, missing.texts)
  if (known.isMore === true) {
    warnings.push(shapeMessages.schemaType({ type: shownName(type), name: shown }))
  }
  const columnType = known.type
  const { rules: held, left, isWider } = rulesOfField(given, columnType)
  if (isWider) warnings.push(shapeMessages.schemaReference({ name: shown }))
  // Our own rules say as well how values are written, or that nobody minds.
  const written = own ?? (known.notation === null ? [] : [{ written: known.notation }])
  const rules = [...written, ...held]
  const leave = (what: string) => {
    const member = shownName(what)
    leftOfFields.set(member, [...(leftOfFields.get(member) ?? []), shown])
  }
  for (const what of [
    ...Object.keys(given).filter(
      (member) => !KNOWN_OF_FIELD.has(member) && !known.taken.includes(member),
    ),
    ...(missing.isLost && missing !== ofSchema ? ['missingValues'] : []),
    ...(type === 'array' ? itemsOf(given.arrayItem).left : []),
    ...left,
  ]) {
    leave(what)
  }
  const notation =
    columnType === 'date'
      ? datesOf(given, type, shown, warnings)
      : refuseFormat(given, known, leave)
  const description = textOf(given.description) ?? textOf(given.title)
  return {
    name,
    type: columnType,
    ...(rules.length > 0 && { rules }),
    ...(shape?.type === undefined && notation),
    ...shape,
    ...(description !== null && { description: cutText(description, LONGEST_DESCRIPTION) }),
  }
}

const LONGEST_DESCRIPTION = 1000

/** How the dates of a field are written; nothing: they are recognised. */
function datesOf(
  { format, pattern }: Json,
  type: string,
  name: string,
  warnings: Message[],
): Pick<GivenColumn, 'dateFormat' | 'pattern'> {
  const written = textOf(pattern)
  if (written !== null && faultOfPattern(written) === null) return { pattern: written }
  const given = written ?? textOf(format) ?? 'default'
  if (given === 'any') return {}
  // An instant of ISO 8601 is recognised.
  if (given === 'default') return (type === 'date' ? fromStrptime('%Y-%m-%d') : null) ?? {}
  const found = written === null ? fromStrptime(given) : null
  if (found === null) warnings.push(shapeMessages.schemaFormat({ format: shownName(given), name }))
  return found ?? {}
}

/** What a format says of a field without dates is a rule, or nothing. */
function refuseFormat(
  { format, pattern }: Json,
  { type, taken }: TypeOfField,
  leave: (what: string) => void,
): Record<string, never> {
  const given = textOf(format)
  const isKnown =
    given === null ||
    given === 'default' ||
    taken.includes('format') ||
    (type === 'text' && isRuleFormat(given))
  if (!isKnown) leave(`format: ${given}`)
  if (pattern !== undefined) leave('pattern')
  return {}
}

const isRuleFormat = (format: string): boolean => RULE_FORMATS.some((known) => known === format)

const nameOf = (field: unknown): unknown =>
  typeof field === 'object' && field !== null ? (field as Json).name : undefined

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
