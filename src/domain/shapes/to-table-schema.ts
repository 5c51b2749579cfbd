import { isDeepStrictEqual } from 'node:util'

import {
  type ColumnRule,
  type FieldNotation,
  kindOfColumnRule,
  type RowRule,
} from '../../../pipelines/index.ts'
import type { FileShape, ShapeColumn } from '../../resources/shape.ts'
import type { FieldOfSchema, TableSchema } from '../../resources/table-schema.ts'
import { toStrptime } from './date-notations.ts'
import { constraintOf } from './field-rules.ts'
import { columnsGiven } from './shape-columns.ts'
import { readSchema } from './table-schema.ts'

/** What a field is made of. */
interface DescribedField extends Pick<
  ShapeColumn,
  'name' | 'type' | 'dateFormat' | 'pattern' | 'rules'
> {
  readonly description?: string | null | undefined
  /** Where dates have a time of day, as we write them ourselves. */
  readonly isInstant?: boolean
  /** The dates are as we write them, not as people do. */
  readonly isWrittenByUs?: boolean
}

const TYPES: Readonly<Record<ShapeColumn['type'], FieldOfSchema['type']>> = {
  text: 'string',
  number: 'number',
  date: 'date',
  boolean: 'boolean',
  json: 'object',
}

/** Formats of text that a Table Schema has, too. */
const TEXT_FORMATS: ReadonlySet<string> = new Set(['email', 'uri', 'uuid'])

/** Words that we read as booleans, besides those that a Table Schema knows by itself. */
const trueValues = ['true', 'True', 'TRUE', 'vrai', 'Vrai', 'VRAI', 'oui', 'Oui', 'OUI', 'yes']
const falseValues = ['false', 'False', 'FALSE', 'faux', 'Faux', 'FAUX', 'non', 'Non', 'NON', 'no']

/**
 * A shape as a Frictionless Table Schema that is read back as the same: what its words do not say, or
 * say otherwise, stands in `rules` and `shape`.
 */
export function schemaOfShape(
  shape: Pick<FileShape, 'columns' | 'rules' | 'unknown' | 'missing' | 'left'>,
): TableSchema {
  const { columns, rules, unknown, missing, left } = shape
  const { rules: _others, ...schema } = toTableSchema(columns, rules)
  const fields = schema.fields.map(({ rules: _own, ...field }) => field)
  const read = readSchema({ ...schema, fields })
  const usual = columnsGiven(
    columns.map(({ name, type }) => ({ name, type })),
    null,
  ).columns
  const isUsual = usual.every(({ column }, at) => column === columns[at]!.column)
  const own = {
    ...(unknown !== 'add' && { unknown }),
    ...(missing !== 'empty' && { missing }),
    ...(left.length > 0 && { left }),
  }
  return {
    ...schema,
    fields: fields.map((field, at) => ({
      ...field,
      ...ownOf(columns[at]!, read.columns[at]!, isUsual),
    })),
    ...(!isDeepStrictEqual(read.rules, rules) && { rules }),
    ...(Object.keys(own).length > 0 && { shape: own }),
  }
}

/** What a field says of its column in our own members. */
function ownOf(
  { type, dateFormat, pattern, column, aliases, rules }: ShapeColumn,
  read: Pick<ShapeColumn, 'type' | 'dateFormat' | 'pattern'> & {
    readonly rules?: readonly ColumnRule[] | undefined
  },
  isUsual: boolean,
): Pick<FieldOfSchema, 'rules' | 'shape'> {
  const isReadAlike =
    read.type === type && read.dateFormat === dateFormat && read.pattern === pattern
  const own = {
    ...(!isReadAlike && { type, ...(dateFormat && { dateFormat }), ...(pattern && { pattern }) }),
    ...(!isUsual && { column }),
    ...(aliases.length > 0 && { aliases }),
  }
  return {
    ...(!isDeepStrictEqual(read.rules ?? [], rules) && { rules }),
    ...(Object.keys(own).length > 0 && { shape: own }),
  }
}

