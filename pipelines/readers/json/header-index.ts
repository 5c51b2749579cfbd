import { needsNoEscape } from './string-escapes.ts'
import { QUOTE } from './bytes.ts'

export const NO_COLUMN = -1
const NOT_PREDICTABLE = -1

/**
 * Finds the column of a key. Rows of one input usually have the same keys in the same order, so
 * the key that followed last time is compared byte by byte first, without creating a string.
 */
export class HeaderIndex {
  readonly names: string[] = []
  /** The name of each column in messages. */
  readonly labels: string[] = []
  readonly #byName = new Map<string, number>()
  /** The UTF-8 bytes of all names, one after another. */
  #pool = new Uint8Array(1024)
  #poolLength = 0
  readonly #from: number[] = []
  /** In bytes; `NOT_PREDICTABLE` if JSON never contains the key unescaped. */
  readonly #length: number[] = []
  /** At k + 1 the column that last followed column k; at 0 the one that came first. */
  readonly #next: number[] = [0]

  /** The column of the key at `from`, if it is the likely one after `previous`. */
  predicted(bytes: Uint8Array, from: number, previous: number): number {
    const column = this.#next[previous + 1]!
    if (column >= this.names.length) return NO_COLUMN
    const length = this.#length[column]!
    if (length === NOT_PREDICTABLE || bytes[from + length] !== QUOTE) return NO_COLUMN
    const pool = this.#pool
    const start = this.#from[column]!
    for (let i = 0; i < length; i += 1) {
      if (bytes[from + i] !== pool[start + i]) return NO_COLUMN
    }
    return column
  }

  keyLength(column: number): number {
    return this.#length[column]!
  }

  /** The column of a key after `previous`, or NO_COLUMN if it is new. */
  find(name: string, previous: number): number {
    const column = this.#byName.get(name)
    if (column === undefined) return NO_COLUMN
    this.#next[previous + 1] = column
    return column
  }

  add(name: string, previous: number, label = name): number {
    const column = this.names.push(name) - 1
    this.labels.push(label)
    this.#byName.set(name, column)
    this.#next[previous + 1] = column
    this.#next.push(column + 1)
    const utf8 = Buffer.from(name)
    this.#from.push(this.#poolLength)
    this.#length.push(needsNoEscape(utf8) ? utf8.length : NOT_PREDICTABLE)
    this.#keep(utf8)
    return column
  }

  /** A column that no key names: its cells are found by position. Names may be repeated. */
  addByPlace(name: string): number {
    const column = this.names.push(name) - 1
    this.labels.push(name)
    this.#from.push(this.#poolLength)
    this.#length.push(NOT_PREDICTABLE)
    this.#next.push(this.names.length)
    return column
  }

  #keep(utf8: Uint8Array): void {
    const needed = this.#poolLength + utf8.length
    if (needed > this.#pool.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#pool.length))
      larger.set(this.#pool)
      this.#pool = larger
    }
    this.#pool.set(utf8, this.#poolLength)
    this.#poolLength = needed
  }
}
