import { type Batch, NULL_CELL } from '../core/batch.ts'
import { CellPresenter } from '../transforms/cast.ts'
import type { ColumnDecision } from '../encoders/column-decision.ts'
import type { ValueContext } from '../transforms/value-context.ts'

/** The wanted rows exceed what may be kept; the first `rowsThatFit` do not. */
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
  /** The size of the rows as JSON, counting the column names in each of them. */
  readonly bytes: number
}

interface SampledColumn {
  readonly name: string
  readonly decision: ColumnDecision
  /** It is not shown. */
  readonly isLeft: boolean
}

/** The sink of a preview: keeps the first rows as they would be stored, with cells as JSON text. */
export class SampleSink {
  readonly rows: (readonly (string | null)[])[] = []
  readonly #most: SampleSize
  readonly #presenters: readonly { readonly at: number; readonly cells: CellPresenter }[]
  readonly #namesBytes: number
  #bytes = 0

  constructor(columns: readonly SampledColumn[], context: ValueContext, most: SampleSize) {
    this.#most = most
    const shown = [...columns.entries()].filter(([, { isLeft }]) => !isLeft)
    this.#presenters = shown.map(([at, { decision }]) => ({
      at,
      cells: new CellPresenter(decision, context),
    }))
    // The names also come once before the rows.
    this.#namesBytes = Buffer.byteLength(JSON.stringify(shown.map(([, { name }]) => name)))
    this.#bytes = this.#namesBytes
  }

  get isFull(): boolean {
    return this.rows.length >= this.#most.rows
  }

  take(batch: Batch, row: number): void {
    this.#add(this.#namesBytes)
    this.rows.push(
      this.#presenters.map(({ at, cells }) => {
        if (at >= batch.width) return null
        const cell = row * batch.width + at
        if (cellBytes(batch, cell) > this.#left) throw new SampleTooLongError(this.rows.length)
        const text = cells.present(batch, cell)
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

/** Includes cells that are not shown in the end, since they would have to be written first. */
function cellBytes({ start, end }: Batch, cell: number): number {
  return end[cell] === NULL_CELL ? 0 : end[cell]! - start[cell]!
}
