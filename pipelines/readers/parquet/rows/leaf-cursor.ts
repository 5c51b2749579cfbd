import { tooLarge } from '../file/damaged-file.ts'
import type { Leaf } from '../file/schema-tree.ts'
import type { ChunkPages, DecodedPage } from '../pages/chunk-pages.ts'
import type { RawValues } from '../pages/raw-values.ts'
import { parquetMessages } from '../messages/parquet-messages.ts'

/** How many pages of one leaf are held for a row that continues in them. */
const MOST_PAGES_HELD = 1000

/** The position of the next value of a leaf. Moving on never waits: `fill` loads the pages. */
export class LeafCursor {
  readonly leaf: Leaf
  readonly #pages: ChunkPages
  #page: DecodedPage | null = null
  #entry = 0
  #value = 0
  #ahead: DecodedPage[] = []
  #rowsAhead = 0
  #hasEnded = false

  constructor(leaf: Leaf, pages: ChunkPages) {
    this.leaf = leaf
    this.#pages = pages
  }

  /** Loads pages until there is a whole row; false after the last one. */
  async fill(): Promise<boolean> {
    if (this.leaf.repetition === 0) {
      while (this.#page === null || this.#entry === this.#page.entries) {
        if (!(await this.#load())) return false
        this.#step()
      }
      return true
    }
    while (this.#rowsAhead < 2 && !this.#hasEnded) await this.#load()
    if (this.#rowsAhead === 0) return false
    if (this.#page === null || this.#entry === this.#page.entries) this.#step()
    return true
  }

  /** How many rows are completely loaded. */
  get rowsReady(): number {
    if (this.leaf.repetition === 0) return this.#page!.entries - this.#entry
    // A row ends only where the next one begins.
    return this.#hasEnded ? this.#rowsAhead : this.#rowsAhead - 1
  }

  /** The definition levels of all entries of the page; null if every value exists. */
  get definitions(): Uint8Array | null {
    return this.#page!.definitions
  }

  /** The next entry of the page. */
  get nextEntry(): number {
    return this.#entry
  }

  /** The level of the next entry; the highest if every value exists. */
  get definition(): number {
    return this.#page!.definitions?.[this.#entry] ?? this.leaf.definition
  }

  /** 0 if the next entry begins a row. */
  get repetition(): number {
    return this.#page?.repetitions?.[this.#entry] ?? 0
  }

  get isNull(): boolean {
    const { definitions } = this.#page!
    return definitions !== null && definitions[this.#entry] !== this.leaf.definition
  }

  get values(): RawValues {
    return this.#page!.values
  }

  get indexes(): Int32Array | null {
    return this.#page!.indexes
  }

  /** Without a dictionary: the index of the next value in `values`. */
  get nextValue(): number {
    return this.#value
  }

  /** False if everything that is loaded was passed. */
  get hasEntry(): boolean {
    return this.#page !== null && this.#entry < this.#page.entries
  }

  /** The index of the next value in `values`. */
  get valueAt(): number {
    const { indexes } = this.#page!
    return indexes === null ? this.#value : indexes[this.#value]!
  }

  /** Passes entries of a leaf that does not repeat, at most as many as the page has. */
  passRows(rows: number, values: number): void {
    this.#entry += rows
    this.#value += values
  }

  /** Passes the next entry. */
  pass(): void {
    const page = this.#page
    if (page === null || this.#entry >= page.entries) throw new RangeError('values are missing')
    if (!this.isNull) this.#value += 1
    if (page.repetitions?.[this.#entry] === 0) this.#rowsAhead -= 1
    this.#entry += 1
    if (this.#entry === page.entries && this.#ahead.length > 0) this.#step()
  }

  async #load(): Promise<boolean> {
    const page = await this.#pages.next()
    if (page === null) {
      this.#hasEnded = true
      return false
    }
    if (this.#ahead.length === MOST_PAGES_HELD) {
      throw tooLarge(parquetMessages.longRow(), 'parquetRow')
    }
    this.#ahead.push(page)
    for (const repetition of page.repetitions ?? []) if (repetition === 0) this.#rowsAhead += 1
    return true
  }

  #step(): void {
    this.#page = this.#ahead.shift() ?? null
    this.#entry = 0
    this.#value = 0
  }
}
