const LF = 10
const CR = 13

/**
 * The bytes that a parser was given and has not yet made records of, so that a record can be shown
 * as it was written.
 */
export class RecordWindow {
  #chunks: Buffer[] = []
  /** The offset of the first byte that is still here. */
  #offset = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  /**
   * The record that ends at `end` according to csv-parse, counted from the first byte ever pushed.
   * For a last record without a line break csv-parse names the end of an earlier field, so that
   * record is everything that is left.
   */
  takeRecord(end: number): Buffer {
    const last = this.#byteAt(end - 1)
    return this.takeTo(last === LF || last === CR ? end : Infinity)
  }

  #byteAt(offset: number): number | null {
    let at = offset - this.#offset
    if (at < 0) return null
    for (const chunk of this.#chunks) {
      if (at < chunk.length) return chunk[at]!
      at -= chunk.length
    }
    return null
  }

  /** Everything up to `offset`, counted from the first byte ever pushed. */
  takeTo(offset: number): Buffer {
    const taken: Buffer[] = []
    let left = offset - this.#offset
    while (left > 0) {
      const chunk = this.#chunks[0]
      if (chunk === undefined) break
      const part = chunk.subarray(0, left)
      taken.push(part)
      left -= part.length
      this.#offset += part.length
      if (part.length === chunk.length) this.#chunks.shift()
      else this.#chunks[0] = chunk.subarray(part.length)
    }
    return taken.length === 1 ? taken[0]! : Buffer.concat(taken)
  }

  takeAll(): Buffer {
    return this.takeTo(Infinity)
  }
}
