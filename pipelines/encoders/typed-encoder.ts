import { CellKind, type Batch } from '../core/batch.ts'
import { isNullText, type NullValues } from '../transforms/null-placeholders.ts'
import { skipSpace, skipSpaceBack } from '../transforms/white-space.ts'
import type { CopyBuffer } from './copy-buffer.ts'
import type { CellEncoder } from './encoder.ts'
import { Outcome } from './outcome.ts'

/** What every type but text has in common: white space around a value, blanks, and NULL texts. */
export abstract class TypedEncoder implements CellEncoder {
  readonly #nullValues: NullValues | null

  constructor(nullValues: NullValues) {
    this.#nullValues = nullValues.none ? null : nullValues
  }

  encode(batch: Batch, cell: number, out: CopyBuffer): Outcome {
    const { bytes, kinds } = batch
    let start = batch.start[cell]!
    let end = batch.end[cell]!
    // An empty cell, or none at all: NULL_CELL lies before every start.
    if (end <= start) return writeNull(out, Outcome.blank)
    if (!isInk(bytes[start]!)) start = skipSpace(bytes, start, end)
    if (start === end) return writeNull(out, Outcome.blank)
    if (!isInk(bytes[end - 1]!)) end = skipSpaceBack(bytes, start, end)
    if (this.#nullValues?.has(bytes, start, end)) return writeNull(out, Outcome.nullValue)
    const kind = kinds === null ? CellKind.text : kinds[cell]!
    const outcome = this.write(bytes, start, end, kind, out)
    if (outcome !== Outcome.invalid && outcome !== Outcome.misfit) return outcome
    return isNullText(bytes, start, end) ? writeNull(out, Outcome.nullText) : outcome
  }

  /** Writes the value between `start` and `end`, of which neither is white space. */
  protected abstract write(
    bytes: Buffer,
    start: number,
    end: number,
    kind: number,
    out: CopyBuffer,
  ): Outcome
}

export function writeNull(out: CopyBuffer, rule: Outcome): Outcome {
  out.null()
  return rule
}

/** A byte that is surely not white space; others may be part of it. */
function isInk(byte: number): boolean {
  return byte > 0x20 && byte < 0x80
}
