import { columnRuleFlaws, type FieldNotation } from '../../../pipelines/index.ts'
import { LONGEST_LENGTH, LONGEST_PATTERN, MOST_VALUES } from '../../resources/rule.ts'
import { toRe2 } from './field-patterns.ts'

type Json = Readonly<Record<string, unknown>>
type Items = NonNullable<FieldNotation['arrayItem']>

const isLength = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LONGEST_LENGTH
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/** The constraints of items that are judged, each with what it is here; undefined: it cannot be. */
const CONSTRAINTS: Readonly<Record<string, (value: unknown) => unknown>> = {
  enum: (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MOST_VALUES && value.every(isScalar)
      ? value
      : undefined,
  pattern: (value) =>
    typeof value === 'string' && isPattern(toRe2(value)) ? toRe2(value) : undefined,
  minLength: (value) => (isLength(value) ? value : undefined),
  maxLength: (value) => (isLength(value) ? value : undefined),
}

const isPattern = (pattern: string): boolean =>
  pattern.length <= LONGEST_PATTERN && columnRuleFlaws({ matches: pattern }, 'text').length === 0

const TYPES = ['string', 'integer', 'number', 'boolean'] as const
const TELLING = new Set(['name', 'title', 'description', 'example', 'examples'])

/** What the items of an array have to be, and which members of that have no counterpart. */
export function itemsOf(given: unknown): {
  readonly items?: Items
  readonly left: readonly string[]
} {
  if (!isObject(given)) return { left: given === undefined ? [] : ['arrayItem'] }
  const { type, constraints = {}, ...others } = given
  const known = TYPES.find((each) => each === type)
  const asked = isObject(constraints) ? Object.entries(constraints) : []
  const read = asked.map(([name, value]) => {
    const found = Object.hasOwn(CONSTRAINTS, name) ? CONSTRAINTS[name]!(value) : undefined
    return [name, found, value] as const
  })
  const taken = read.filter(([, found]) => found !== undefined)
  const items = {
    ...(known && { type: known }),
    ...(taken.length > 0 && { constraints: Object.fromEntries(taken) }),
  }
  return {
    ...(Object.keys(items).length > 0 && { items }),
    left: [
      ...(type !== undefined && known === undefined ? ['arrayItem.type'] : []),
      ...read
        .filter(
          ([name, found, value]) =>
            found === undefined && !(name === 'required' && value === false),
        )
        .map(([name]) => `arrayItem.constraints.${name}`),
      ...Object.keys(others)
        .filter((member) => !TELLING.has(member))
        .map((member) => `arrayItem.${member}`),
    ],
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
