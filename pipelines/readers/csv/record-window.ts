const LF = 10
const CR = 13

/** The bytes a parser was given and has not made records of: what a record was written as. */
export class RecordWindow {
  #chunks: Buffer[] = []
  /** Offset of the first byte that is still here. */
  #offset = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  /**
   * The record that csv-parse says ends at `end`, counted from the first byte ever pushed. Of the last
   * one, if no line break ends it, it still names the end of some field before: that one is all the
   * rest.
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
