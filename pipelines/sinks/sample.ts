import type { Batch } from '../core/batch.ts'
import { CellPresenter } from '../transforms/cast.ts'
import type { ColumnDecision } from '../encoders/column-decision.ts'
import type { ValueContext } from '../transforms/value-context.ts'

/** Keeps the first rows as they would be stored, cell by cell as JSON text: the preview's sink. */
export class SampleSink {
  readonly rows: (readonly (string | null)[])[] = []
  readonly #limit: number
  readonly #presenters: readonly CellPresenter[]

  constructor(decisions: readonly ColumnDecision[], context: ValueContext, limit: number) {
    this.#limit = limit
    this.#presenters = decisions.map((decision) => new CellPresenter(decision, context))
  }

  get isFull(): boolean {
    return this.rows.length >= this.#limit
  }

  take(batch: Batch, row: number): void {
    this.rows.push(
      this.#presenters.map((presenter, column) =>
        column < batch.width ? presenter.present(batch, row * batch.width + column) : null,
      ),
    )
  }
}
