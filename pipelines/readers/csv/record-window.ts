/** The bytes a parser was given and has not made records of: what a record was written as. */
export class RecordWindow {
  #chunks: Buffer[] = []
  /** Offset of the first byte that is still here. */
  #offset = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
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
