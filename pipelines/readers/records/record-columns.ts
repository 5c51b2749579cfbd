import { EngineError } from '../../core/errors.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { RecordColumn } from '../../core/source.ts'
import { normaliseHeaders } from '../../headers/sql-names.ts'
import { HeaderIndex, NO_COLUMN } from '../json/header-index.ts'
import type { Message } from '../../core/message.ts'
import { recordMessages } from './messages.ts'

/**
 * The columns of a source, in the order of its form. If several columns have the same key, its
 * value is copied to each. A key that the form does not know becomes a column of its own at the
 * end, with the key as its header, so that no answer is lost.
 */
export class RecordColumns {
  readonly headers: (string | null)[]
  /** The keys of the form, and those that were found in records since. */
  readonly keys = new HeaderIndex()
  /** Key → its columns. */
  readonly #ofKey: number[][] = []
  readonly #maximum: number
  #names: readonly string[] = []

  constructor(columns: readonly RecordColumn[], { columns: maximum }: EngineLimits) {
    this.headers = columns.map((column) => column.label)
    this.#maximum = maximum
    this.#refuseTooMany(recordMessages.wideForm)
    for (const [column, { key, label }] of columns.entries()) this.#know(key, label ?? key, column)
  }

  get count(): number {
    return this.headers.length
  }

  /** The headers, normalised. */
  get names(): readonly string[] {
    const late = this.headers.slice(this.#names.length)
    if (late.length > 0) this.#names = [...this.#names, ...normaliseHeaders(late, this.#names)]
    return this.#names
  }

  ofKey(key: number): readonly number[] {
    return this.#ofKey[key]!
  }

  /** Creates a column for each of the first `count` keys that has none. */
  admit(count: number): void {
    for (let key = this.#ofKey.length; key < count; key++) {
      this.#ofKey.push([this.headers.length])
      this.headers.push(this.keys.names[key]!)
    }
    // Keys are counted when they are read, but the form may have several columns for one.
    this.#refuseTooMany(recordMessages.wideRecords)
  }

  #refuseTooMany(tooMany: (values: { most: number }) => Message): void {
    const most = this.#maximum
    if (this.count <= most) return
    throw new EngineError(tooMany({ most }), { kind: 'limit', limit: 'columns' })
  }

  #know(name: string, label: string, column: number): void {
    const previous = this.#ofKey.length - 1
    const key = this.keys.find(name, previous)
    if (key !== NO_COLUMN) {
      this.#ofKey[key]!.push(column)
      return
    }
    this.keys.add(name, previous, label)
    this.#ofKey.push([column])
  }
}
