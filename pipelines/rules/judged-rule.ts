import type { Message } from '../core/message.ts'
import type { ColumnType } from '../core/options.ts'
import type { SqlType } from '../core/plan.ts'
import type { ColumnRule, RowRule } from '../core/rule.ts'
import type { Span } from './bounds.ts'
import type { CellValue } from './cell-value.ts'
import { COLUMN_KINDS } from './column-kinds.ts'
import { ROW_KINDS } from './row-kinds.ts'
import type { Notation } from './notations.ts'
import { kindOfColumnRule, kindOfRowRule } from './rule-flaws.ts'
import { ruleMessages } from './rule-messages.ts'
import type { CellError, RuleCount } from '../core/errors.ts'
import type { Warning } from '../core/warning.ts'

/** A rule that is ready to judge the cells of a column. */
export interface JudgedRule {
  /** By which it is counted: its name, or its kind. */
  readonly rule: string
  readonly isWarning: boolean
  readonly isRequired: boolean
  /** How values are written, if it asks that. */
  readonly notation: Notation | null
  /** Of a value that is there. */
  isKept(value: CellValue): boolean
  /** The sizes of values that keep it for sure; null: size says nothing. */
  surelyKept(sqlType: SqlType): Span | null
  /** The same, a piece at a time, so that others have their turn while a long value is judged. */
  isKeptByPieces(value: CellValue): Generator<void, boolean>
  broken(value: string): Message
}

export interface JudgedRowRule {
  readonly rule: string
  readonly isWarning: boolean
  /** Columns by name, as the rule has them. */
  readonly columns: readonly string[]
  /** The column at fault, among them. */
  readonly atFault: number
  /** Of values that are all there; null: they keep it. */
  judge(values: readonly CellValue[]): Message | null
}

const KEEPS_ALL = () => true

/** The rules of a column that are judged one cell after another; others are asked of all rows. */
export function judgedRules(rules: readonly ColumnRule[], type: ColumnType): readonly JudgedRule[] {
  return rules.flatMap((given): JudgedRule[] => {
    const kind = kindOfColumnRule(given)
    const { test, notation: notationOf, types, broken } = COLUMN_KINDS[kind]
    if (!types.includes(type)) return []
    const notation = notationOf?.(given[kind] as never) ?? null
    const tested = test?.(given[kind] as never, type)
    if (notation === null && tested === undefined && kind !== 'required') return []
    const isKept = notation?.isKept ?? tested ?? KEEPS_ALL
    const rule = given.name ?? kind
    return [
      {
        rule,
        isWarning: given.severity === 'warning',
        isRequired: kind === 'required',
        notation,
        isKept,
        surelyKept: (sqlType) => tested?.sure?.(sqlType) ?? null,
        *isKeptByPieces(value) {
          const kept =
            tested?.byPieces === undefined ? isKept(value) : yield* tested.byPieces(value)
          yield
          return kept
        },
        broken: (value) => said(given, rule) ?? broken(given[kind] as never, { rule, value }),
      },
    ]
  })
}

/** The rules about rows that are judged one row after another. */
export function judgedRowRules(rules: readonly RowRule[]): readonly JudgedRowRule[] {
  return rules.flatMap((given): JudgedRowRule[] => {
    const kind = kindOfRowRule(given)
    const { columns, atFault, judge } = ROW_KINDS[kind]
    const judgeValues = judge?.(given)
    if (judgeValues === undefined) return []
    const rule = given.name ?? kind
    return [
      {
        rule,
        isWarning: given.severity === 'warning',
        columns: columns(given).map(({ name }) => name),
        atFault: atFault(given),
        judge(values) {
          const broken = judgeValues(values, { rule })
          return broken === null ? null : (said(given, rule) ?? broken)
        },
      },
    ]
  })
}

/** What is said of a row that breaks a rule which is asked of all rows together. */
export function brokenOverRows(
  given: ColumnRule | RowRule,
  value: string,
): { readonly rule: string; readonly message: Message } {
  const lookUp = 'in' in given ? given.in : undefined
  const rule = given.name ?? (lookUp === undefined ? 'unique' : 'in')
  const message =
    lookUp === undefined
      ? COLUMN_KINDS.unique.broken(true, { rule, value })
      : COLUMN_KINDS.in.broken(lookUp, { rule, value })
  return { rule, message: said(given, rule) ?? message }
}

const said = ({ message }: ColumnRule | RowRule, rule: string): Message | null =>
  message === undefined ? null : ruleMessages.own({ rule, text: message })

interface FirstBroken extends Pick<CellError, 'row' | 'line' | 'column'> {
  readonly message: Message
}

interface Warned {
  readonly first: FirstBroken
  count: number
}

/** How often each rule was broken. */
export class RuleTally {
  readonly #errors = new Map<string, number>()
  readonly #warnings = new Map<string, Warned>()

  addError(rule: string): void {
    this.#errors.set(rule, (this.#errors.get(rule) ?? 0) + 1)
  }

  /** `first` is asked only for the first time. */
  addWarning(rule: string, first: () => FirstBroken): void {
    const warned = this.#warnings.get(rule)
    if (warned === undefined) this.#warnings.set(rule, { first: first(), count: 1 })
    else warned.count++
  }

  /** The most frequent come first. */
  get byRule(): readonly RuleCount[] {
    return [...this.#errors]
      .map(([rule, count]) => ({ rule, count }))
      .toSorted((one, other) => other.count - one.count)
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings].map(([rule, { first, count }]) => ({
      code: 'rule-broken',
      message: ruleMessages.warned({ name: rule, count, first: first.message }),
      ...(first.line !== undefined && { line: first.line }),
      column: first.column,
      rule,
      count,
    }))
  }
}
