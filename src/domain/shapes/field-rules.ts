import { isDeepStrictEqual } from 'node:util'

import {
  COLUMN_KINDS,
  columnKindsOf,
  type ColumnRule,
  kindOfColumnRule,
  RULE_FORMATS,
  type RowRule,
} from '../../../pipelines/index.ts'
import {
  LONGEST_LENGTH,
  LONGEST_PATTERN,
  LONGEST_TEXT,
  MOST_RULES,
  MOST_VALUES,
} from '../../resources/rule.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import { fromRe2, toRe2, withoutReferences } from './field-patterns.ts'
import { flawsOfColumnRules } from './shape-rules.ts'

type Json = Readonly<Record<string, unknown>>

/** What constraints of a Table Schema say of a rule of this kind; null: they have no word for it. */
export function constraintOf(rule: ColumnRule, kind = kindOfColumnRule(rule)): Json | null {
  // What is given for a kind is what its entry takes.
  const constraint = COLUMN_KINDS[kind].constraint(rule[kind] as never)
  return typeof constraint?.pattern === 'string'
    ? { pattern: fromRe2(constraint.pattern) }
    : constraint
}

/** A field without the constraints and the format that its rules say as well. */
export function withoutSaid(field: Json, rules: readonly ColumnRule[]): Json {
  const held = rules.filter(({ severity }) => severity !== 'warning')
  // Whether they can be at all is judged where they are taken.
  const said = held.flatMap((rule) =>
    columnKindsOf(rule).map((kind) => constraintOf(rule, kind) ?? {}),
  )
  const { constraints, format, ...others } = field
  const isSaid = held.some((rule) => rule.format !== undefined && rule.format === format)
  return {
    ...others,
    ...(format !== undefined && !isSaid && { format }),
    constraints: Object.fromEntries(
      entriesOf(constraints).filter(
        ([name, value]) => !said.some((each) => isDeepStrictEqual(each[name], value)),
      ),
    ),
  }
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

interface Taken<Rule> {
  readonly rules: readonly Rule[]
  /** Members that have no counterpart here. */
  readonly left: readonly string[]
}

interface OfField extends Taken<ColumnRule> {
  /** Its pattern refers back, and takes more here. */
  readonly isWider: boolean
}

/** The rules that the constraints of a Table Schema stand for. */
const RULE_OF: Readonly<Record<string, (value: unknown) => ColumnRule | null>> = {
  required: (value) => (value === true ? { required: true } : null),
  unique: (value) => (value === true ? { unique: true } : null),
  enum: (value) => (isList(value) ? { oneOf: value } : null),
  // A Table Schema holds the whole value to its pattern.
  pattern: (value) =>
    typeof value === 'string' && value.length < LONGEST_PATTERN - WHOLE.length
      ? { matches: WHOLE.replace('…', () => toRe2(value)) }
      : null,
  minimum: (value) => (isBound(value) ? { minimum: value } : null),
  maximum: (value) => (isBound(value) ? { maximum: value } : null),
  minLength: (value) => (isLength(value) ? { minLength: value } : null),
  maxLength: (value) => (isLength(value) ? { maxLength: value } : null),
}

const WHOLE = '^(?:…)$'

const isBound = (value: unknown): value is string | number =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= LONGEST_TEXT && !value.includes('\0'))
const isList = (value: unknown): value is readonly (string | number | boolean)[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MOST_VALUES && value.every(isScalar)
const isScalar = (value: unknown): value is string | number | boolean =>
  isBound(value) || typeof value === 'boolean'
const isLength = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LONGEST_LENGTH

export function rulesOfField({ constraints, format }: Json, type: ShapeColumn['type']): OfField {
  const rules: ColumnRule[] = []
  let isWider = false
  const left: string[] = []
  for (const [name, value] of entriesOf(constraints)) {
    if (value === false && (name === 'required' || name === 'unique')) continue
    const rule = Object.hasOwn(RULE_OF, name) ? RULE_OF[name]!(value) : null
    const wider = name === 'pattern' && typeof value === 'string' ? withoutReferences(value) : null
    const isPossible = (each: ColumnRule | null): each is ColumnRule =>
      each !== null && flawsOfColumnRules([each], type, '').length === 0
    const other = wider === null ? null : RULE_OF.pattern!(wider)
    if (isPossible(rule)) rules.push(rule)
    else if (isPossible(other)) {
      isWider = true
      rules.push(other)
    } else left.push(`constraints.${name}`)
  }
  const known = RULE_FORMATS.find((each) => each === format)
  // How an address is written is said as a Table Schema means it.
  if (known !== undefined && known !== 'uri' && type === 'text') rules.push({ format: known })
  return { rules, left, isWider }
}

/** The rules that keys of a Table Schema stand for; a primary key is required as well. */
export function keysOf(
  { primaryKey, uniqueKeys }: Json,
  columns: ReadonlySet<unknown>,
): Taken<RowRule> & { readonly required: readonly string[] } {
  const isTaken = (names: readonly string[]) =>
    names.length > 0 && names.length <= MOST_RULES && names.every((name) => columns.has(name))
  const isKey = primaryKey !== undefined && !(Array.isArray(primaryKey) && primaryKey.length === 0)
  const primary = isKey ? [namesOf(primaryKey)] : []
  const others = Array.isArray(uniqueKeys) ? uniqueKeys.map(namesOf) : []
  const most = MOST_RULES - primary.length
  const taken = (keys: readonly (readonly string[])[]) => keys.filter(isTaken)
  const keys = [...taken(primary), ...taken(others).slice(0, most)]
  const isLost = others.length !== taken(others).slice(0, most).length
  return {
    rules: keys.map((unique) => ({ unique })),
    required: taken(primary).flat(),
    left: [
      ...(taken(primary).length < primary.length ? ['primaryKey'] : []),
      ...(isLost || (uniqueKeys !== undefined && !Array.isArray(uniqueKeys)) ? ['uniqueKeys'] : []),
    ],
  }
}

function namesOf(key: unknown): readonly string[] {
  if (typeof key === 'string') return [key]
  return Array.isArray(key) && key.every((name) => typeof name === 'string') ? key : []
}
