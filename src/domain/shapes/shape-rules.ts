import {
  type ColumnRule,
  columnRuleFlaws,
  MOST_PATTERN_STEPS,
  type RowRule,
  rowRuleFlaws,
  sizeOfPatterns,
} from '../../../pipelines/index.ts'
import { type FieldError, invalidField, invalidFields } from '../../errors/index.ts'
import type { ShapeColumn } from '../../resources/shape.ts'
import { shapeMessages } from './shape-messages.ts'

/** Before they are made: that takes as long as they have steps, and nobody else has a turn meanwhile. */
export function refuseLargePatterns(rules: readonly ColumnRule[], pointer: string): void {
  if (sizeOfPatterns(rules) <= MOST_PATTERN_STEPS) return
  throw invalidField(pointer, shapeMessages.largePatterns({ most: MOST_PATTERN_STEPS }))
}

/** What makes rules of a column impossible. `pointer`: of their list. */
export const flawsOfColumnRules = (
  rules: readonly ColumnRule[],
  type: ShapeColumn['type'],
  pointer: string,
): readonly FieldError[] =>
  rules.flatMap((rule, at) => {
    const flaws = columnRuleFlaws(rule, type)
    return flaws.map((flaw) => ({ ...flaw, pointer: `${pointer}/${at}${flaw.pointer}` }))
  })

type Named = Pick<ShapeColumn, 'name' | 'column' | 'type'>

/** A rule may name a column as people or as SQL know it. */
const byName = (columns: readonly Named[]): ReadonlyMap<string, Named> =>
  new Map([
    ...columns.map((column) => [column.column, column] as const),
    ...columns.map((column) => [column.name, column] as const),
  ])

/** The rules of rows as they are stored, their columns by name. What cannot be is refused. */
export function rowRulesGiven(
  rules: readonly RowRule[],
  columns: readonly Named[],
  /** Where they stand in what was sent. */
  pointer = '/rules',
): readonly RowRule[] {
  const known = byName(columns)
  const flaws = rules.flatMap((rule, at) =>
    rowRuleFlaws(rule, known).map((flaw) => ({
      ...flaw,
      pointer: `${pointer}/${at}${flaw.pointer}`,
    })),
  )
  if (flaws.length > 0) throw invalidFields(flaws)
  return rules.map((rule) => withColumns(rule, (name) => known.get(name)!.name))
}

/** The rules of a shape whose columns are called otherwise from now on. */
export function renamedRules(
  rules: readonly RowRule[],
  before: readonly Named[],
  after: readonly Named[],
): readonly RowRule[] {
  const were = new Map(before.map(({ name, column }) => [name, column]))
  const are = new Map(after.map(({ name, column }) => [column, name]))
  return rules.map((rule) => withColumns(rule, (name) => are.get(were.get(name) ?? '') ?? name))
}

function withColumns(rule: RowRule, nameOf: (name: string) => string): RowRule {
  const { unique, compare, sum, equals } = rule
  return {
    ...rule,
    ...(unique && { unique: unique.map(nameOf) }),
    ...(compare && { compare: [nameOf(compare[0]), compare[1], nameOf(compare[2])] as const }),
    ...(sum && { sum: sum.map(nameOf) }),
    ...(equals && { equals: nameOf(equals) }),
  }
}
