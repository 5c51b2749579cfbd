import type { ColumnType } from '../core/options.ts'
import type { ColumnEvidence } from '../core/report.ts'
import { NULL_RULES, Outcome, OUTCOMES } from '../cells/outcome.ts'

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
