import { EngineError } from '../../core/errors.ts'
import type { RecordColumn } from '../../core/source.ts'
import { normaliseHeaders } from '../../transforms/normalise-headers.ts'

type PlainRecord = Readonly<Record<string, unknown>>

/**
 * The columns of a source, in the order of its form. A key that stands for several columns has its
 * value copied to each. A key that the form does not know becomes a column of its own, at the end,
 * with the key as its header: nothing that was answered is lost.
 */
export class RecordColumns {
  readonly headers: (string | null)[]
  /** Column → key. */
  readonly keys: string[]
  readonly #known: Set<string>
  readonly #maximum: number
  #names: readonly string[] = []

  constructor(columns: readonly RecordColumn[], maximum: number) {
    this.headers = columns.map((column) => column.label)
    this.keys = columns.map((column) => column.key)
    this.#known = new Set(this.keys)
    this.#maximum = maximum
    this.#refuseTooMany()
  }

  /** The headers, normalised. */
  get names(): readonly string[] {
    const late = this.headers.slice(this.#names.length)
    if (late.length > 0) this.#names = [...this.#names, ...normaliseHeaders(late, this.#names)]
    return this.#names
  }

  admit(record: PlainRecord): void {
    for (const key of Object.keys(record)) {
      if (this.#known.has(key)) continue
      this.#known.add(key)
      this.keys.push(key)
      this.headers.push(key)
      this.#refuseTooMany()
    }
  }

  #refuseTooMany(): void {
    if (this.keys.length <= this.#maximum) return
    throw new EngineError(`The records have more than ${this.#maximum} columns.`, {
      kind: 'limit',
      limit: 'columns',
    })
  }
}
