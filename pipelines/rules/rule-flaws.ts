import type { ColumnType } from '../core/options.ts'
import type { ColumnRule, RowRule } from '../core/rule.ts'
import { shownName } from '../core/cut-text.ts'
import { COLUMN_KINDS, COLUMN_RULE_KINDS, type ColumnRuleKind } from './column-kinds.ts'
import { flawMessages, type RuleFlaw } from './flaw-messages.ts'
import { ROW_KINDS, ROW_RULE_KINDS, type RowRuleKind } from './row-kinds.ts'

const isGiven = (rule: ColumnRule | RowRule, kind: string): boolean =>
  (rule as Readonly<Record<string, unknown>>)[kind] !== undefined

/** One, if the rule has no flaw. */
export const columnKindsOf = (rule: ColumnRule): readonly ColumnRuleKind[] =>
  COLUMN_RULE_KINDS.filter((kind) => isGiven(rule, kind))

/** The kind of a rule that has no flaw. */
export const kindOfColumnRule = (rule: ColumnRule): ColumnRuleKind => columnKindsOf(rule)[0]!

export const kindOfRowRule = (rule: RowRule): RowRuleKind =>
  ROW_RULE_KINDS.find((kind) => isGiven(rule, kind))!

/** What makes a rule of a column impossible; none: it can be. */
export function columnRuleFlaws(rule: ColumnRule, type: ColumnType): readonly RuleFlaw[] {
  const kinds = columnKindsOf(rule)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) return [oneKind(COLUMN_RULE_KINDS)]
  const { types, flaws } = COLUMN_KINDS[kind]
  if (!types.includes(type)) {
    return [{ pointer: `/${kind}`, message: flawMessages.notOfType({ kind, type }) }]
  }
  // What is given for a kind is what its entry takes.
  const found = flaws?.(rule[kind] as never, type) ?? []
  return found.map(({ pointer, message }) => ({ pointer: `/${kind}${pointer}`, message }))
}

/** Columns by the names that the rule may use. */
type ColumnsOfRules = ReadonlyMap<string, { readonly name: string; readonly type: ColumnType }>

export function rowRuleFlaws(rule: RowRule, columns: ColumnsOfRules): readonly RuleFlaw[] {
  const kinds = ROW_RULE_KINDS.filter((kind) => isGiven(rule, kind))
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1) return [oneKind(ROW_RULE_KINDS)]
  const isSum = kind === 'sum'
  if (isSum !== (rule.equals !== undefined) || (!isSum && rule.within !== undefined)) {
    return [{ pointer: '', message: flawMessages.withoutEquals() }]
  }
  const named = ROW_KINDS[kind].columns(rule)
  const unknown = named.filter(({ name }) => !columns.has(name))
  if (unknown.length > 0) {
    return unknown.map(({ pointer, name }) => ({
      pointer,
      message: flawMessages.noColumn({ name: shownName(name) }),
    }))
  }
  const found = named.map(({ name }) => columns.get(name)!)
  return ROW_KINDS[kind].flaws(found, rule)
}

const oneKind = (kinds: readonly string[]): RuleFlaw => ({
  pointer: '',
  message: flawMessages.oneKind({ kinds: kinds.join(', ') }),
})
