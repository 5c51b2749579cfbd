import { viewOf } from './parquet-values.ts'

const TABLE_BITS = 14
const HASH_FACTOR = 0x1e35_a7bd
/** A copy cannot point further back. */
const MOST_OFFSET = 0xffff
/** Within these limits a copy takes two bytes. */
const NEAR = { offset: 2048, length: 12 }
const MOST_COPIED = 64
/** The last bytes are not searched: four are read at a time. */
const MARGIN = 8
const SHORT_LITERAL = 60
/** Up to this length, bytes are copied four at a time; a call into native code takes longer. */
const SHORT_BYTES = 160
/** After this many bytes without a match, every second byte is tried, then every third, and so on. */
const PATIENCE_BITS = 5

/** Compresses with Snappy, one piece after another in the same memory. */
export class Snappy {
  readonly #table = new Int32Array(1 << TABLE_BITS)
  #out = Buffer.allocUnsafeSlow(1024)
  #outView = viewOf(this.#out)
  #length = 0

  /** The result is only valid until the next call. */
  compress(input: Uint8Array): Buffer {
    const size = input.length
    const most = 32 + size + Math.ceil(size / 6)
    if (this.#out.length < most) {
      this.#out = Buffer.allocUnsafeSlow(most)
      this.#outView = viewOf(this.#out)
    }
    this.#length = 0
    this.#varInt(size)
    this.#table.fill(-1 - MOST_OFFSET)
    const view = viewOf(input)
    const table = this.#table
    const end = size - MARGIN
    let literal = 0
    let at = 0
    let tries = 1 << PATIENCE_BITS
    while (at < end) {
      const four = view.getInt32(at, true)
      const slot = Math.imul(four, HASH_FACTOR) >>> (32 - TABLE_BITS)
      const before = table[slot]!
      table[slot] = at
      if (at - before > MOST_OFFSET || view.getInt32(before, true) !== four) {
        at += tries >>> PATIENCE_BITS
        tries += 1
        continue
      }
      tries = 1 << PATIENCE_BITS
      if (at > literal) this.#literal(input, view, literal, at)
      let to = at + 4
      let from = before + 4
      while (to < end && view.getInt32(to, true) === view.getInt32(from, true)) {
        to += 4
        from += 4
      }
      while (to < size && input[to] === input[from]) {
        to += 1
        from += 1
      }
      this.#copy(at - before, to - at)
      at = to
      literal = to
      if (at < end)
        table[Math.imul(view.getInt32(at - 1, true), HASH_FACTOR) >>> (32 - TABLE_BITS)] = at - 1
    }
    if (size > literal) this.#literal(input, view, literal, size)
    return this.#out.subarray(0, this.#length)
  }

  #varInt(value: number): void {
    let left = value
    for (; left >= 0x80; left >>>= 7) this.#out[this.#length++] = (left & 0x7f) | 0x80
    this.#out[this.#length++] = left
  }

  #literal(input: Uint8Array, view: DataView, from: number, to: number): void {
    const out = this.#out
    const last = to - from - 1
    let used = this.#length
    if (last < SHORT_LITERAL) out[used++] = last << 2
    else {
      const bytes = last < 0x100 ? 1 : last < 0x1_0000 ? 2 : last < 0x100_0000 ? 3 : 4
      out[used++] = (SHORT_LITERAL - 1 + bytes) << 2
      for (let byte = 0; byte < bytes; byte++) out[used++] = last >>> (8 * byte)
    }
    const length = to - from
    if (length <= SHORT_BYTES && to + 4 <= input.length) {
      const outView = this.#outView
      for (let done = 0; done < length; done += 4) {
        outView.setInt32(used + done, view.getInt32(from + done))
      }
    } else out.set(input.subarray(from, to), used)
    used += length
    this.#length = used
  }

  #copy(offset: number, length: number): void {
    const out = this.#out
    let left = length
    let used = this.#length
    while (left > 0) {
      // Makes sure that the remainder is no shorter than a copy may be.
      const part =
        left <= MOST_COPIED ? left : left < MOST_COPIED + 4 ? MOST_COPIED - 4 : MOST_COPIED
      if (part < NEAR.length && part >= 4 && offset < NEAR.offset) {
        out[used++] = 1 | ((part - 4) << 2) | ((offset >>> 8) << 5)
        out[used++] = offset & 0xff
      } else {
        out[used++] = 2 | ((part - 1) << 2)
        out[used++] = offset & 0xff
        out[used++] = offset >>> 8
      }
      left -= part
    }
    this.#length = used
  }
}
