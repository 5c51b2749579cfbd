import type { Batch } from '../core/batch.ts'
import type { Reading } from '../core/reader.ts'
import type { ColumnEvidence, Widening } from '../core/report.ts'
import { stretchEnd } from '../core/row-stretch.ts'
import { type ColumnDecision, isOpen, TEXT } from '../encoders/column-decision.ts'
import { TypeSurvey } from '../transforms/survey-types.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import { type DecidedColumn, placesIn } from './decide-table.ts'

/** A column of numbers that still does not fit after this many restarts becomes text. */
const MOST_RESTARTS = 2

/**
 * Columns whose every cell is examined. It starts at the value that did not fit the detected type,
 * as all earlier ones did. If the sample left open what a number's signs mean, it starts at the
 * first row: `1,234` fits both notations, and counts for whichever one the rest turns out to need.
 */
export class ColumnSurveys {
  readonly #columns: readonly DecidedColumn[]
  readonly #context: ValueContext
  readonly #reading: Reading
  readonly #surveys = new Map<number, TypeSurvey>()
  readonly #broken = new Set<number>()

  constructor(columns: readonly DecidedColumn[], context: ValueContext, reading: Reading) {
    this.#columns = columns
    this.#context = context
    this.#reading = reading
    for (const [at, { decision }] of columns.entries()) if (isOpen(decision)) this.#begin(at)
  }

  get foundBroken(): boolean {
    return this.#broken.size > 0
  }

  addBroken(column: number): void {
    this.#broken.add(column)
    if (!this.#surveys.has(column)) this.#begin(column)
  }

  /** Must be given every batch, after its rows were cast. `pause` lets others have their turn. */
  async observe(batch: Batch, pause: () => Promise<void>): Promise<void> {
    if (this.#surveys.size === 0) return
    for (let from = 0; from < batch.rows;) {
      const to = stretchEnd(batch, from)
      const mayBeLong = to === from + 1
      for (const [column, survey] of this.#surveys) {
        if (mayBeLong) while (!survey.judgeAhead(batch, column, from)) await pause()
        survey.observe(batch, column, from, to)
      }
      await pause()
      from = to
    }
  }

  /** At the end of the input: what is ambiguous in all of it, rather than in the sample. */
  complete(column: number, evidence: ColumnEvidence): ColumnEvidence {
    const survey = this.#surveys.get(column)
    return survey === undefined ? evidence : { ...evidence, ambiguous: survey.result().ambiguous }
  }

  /** The columns for the next pass, and what has changed. */
  widen(restarts: number): { columns: DecidedColumn[]; widenings: Widening[] } {
    const columns = [...this.#columns]
    const widenings: Widening[] = []
    for (const at of this.#broken) {
      const column = columns[at]!
      const { decision, cause, ambiguous } = this.#surveys.get(at)!.result()
      const mayBeNumber = restarts < MOST_RESTARTS || column.decision.given
      const wider = decision.type === 'number' && !mayBeNumber ? TEXT : decision
      // For day and month, a survey knows no more than the sample did.
      const isUnsure =
        wider.type === 'date' ? column.evidence.ambiguous : ambiguous && wider === decision
      columns[at] = {
        ...column,
        decision: wider,
        evidence: { ...column.evidence, ambiguous: isUnsure },
      }
      if (cause !== null) {
        widenings.push({ column: column.name, ...change(column.decision, wider), cause })
      }
    }
    return { columns, widenings }
  }

  #begin(column: number): void {
    const { decision } = this.#columns[column]!
    this.#surveys.set(column, new TypeSurvey(decision, this.#context, placesIn(this.#reading)))
  }
}

/** Described by type or, if that is the same, by how numbers are read. */
function change(before: ColumnDecision, after: ColumnDecision): { from: string; to: string } {
  if (before.sqlType !== after.sqlType || before.type !== 'number' || after.type !== 'number') {
    return { from: before.sqlType, to: after.sqlType }
  }
  return {
    from: `${before.sqlType} (${before.notation})`,
    to: `${after.sqlType} (${after.notation})`,
  }
}
