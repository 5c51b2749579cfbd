import type { ColumnType } from '../core/options.ts'
import type { ColumnEvidence } from '../core/report.ts'

/**
 * The outcome of one cell. Small integers, so that a load can count them per column without
 * allocating; everything from `blank` on was written as NULL, by the rule that it names.
 */
export const Outcome = {
  stored: 0,
  /** Stored, but only readable with another date format than that of the column. */
  fallbackParsed: 1,
  /** Nothing was written: the type of the column is fixed, and the cell does not fit it. */
  invalid: 2,
  /** Nothing was written: the detected type is too narrow and has to widen. */
  misfit: 3,
  /** Nothing was written: Postgres cannot store it in any type (U+0000). */
  unstorable: 4,
  /** Nothing was written: the value breaks a rule of its column. */
  broken: 5,
  blank: 6,
  nullText: 7,
  nullValue: 8,
  wellKnown: 9,
  zero: 10,
  epoch: 11,
  excelDayZero: 12,
  excelDayOne: 13,
} as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

const OUTCOMES = 14

/** The names of the NULL rules in reports, by outcome. */
const NULL_RULES: readonly (readonly [outcome: Outcome, rule: string])[] = [
  [Outcome.blank, 'blank'],
  [Outcome.nullText, 'null-text'],
  [Outcome.nullValue, 'null-value'],
  [Outcome.wellKnown, 'well-known'],
  [Outcome.zero, 'zero'],
  [Outcome.epoch, 'epoch'],
  [Outcome.excelDayZero, 'excel-day-zero'],
  [Outcome.excelDayOne, 'excel-day-one'],
]

/** Whether the encoder wrote nothing, so that the caller must decide what the cell becomes. */
export function isRefused(outcome: Outcome): boolean {
  return outcome >= Outcome.invalid && outcome <= Outcome.broken
}

/** Whether the encoder wrote NULL, by any rule. */
export function isNull(outcome: Outcome): boolean {
  return outcome >= Outcome.blank
}

/** The rules that make a cell NULL in each type; others do not apply to it. */
const DATE_RULES = [Outcome.blank, Outcome.nullText, Outcome.nullValue]
const TYPED_RULES = [...DATE_RULES, Outcome.wellKnown]
const SAMPLE_RULES: Record<ColumnType, readonly Outcome[]> = {
  text: [Outcome.blank],
  number: TYPED_RULES,
  boolean: TYPED_RULES,
  json: TYPED_RULES,
  date: DATE_RULES,
}

/** The number of cells in a sample that become NULL, by the names of the rules. */
export function namedNulls(
  type: ColumnType,
  nulls: ReadonlyMap<Outcome, number>,
  datePlaceholders: ReadonlyMap<Outcome, number>,
): Record<string, number> {
  const rules = SAMPLE_RULES[type]
  return named((outcome) => {
    const count = rules.includes(outcome) ? (nulls.get(outcome) ?? 0) : 0
    return count + (type === 'date' ? (datePlaceholders.get(outcome) ?? 0) : 0)
  })
}

/** The outcomes of a load in every column: a counter for each outcome. */
export class OutcomeTally {
  readonly #counts: Float64Array

  constructor(columns: number) {
    this.#counts = new Float64Array(columns * OUTCOMES)
  }

  add(column: number, outcome: Outcome): void {
    this.#counts[column * OUTCOMES + outcome]! += 1
  }

  count(column: number, outcome: Outcome): number {
    return this.#counts[column * OUTCOMES + outcome] ?? 0
  }

  /** The evidence of a sample, with the counts of the whole load instead of those of the sample. */
  complete(column: number, evidence: ColumnEvidence): ColumnEvidence {
    return {
      ...evidence,
      nulls: named((outcome) => this.count(column, outcome)),
      fallbackParsed: this.count(column, Outcome.fallbackParsed),
    }
  }
}

function named(countOf: (outcome: Outcome) => number): Record<string, number> {
  const counts = NULL_RULES.map(([outcome, rule]) => [rule, countOf(outcome)] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
