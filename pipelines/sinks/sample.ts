import { type Batch, NULL_CELL } from '../core/batch.ts'
import { CellPresenter } from '../transforms/cast.ts'
import type { ColumnDecision } from '../encoders/column-decision.ts'
import type { ValueContext } from '../transforms/value-context.ts'

/** The rows that are wanted are more than may be kept of them; the first ones are not, so many. */
export class SampleTooLongError extends Error {
  override readonly name = 'SampleTooLongError'
  readonly rowsThatFit: number

  constructor(rowsThatFit: number, options?: ErrorOptions) {
    super(`Only the first ${rowsThatFit} rows are short enough to be shown`, options)
    this.rowsThatFit = rowsThatFit
  }
}

export interface SampleSize {
  readonly rows: number
  /** Of the rows as JSON, with the names of their columns in each of them. */
  readonly bytes: number
}

/** Keeps the first rows as they would be stored, cell by cell as JSON text: the preview's sink. */
export class SampleSink {
  readonly rows: (readonly (string | null)[])[] = []
  readonly #most: SampleSize
  readonly #presenters: readonly CellPresenter[]
  readonly #namesBytes: number
  #bytes = 0

  constructor(
    columns: readonly { readonly name: string; readonly decision: ColumnDecision }[],
    context: ValueContext,
    most: SampleSize,
  ) {
    this.#most = most
    this.#presenters = columns.map(({ decision }) => new CellPresenter(decision, context))
    // The names stand once more in front of the rows.
    this.#namesBytes = Buffer.byteLength(JSON.stringify(columns.map(({ name }) => name)))
    this.#bytes = this.#namesBytes
  }

  get isFull(): boolean {
    return this.rows.length >= this.#most.rows
  }

  take(batch: Batch, row: number): void {
    this.#add(this.#namesBytes)
    this.rows.push(
      this.#presenters.map((presenter, column) => {
        if (column >= batch.width) return null
        const cell = row * batch.width + column
        if (cellBytes(batch, cell) > this.#left) throw new SampleTooLongError(this.rows.length)
        const text = presenter.present(batch, cell)
        this.#add(text === null ? NULL_BYTES : Buffer.byteLength(text))
        return text
      }),
    )
  }

  get #left(): number {
    return this.#most.bytes - this.#bytes
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    if (this.#left < 0) throw new SampleTooLongError(this.rows.length)
  }
}

const NULL_BYTES = 'null'.length

/** Also of what is not shown in the end: it would have to be written first. */
function cellBytes({ start, end }: Batch, cell: number): number {
  return end[cell] === NULL_CELL ? 0 : end[cell]! - start[cell]!
}
