import { isNull, isRefused, Outcome } from '../cells/outcome.ts'
import { type Batch, CellKind, cellText } from '../core/batch.ts'
import type { SqlType } from '../core/plan.ts'
import type { CopyBuffer } from '../encoders/copy-buffer.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { CellValue } from './cell-value.ts'
import type { JudgedRule } from './judged-rule.ts'

/** Is told of values that break a rule without being refused for it. */
export type OnWarning = (rule: JudgedRule, batch: Batch, row: number, column: number) => void

interface JudgedColumn {
  readonly encoder: CellEncoder
  readonly sqlType: SqlType
  readonly rules: readonly JudgedRule[]
  /** Its place in a row. */
  readonly column: number
  readonly onWarning: OnWarning
}

/**
 * Judges what an encoder has written, so that the rows of a table without rules pay nothing for
 * those that have some.
 */
export class JudgedEncoder implements CellEncoder {
  /** Those that the cell which was judged last is refused for. */
  broken: readonly JudgedRule[] = []
  readonly #column: JudgedColumn
  readonly #value: CellValue
  readonly #asksForText: boolean
  /** What blanks break. */
  readonly #required: readonly JudgedRule[]

  constructor(column: JudgedColumn) {
    this.#column = column
    this.#value = new CellValue(column.sqlType)
    this.#asksForText = column.rules.some(({ asksForText }) => asksForText)
    this.#required = column.rules.filter(({ isRequired }) => isRequired)
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const at = out.length
    const { encoder, column } = this.#column
    const outcome = encoder.encode(batch, cell, out)
    if (isRefused(outcome)) return outcome
    const row = (cell - column) / batch.width
    if (isNull(outcome) ? this.#passesBlank(batch, row) : this.#passes(batch, row, out, at)) {
      return outcome
    }
    out.rewind(at)
    return Outcome.broken
  }

  /** Of a row that ends before the column. Writes nothing. */
  judgeAbsent(batch: Batch, row: number): Outcome {
    return this.#passesBlank(batch, row) ? Outcome.blank : Outcome.broken
  }

  #passes(batch: Batch, row: number, out: CopyBuffer, at: number): boolean {
    const value = this.#value
    value.look(out.bytes, at)
    if (this.#asksForText) value.written = writtenText(batch, row, this.#column.column)
    const { rules } = this.#column
    if (rules.every((rule) => rule.isKept(value))) return true
    return this.#settle(
      batch,
      row,
      rules.filter((rule) => !rule.isKept(value)),
    )
  }

  #passesBlank(batch: Batch, row: number): boolean {
    return this.#required.length === 0 || this.#settle(batch, row, this.#required)
  }

  #settle(batch: Batch, row: number, broken: readonly JudgedRule[]): boolean {
    const { column, onWarning } = this.#column
    for (const rule of broken) if (rule.isWarning) onWarning(rule, batch, row, column)
    this.broken = broken.filter(({ isWarning }) => !isWarning)
    return this.broken.length === 0
  }
}

function writtenText(batch: Batch, row: number, column: number): string | null {
  const kind = batch.kinds?.[row * batch.width + column] ?? CellKind.text
  return kind === CellKind.text ? cellText(batch, row, column) : null
}
