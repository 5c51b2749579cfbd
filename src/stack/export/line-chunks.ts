/** PostgreSQL sends a few kilobytes at a time, too little for a write each. */
const CHUNK_BYTES = 256 * 1024

/** Collects lines in chunks that are handed on when they are full. */
export class LineChunks {
  bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  used = 0
  #full: Buffer[] = []

  /** Makes room for this many bytes; may replace `bytes` and `used`. */
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

  /** The full chunks. They are not reused, so they may be sent later. */
  takeFull(): readonly Buffer[] {
    const full = this.#full
    if (full.length > 0) this.#full = []
    return full
  }

  /** What is left at the end. */
  takeRest(): Buffer {
    return this.bytes.subarray(0, this.used)
  }
}
