import { type ColumnRule, RULE_FORMATS, type RowRule } from '../../../pipelines/index.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import { flawsOfColumnRules } from './shape-rules.ts'

type Json = Readonly<Record<string, unknown>>

interface Taken<Rule> {
  readonly rules: readonly Rule[]
  /** Members that have no counterpart here. */
  readonly left: readonly string[]
}

/** The rules that the constraints of a Table Schema stand for. */
const RULE_OF: Readonly<Record<string, (value: unknown) => ColumnRule | null>> = {
  required: (value) => (value === true ? { required: true } : null),
  unique: (value) => (value === true ? { unique: true } : null),
  enum: (value) => (Array.isArray(value) && value.every(isScalar) ? { oneOf: value } : null),
  // A Table Schema holds the whole value to its pattern.
  pattern: (value) => (typeof value === 'string' ? { matches: `^(?:${value})$` } : null),
  minimum: (value) => (isBound(value) ? { minimum: value } : null),
  maximum: (value) => (isBound(value) ? { maximum: value } : null),
  minLength: (value) => (isLength(value) ? { minLength: value } : null),
  maxLength: (value) => (isLength(value) ? { maxLength: value } : null),
}

const isBound = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
const isScalar = (value: unknown): value is string | number | boolean =>
  isBound(value) || typeof value === 'boolean'
const isLength = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0

export function rulesOfField(
  { constraints, format }: Json,
  type: ShapeColumn['type'],
): Taken<ColumnRule> {
  const rules: ColumnRule[] = []
  const left: string[] = []
  const given = typeof constraints === 'object' && constraints !== null ? (constraints as Json) : {}
  for (const [name, value] of Object.entries(given)) {
    if (value === false && (name === 'required' || name === 'unique')) continue
    const rule = Object.hasOwn(RULE_OF, name) ? RULE_OF[name]!(value) : null
    if (rule !== null && flawsOfColumnRules([rule], type, '').length === 0) rules.push(rule)
    else left.push(`constraints.${name}`)
  }
  const known = RULE_FORMATS.find((each) => each === format)
  if (known !== undefined && type === 'text') rules.push({ format: known })
  return { rules, left }
}

/** The rules that keys of a Table Schema stand for; a primary key is required as well. */
export function keysOf({ primaryKey, uniqueKeys }: Json): {
  readonly rules: readonly RowRule[]
  readonly required: readonly string[]
} {
  const primary = namesOf(primaryKey)
  const others = Array.isArray(uniqueKeys) ? uniqueKeys.map(namesOf) : []
  const keys = [primary, ...others].filter((names) => names.length > 0)
  return { rules: keys.map((unique) => ({ unique })), required: primary }
}

function namesOf(key: unknown): readonly string[] {
  if (typeof key === 'string') return [key]
  return Array.isArray(key) && key.every((name) => typeof name === 'string') ? key : []
}