/** A Frictionless Table Schema. Where it has no word for some of the rules, `rules` has all of them. */
export function toTableSchema(
  columns: readonly DescribedField[],
  rules: readonly RowRule[],
): TableSchema {
  const uniqueKeys = rules.flatMap(({ unique, severity }) =>
    unique === undefined || severity === 'warning' ? [] : [[...unique]],
  )
  const others = rules.filter(
    ({ unique, severity }) => unique === undefined || severity === 'warning',
  )
  const { fields, missingValues } = withMissing(columns.map(fieldOf))
  return {
    $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
    fields,
    ...(missingValues !== undefined && { missingValues }),
    ...(uniqueKeys.length > 0 && { uniqueKeys }),
    ...(others.length > 0 && { rules }),
  }
}

/** What stands for no value is said once where it is the same in all fields; blanks always do. */
function withMissing(
  fields: readonly FieldOfSchema[],
): Pick<TableSchema, 'fields' | 'missingValues'> {
  const told = fields.map(({ missingValues }) => ['', ...(missingValues ?? [])])
  const [first = []] = told
  const isSame = told.every((texts) => texts.join('\0') === first.join('\0'))
  return {
    fields: fields.map(({ missingValues, ...field }, at) =>
      missingValues && !isSame ? { ...field, missingValues: told[at]! } : field,
    ),
    ...(isSame && first.length > 1 && { missingValues: first }),
  }
}

function fieldOf(column: DescribedField): FieldOfSchema {
  const { name, type, description, isInstant, isWrittenByUs } = column
  const notation = column.rules.find(isNotation)?.written ?? null
  const { type: written, ...members } = notation ?? { type: 'any' as const }
  const told = isInstant === true ? 'datetime' : written === 'any' ? TYPES[type] : written
  const { constraints, format, others } = constraintsOf(column.rules, told)
  return {
    name,
    type: told,
    ...(written === 'any' && datesOf(column)),
    ...(isWrittenByUs === true ? keptOf(members, type) : members),
    ...(format !== null && { format }),
    ...(description && { description }),
    ...(type === 'boolean' &&
      notation === null &&
      isWrittenByUs !== true && { trueValues, falseValues }),
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...(others.length > 0 && { rules: column.rules.filter((rule) => !isNotation(rule)) }),
  }
}

/** What a column says of how it is written, where it is written by us: texts and JSON stay as they are. */
const keptOf = (
  { format, arrayItem }: Omit<FieldNotation, 'type'>,
  type: ShapeColumn['type'],
): Omit<FieldNotation, 'type'> => ({
  ...(type === 'text' && format !== undefined && { format }),
  ...(arrayItem !== undefined && { arrayItem }),
})

function datesOf(column: DescribedField): Pick<FieldOfSchema, 'format' | 'pattern'> {
  const { type, pattern, isWrittenByUs } = column
  if (type !== 'date' || isWrittenByUs === true) return {}
  const format = toStrptime(column)
  return { format: format ?? 'any', ...(format === null && pattern && { pattern }) }
}

const isNotation = ({ written, severity }: ColumnRule): boolean =>
  written !== undefined && severity !== 'warning'

/** What is asked of the characters of a value; fields of other types than texts have no such constraints. */
const OF_TEXTS: ReadonlySet<string> = new Set(['format', 'matches', 'minLength', 'maxLength'])
const WHOLE: ReadonlySet<string> = new Set(['integer', 'year'])

/** Whether a field of this type can say it: tools read the values of a constraint as they read cells. */
function canSay(type: FieldOfSchema['type'], kind: string, given: unknown): boolean {
  if (OF_TEXTS.has(kind)) return type === 'string'
  if (!WHOLE.has(type)) return true
  return [given]
    .flat()
    .every((value) => typeof value === 'boolean' || /^[+-]?\d+$/.test(String(value)))
}

function constraintsOf(rules: readonly ColumnRule[], type: FieldOfSchema['type']) {
  const constraints: Record<string, unknown> = {}
  const others: ColumnRule[] = []
  const written = rules.find(isNotation)
  let format: string | null = null
  for (const rule of rules) {
    if (rule === written) continue
    const kind = kindOfColumnRule(rule)
    const constraint = constraintOf(rule)
    const isTaken = constraint === null || Object.keys(constraint).some((key) => key in constraints)
    if (rule.severity === 'warning' || !canSay(type, kind, rule[kind])) others.push(rule)
    else if (rule.format !== undefined && TEXT_FORMATS.has(rule.format) && format === null) {
      format = rule.format
    } else if (isTaken) others.push(rule)
    else Object.assign(constraints, constraint)
  }
  return { constraints, format, others }
}
