import { CellKind, type Batch } from '../core/batch.ts'
import type { SqlType } from '../core/plan.ts'
import type { CounterExample } from '../core/report.ts'
import { CopyBuffer } from '../encoders/copy-buffer.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { isRefused, Outcome } from '../cells/outcome.ts'
import { NumberTally, type NotationVerdict } from '../numbers/number-tally.ts'
import { ShownDigits } from '../cells/shown-digits.ts'
import { createEncoder } from './cast.ts'
import { TEXT, type ColumnDecision } from '../encoders/column-decision.ts'
import { counterExample, type PlaceOf } from '../cells/cell-messages.ts'
import type { ValueContext } from './value-context.ts'
import { skipSpace, skipSpaceBack } from '../cells/white-space.ts'

export interface Surveyed {
  /** The decision before the survey, or the narrowest wider one that accepts every value. */
  readonly decision: ColumnDecision
  /** The first cell that the decision could not accept; null if nothing has to change. */
  readonly cause: CounterExample | null
  /** For a number column: even the whole input left the meaning of its separator open. */
  readonly ambiguous: boolean
}

/**
 * Examines every cell of a column after a value has broken its detected type, so that one restart
 * is enough. Cells that a fixed type refuses change nothing here; the load counts them.
 *
 * A number column remains one if a single notation accepts every value: after many values like
 * `1,234`, `1,5` shows that the comma was the decimal sign all along. Otherwise it becomes text,
 * which loses nothing; a mixture is never guessed cell by cell.
 */
export class TypeSurvey {
  readonly #decision: ColumnDecision
  readonly #context: ValueContext
  readonly #placeOf: PlaceOf | undefined
  readonly #encoder: CellEncoder
  readonly #scratch = new CopyBuffer(256)
  readonly #numbers: NumberTally
  readonly #digits = new ShownDigits()
  #values = 0
  /** Some number has shown digits that must be kept. */
  #hasDigitsToKeep = false
  #cause: CounterExample | null = null

  constructor(decision: ColumnDecision, context: ValueContext, placeOf?: PlaceOf) {
    this.#decision = decision
    this.#context = context
    this.#placeOf = placeOf
    this.#encoder = createEncoder(decision, context)
    this.#numbers = new NumberTally(decision.given)
  }

  /** One more piece of a long value; false: there is more of it. */
  judgeAhead(batch: Batch, column: number, row: number): boolean {
    if (this.#isDecided || column >= batch.width) return true
    return this.#encoder.judgeAhead?.(batch, row * batch.width + column) ?? true
  }

  /** No value changes anything any more: what was JSON can only become text. */
  get #isDecided(): boolean {
    return this.#decision.type === 'json' && this.#cause !== null
  }

  observe(batch: Batch, column: number, from = 0, to = batch.rows): void {
    const { type } = this.#decision
    if (type === 'text' || this.#isDecided || column >= batch.width) return
    for (let row = from; row < to; row++) {
      const cell = row * batch.width + column
      this.#scratch.rewind(0)
      const outcome = this.#encoder.encode(batch, cell, this.#scratch)
      if (outcome === Outcome.misfit) {
        this.#cause ??= counterExample(batch, row, column, this.#placeOf)
        this.#hasDigitsToKeep ||= batch.kinds?.[cell] === CellKind.shownDigits
      }
      const isValue = outcome === Outcome.stored || isRefused(outcome)
      if (type === 'number' && isValue) this.#tally(batch, cell)
    }
    this.#encoder.forgetAhead?.()
  }

  result(): Surveyed {
    const decision = this.#decision
    const cause = this.#cause
    if (cause === null) {
      return { decision, cause, ambiguous: decision.type === 'number' && this.#verdict().ambiguous }
    }
    const { sqlType } = decision
    const wider = [sqlType, ...WIDENS_TO[sqlType]].find((type) => this.#takesAll(type)) ?? sqlType
    if (decision.type === 'date') {
      return { decision: { ...decision, sqlType: 'timestamptz' }, cause, ambiguous: false }
    }
    if (decision.type === 'number' && (wider === 'bigint' || wider === 'numeric')) {
      const { notation, ambiguous } = this.#verdict()
      // The whole input has been read, so no later value can change the notation.
      return {
        decision: { ...decision, sqlType: wider, notation, settled: true },
        cause,
        ambiguous,
      }
    }
    return { decision: TEXT, cause, ambiguous: false }
  }

  #tally(batch: Batch, cell: number): void {
    const { bytes } = batch
    const start = skipSpace(bytes, batch.start[cell]!, batch.end[cell]!)
    const end = skipSpaceBack(bytes, start, batch.end[cell]!)
    const kind = batch.kinds?.[cell] ?? CellKind.text
    this.#values += 1
    if (kind === CellKind.shownDigits) {
      this.#digits.take(bytes, start, end)
      this.#numbers.observe(this.#digits.bytes, 0, this.#digits.length, CellKind.number)
    } else this.#numbers.observe(bytes, start, end, kind)
  }

  /** Only called after some cell did not fit the decided type. */
  #takesAll(type: SqlType): boolean {
    if (type !== 'bigint' && type !== 'numeric') return type !== this.#decision.sqlType
    if (this.#hasDigitsToKeep) return false
    const { accepted, integers } = this.#verdict()
    const numbers = this.#decision.given || accepted === this.#values
    return numbers && (type === 'numeric' || integers)
  }

  /** A settled notation stays; otherwise the whole input decides. */
  #verdict(): NotationVerdict {
    const decision = this.#decision
    const settled = decision.type === 'number' && decision.settled
    if (!settled || decision.notation === 'plain') return this.#numbers.verdict(this.#context)
    const decimal = decision.notation === 'comma-decimal' ? ',' : '.'
    return this.#numbers.verdict({ ...this.#context, decimal })
  }
}

/**
 * What a detected column may become if a later value does not fit it, narrowest first. Text accepts
 * everything; JSON becomes canonical text. A date column is fixed: anything else in it is an
 * invalid cell, and only a time widens it. A given type only widens within its own family, so never
 * to text.
 */
const WIDENS_TO: Record<SqlType, readonly SqlType[]> = {
  bigint: ['numeric', 'text'],
  numeric: ['text'],
  boolean: ['text'],
  jsonb: ['text'],
  date: ['timestamptz'],
  timestamptz: [],
  text: [],
}
