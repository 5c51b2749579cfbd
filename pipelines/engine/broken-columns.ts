import type { Batch } from '../core/batch.ts'
import type { Reading } from '../core/reader.ts'
import type { Widening } from '../core/report.ts'
import { TEXT } from '../transforms/column-decision.ts'
import { TypeSurvey } from '../transforms/survey-types.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import { type DecidedColumn, placesIn } from './decide-columns.ts'

/** A column that has broken so often gets no further chance: what is in it is text. */
const MOST_REPAIRS = 2

/** Columns whose detected type a value broke; from then on all of their cells are looked at. */
export class BrokenColumns {
  readonly #columns: readonly DecidedColumn[]
  readonly #context: ValueContext
  readonly #reading: Reading
  readonly #surveys = new Map<number, TypeSurvey>()

  constructor(columns: readonly DecidedColumn[], context: ValueContext, reading: Reading) {
    this.#columns = columns
    this.#context = context
    this.#reading = reading
  }

  get found(): boolean {
    return this.#surveys.size > 0
  }

  add(column: number): void {
    if (this.#surveys.has(column)) return
    const { decision } = this.#columns[column]!
    this.#surveys.set(column, new TypeSurvey(decision, this.#context, placesIn(this.#reading)))
  }

  /** To be shown every batch, after its rows were cast. */
  observe(batch: Batch): void {
    for (const [column, survey] of this.#surveys) survey.observe(batch, column)
  }

  /** The columns as the next pass should have them, and what changed. */
  mend(restarts: number): { columns: DecidedColumn[]; widenings: Widening[] } {
    const columns = [...this.#columns]
    const widenings: Widening[] = []
    for (const [at, survey] of this.#surveys) {
      const column = columns[at]!
      const { decision, cause, ambiguous } = survey.result()
      const isLost =
        restarts >= MOST_REPAIRS && !column.decision.given && decision.type === 'number'
      const mended = isLost ? TEXT : decision
      columns[at] = {
        ...column,
        decision: mended,
        evidence: { ...column.evidence, ambiguous: ambiguous || column.evidence.ambiguous },
      }
      if (cause === null) continue
      const from = column.decision.sqlType
      widenings.push({ column: column.name, from, to: mended.sqlType, cause })
    }
    return { columns, widenings }
  }
}
