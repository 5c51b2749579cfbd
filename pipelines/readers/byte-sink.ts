/**
 * Bytes that were created rather than found in the input: unescaped strings, canonical JSON. Grows
 * as needed.
 */
export class ByteSink {
  bytes: Buffer = Buffer.allocUnsafeSlow(16 * 1024)
  length = 0
  /** The same bytes, several at a time. */
  #view = viewOf(this.bytes)

  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
    this.#view = viewOf(larger)
  }

  emptied(): this {
    this.length = 0
    return this
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.reserve(1)
    this.bytes[this.length] = byte
    this.length += 1
  }

  /** Big-endian. */
  int32(value: number): void {
    this.reserve(4)
    this.#view.setInt32(this.length, value)
    this.length += 4
  }

  double(value: number): void {
    this.reserve(8)
    this.#view.setFloat64(this.length, value)
    this.length += 8
  }

  copy(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from)
    const { bytes } = this
    let at = this.length
    // Most pieces are a few bytes long, where a loop is faster than a call into native code.
    if (to - from > 64) {
      bytes.set(source.subarray(from, to), at)
      at += to - from
    } else {
      for (let p = from; p < to; p += 1) {
        bytes[at] = source[p]!
        at += 1
      }
    }
    this.length = at
  }

  text(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.bytes.write(text, this.length)
  }

  ascii(text: string): void {
    this.reserve(text.length)
    this.length += this.bytes.write(text, this.length, 'latin1')
  }
}

export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
