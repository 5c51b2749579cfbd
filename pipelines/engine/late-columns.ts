import type { Batch } from '../core/batch.ts'
import type { CommonOptions } from '../core/options.ts'
import type { Reading } from '../core/reader.ts'
import { TypeDetector } from '../transforms/detect-types.ts'
import type { ValueContext } from '../transforms/value-context.ts'
import type { ColumnNames, NamedColumn } from './column-names.ts'
import { type DecidedColumn, heldType, placesIn } from './decide-columns.ts'

interface LateColumn extends NamedColumn {
  readonly detector: TypeDetector
}

/** Columns that appear only after the types were decided, such as a JSON key that occurs late. */
export class LateColumns {
  readonly #known: readonly NamedColumn[]
  readonly #names: ColumnNames
  readonly #options: CommonOptions
  readonly #context: ValueContext
  readonly #reading: Reading
  readonly #late: LateColumn[] = []

  constructor(input: {
    known: readonly NamedColumn[]
    names: ColumnNames
    options: CommonOptions
    context: ValueContext
    reading: Reading
  }) {
    this.#known = input.known
    this.#names = input.names
    this.#options = input.options
    this.#context = input.context
    this.#reading = input.reading
  }

  get found(): boolean {
    return this.#late.length > 0
  }

  /** Every column so far, with the late ones at the end. */
  get allNames(): readonly NamedColumn[] {
    return [...this.#known, ...this.#late]
  }

  /** Must be given every batch: a late column is examined from its first value to its last. */
  note(batch: Batch): void {
    if (batch.width <= this.#known.length) return
    const before = this.allNames
    if (batch.width > before.length) {
      const raw = this.#reading.headers.slice(before.length, batch.width)
      for (const named of this.#names.nameAll(raw, before)) {
        const held = heldType(this.#options, this.#names, named)
        const detector = new TypeDetector(this.#context, held, placesIn(this.#reading))
        this.#late.push({ ...named, detector })
      }
    }
    for (const [at, { detector }] of this.#late.entries()) {
      detector.observe(batch, this.#known.length + at)
    }
  }

  decide(): readonly DecidedColumn[] {
    return this.#late.map(({ detector, ...named }) => ({ ...named, ...detector.decide() }))
  }
}
