import type { Batch } from '../core/batch.ts'
import { layoutOrder, layoutsShownAs } from '../dates/formats.ts'
import type { DateParsing } from '../dates/parse-date.ts'
import { BigintEncoder } from '../encoders/bigint.ts'
import { BooleanEncoder } from '../encoders/boolean.ts'
import { CopyBuffer } from '../encoders/copy-buffer.ts'
import { DateEncoder, TimestamptzEncoder } from '../encoders/dates.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { jsonText } from '../encoders/json-text.ts'
import { JsonbEncoder } from '../encoders/jsonb.ts'
import { NumericEncoder } from '../encoders/numeric.ts'
import { isRefused, Outcome } from '../encoders/outcome.ts'
import { TextEncoder } from '../encoders/text.ts'
import type { ColumnDecision, DateDecision } from './column-decision.ts'
import type { ValueContext } from './value-context.ts'

/** The encoder that writes cells of a column the way the column was decided. */
export function createEncoder(decision: ColumnDecision, context: ValueContext): CellEncoder {
  const { nullValues } = context
  switch (decision.sqlType) {
    case 'text':
      return new TextEncoder()
    case 'bigint':
      return new BigintEncoder(decision, nullValues)
    case 'numeric':
      return new NumericEncoder(decision, nullValues)
    case 'date':
      return new DateEncoder(dateParsing(decision, context), nullValues)
    case 'timestamptz':
      return new TimestamptzEncoder(dateParsing(decision, context), nullValues)
    case 'boolean':
      return new BooleanEncoder(decision.given, nullValues)
    case 'jsonb':
      return new JsonbEncoder(decision.given, nullValues)
  }
}

function dateParsing(decision: DateDecision, { zone }: ValueContext): DateParsing {
  return {
    order: layoutOrder(decision.dateFormat, decision.layout),
    own: layoutsShownAs(decision.dateFormat),
    zone,
  }
}

/** A cell as it would be stored, as JSON text: what previews show. */
export class CellPresenter {
  /** What became of the cell that was presented last. */
  outcome: Outcome = Outcome.blank
  readonly #encoder: CellEncoder
  readonly #decision: ColumnDecision
  readonly #scratch = new CopyBuffer(256)

  constructor(decision: ColumnDecision, context: ValueContext) {
    this.#encoder = createEncoder(decision, context)
    this.#decision = decision
  }

  /** Null for NULL, and for a cell that cannot be stored. */
  present(batch: Batch, cell: number): string | null {
    this.#scratch.rewind(0)
    this.outcome = this.#encoder.encode(batch, cell, this.#scratch)
    if (isRefused(this.outcome)) return null
    return jsonText(this.#decision.sqlType, this.#scratch.bytes, 0)
  }
}
