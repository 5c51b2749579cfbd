/** PostgreSQL sends a few kilobytes at a time, too few for a write of their own. */
const CHUNK_BYTES = 256 * 1024

/** Memory that lines are written into, and handed on when it is full. */
export class LineChunks {
  bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  used = 0
  #full: Buffer[] = []

  /** Room for so many more; may replace `bytes` and `used`. */
  reserve(more: number): void {
    if (this.bytes.length - this.used >= more) return
    if (this.used > 0) this.#full.push(this.bytes.subarray(0, this.used))
    this.bytes = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, more))
    this.used = 0
  }

  put(bytes: Buffer): void {
    this.reserve(bytes.length)
    this.used += bytes.copy(this.bytes, this.used)
  }

  putByte(byte: number): void {
    this.reserve(1)
    this.bytes[this.used++] = byte
  }

  /** What is full; it is not written again: whoever has it may send it later. */
  takeFull(): readonly Buffer[] {
    const full = this.#full
    if (full.length > 0) this.#full = []
    return full
  }

  /** At the end. */
  takeRest(): Buffer {
    return this.bytes.subarray(0, this.used)
  }
}
