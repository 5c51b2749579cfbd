import type { Batch } from '../core/batch.ts'
import { layoutOrder, layoutsShownAs } from '../dates/formats.ts'
import { DatePattern } from '../dates/date-pattern.ts'
import { DateParser } from '../dates/parse-date.ts'
import { PatternParser } from '../dates/pattern-parser.ts'
import { BigintWriter, NumericWriter } from '../encoders/numbers.ts'
import { BooleanWriter, BoxEncoder } from '../encoders/boolean.ts'
import { CopyBuffer } from '../encoders/copy-buffer.ts'
import { DateWriter, TimestamptzWriter } from '../encoders/dates.ts'
import type { CellEncoder } from '../encoders/encoder.ts'
import { jsonText } from '../encoders/json-text.ts'
import { JsonbWriter } from '../encoders/jsonb.ts'
import { isRefused, Outcome } from '../cells/outcome.ts'
import { TextEncoder } from '../encoders/text.ts'
import { TypedEncoder } from '../encoders/typed-encoder.ts'
import type { ValueWriter } from '../encoders/value-writer.ts'
import type { ColumnDecision, DateDecision, TextDecision } from '../encoders/column-decision.ts'
import type { ValueContext } from './value-context.ts'

/** Creates the encoder for the cells of a column as it was decided. */
export function createEncoder(decision: ColumnDecision, context: ValueContext): CellEncoder {
  if (decision.type === 'text') return new TextEncoder(context.nullValues)
  const keepsShown = decision.type === 'number' && decision.keepsShown === true
  const encoder = new TypedEncoder(createWriter(decision, context), context.nullValues, keepsShown)
  return decision.type === 'boolean' && decision.areBoxes === true
    ? new BoxEncoder(encoder)
    : encoder
}

function createWriter(
  decision: Exclude<ColumnDecision, TextDecision>,
  context: ValueContext,
): ValueWriter {
  switch (decision.sqlType) {
    case 'bigint':
      return new BigintWriter(decision)
    case 'numeric':
      return new NumericWriter(decision)
    case 'date':
      return new DateWriter(dateParser(decision, context))
    case 'timestamptz':
      return new TimestamptzWriter(dateParser(decision, context))
    case 'boolean':
      return new BooleanWriter(decision.given)
    case 'jsonb':
      return new JsonbWriter(decision.given)
  }
}

function dateParser(
  decision: DateDecision,
  { zone, keepsPlaceholderDays }: ValueContext,
): DateParser {
  const { dateFormat, layout, pattern } = decision
  const parsing = {
    order: layoutOrder(dateFormat, layout),
    own: layoutsShownAs(dateFormat),
    zone,
    keepsPlaceholderDays,
  }
  return pattern === undefined
    ? new DateParser(parsing)
    : new PatternParser(parsing, new DatePattern(pattern))
}

/** Presents a cell as it would be stored, as JSON text for previews. */
export class CellPresenter {
  /** The outcome of the cell that was presented last. */
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
