/** What a batch has to hold. */
interface BatchSize {
  readonly bytes: number
  readonly cells: number
  readonly rows: number
}

/**
 * The memory of one batch's rows. Memory outside the heap is freed long after its last use, so a
 * long file would pile it up: a batch that is handed back lends its memory to a later one.
 */
export class BatchMemory {
  readonly bytes: Buffer
  readonly start: Int32Array
  readonly end: Int32Array
  readonly kinds: Uint8Array
  readonly rowStart: Int32Array
  readonly rowEnd: Int32Array
  readonly lines: Int32Array

  constructor({ bytes, cells, rows }: BatchSize) {
    this.bytes = Buffer.allocUnsafeSlow(withRoom(bytes))
    this.start = new Int32Array(withRoom(cells))
    this.end = new Int32Array(withRoom(cells))
    this.kinds = new Uint8Array(withRoom(cells))
    this.rowStart = new Int32Array(withRoom(rows))
    this.rowEnd = new Int32Array(withRoom(rows))
    this.lines = new Int32Array(withRoom(rows))
  }

  holds({ bytes, cells, rows }: BatchSize): boolean {
    return bytes <= this.bytes.length && cells <= this.start.length && rows <= this.lines.length
  }

  /** Far larger than needed: a batch or two of long rows must not keep it occupied. */
  isTooLargeFor({ bytes }: BatchSize): boolean {
    return this.bytes.length > TOO_LARGE_TIMES * withRoom(bytes)
  }
}

/** The memory of the last returned batch, for the next one. */
export class SpareMemory {
  #spare: BatchMemory | null = null

  takeFor(size: BatchSize): BatchMemory {
    const spare = this.#spare
    this.#spare = null
    const fits = spare !== null && spare.holds(size) && !spare.isTooLargeFor(size)
    return fits ? spare : new BatchMemory(size)
  }

  keep(memory: BatchMemory): void {
    this.#spare = memory
  }
}

const TOO_LARGE_TIMES = 4

/** Batches differ slightly in size. */
function withRoom(length: number): number {
  return length + (length >> 3)
}
