import {
  COLUMN_KINDS,
  type ColumnRule,
  kindOfColumnRule,
  type RowRule,
} from '../../../pipelines/index.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import type { FieldOfSchema, TableSchema } from '../../resources/table-schema.ts'
import { toStrptime } from './date-notations.ts'

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

/** A Frictionless Table Schema. Rules without a counterpart stand in `rules`. */
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
  return {
    $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
    fields: columns.map(fieldOf),
    ...(uniqueKeys.length > 0 && { uniqueKeys }),
    ...(others.length > 0 && { rules: others }),
  }
}

function fieldOf(column: DescribedField): FieldOfSchema {
  const { name, type, description, isInstant, isWrittenByUs } = column
  const { constraints, format, isWhole, others } = constraintsOf(column.rules)
  const dates = datesOf(column)
  return {
    name,
    type: isInstant === true ? 'datetime' : isWhole ? 'integer' : TYPES[type],
    ...dates,
    ...(format !== null && { format }),
    ...(description && { description }),
    ...(type === 'boolean' && isWrittenByUs !== true && { trueValues, falseValues }),
    ...(Object.keys(constraints).length > 0 && { constraints }),
    ...(others.length > 0 && { rules: others }),
  }
}

function datesOf(column: DescribedField): Pick<FieldOfSchema, 'format' | 'pattern'> {
  const { type, pattern, isWrittenByUs } = column
  if (type !== 'date' || isWrittenByUs === true) return {}
  const format = toStrptime(column)
  return { format: format ?? 'any', ...(format === null && pattern && { pattern }) }
}

function constraintsOf(rules: readonly ColumnRule[]) {
  const constraints: Record<string, unknown> = {}
  const others: ColumnRule[] = []
  let format: string | null = null
  let isWhole = false
  for (const rule of rules) {
    const kind = kindOfColumnRule(rule)
    // What is given for a kind is what its entry takes.
    const constraint = COLUMN_KINDS[kind].constraint(rule[kind] as never)
    const isTaken = constraint === null || Object.keys(constraint).some((key) => key in constraints)
    if (rule.severity === 'warning') others.push(rule)
    else if (rule.whole === true) isWhole = true
    else if (rule.format !== undefined && TEXT_FORMATS.has(rule.format) && format === null) {
      format = rule.format
    } else if (isTaken) others.push(rule)
    else Object.assign(constraints, constraint)
  }
  return { constraints, format, isWhole, others }
}
