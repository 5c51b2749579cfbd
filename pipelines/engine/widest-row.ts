import type { Batch } from '../core/batch.ts'
import { EngineError } from '../core/errors.ts'
import type { Reading } from '../core/reader.ts'
import type { CopyBuffer } from '../encoders/copy-buffer.ts'
import { placeOfRow } from '../core/place-messages.ts'
import { sinkMessages } from '../sinks/sink-messages.ts'

/** A page holds this many cells of the greatest width, so rows with no more columns are never too wide. */
const COLUMNS_THAT_ALWAYS_FIT = 330
/** The most bytes that PostgreSQL keeps in the row; a longer value is moved out and leaves a pointer. */
const MOST_IN_ROW_BYTES = 24
const POINTER_BYTES = 18

interface Place {
  readonly row: number
  readonly line?: number
  readonly place?: string
}

/**
 * The row that takes the most room in its page. PostgreSQL only says that one of thousands of rows
 * is too wide; if any is, this one is.
 */
export class WidestRow {
  readonly #reading: Reading
  #width = 0
  #place: Place | null = null

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /** Must be told of every encoded row, which is in `out` from `from` on. */
  note(out: CopyBuffer, from: number, batch: Batch, row: number): void {
    if (out.view.getInt16(from) < COLUMNS_THAT_ALWAYS_FIT) return
    const width = widthInPage(out, from)
    if (width <= this.#width) return
    const line = batch.lines?.[row]
    const place = this.#reading.place(batch, row, 0) ?? undefined
    this.#width = width
    this.#place = {
      row: batch.firstRow + row,
      ...(line !== undefined && { line }),
      ...(place !== undefined && { place }),
    }
  }

  /** Returns the error, with the row named if it is about one that is too wide. */
  named(error: unknown): unknown {
    if (!(error instanceof EngineError) || this.#place === null) return error
    const { problem, cause } = error
    if (problem.kind !== 'limit' || problem.limit !== 'row') return error
    const place = placeOfRow(this.#place)
    const reason = cause instanceof Error ? cause.message : ''
    return new EngineError(
      sinkMessages.wideRowAt({ place, reason }),
      { ...problem, ...this.#place },
      { cause },
    )
  }
}

function widthInPage({ view, length }: CopyBuffer, from: number): number {
  let width = 0
  let at = from + Int16Array.BYTES_PER_ELEMENT
  while (at < length) {
    const bytes = view.getInt32(at)
    at += Int32Array.BYTES_PER_ELEMENT
    if (bytes < 0) continue
    at += bytes
    width += bytes < MOST_IN_ROW_BYTES ? bytes + 1 : POINTER_BYTES
  }
  return width
}
