import { viewOf } from './view-of.ts'

const FIRST_BYTES = 4096
const FIRST_ROWS = 1024
/** What a column took that was longer than usual is let go. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024
const LONG_BYTES = 128

/**
 * The values of one column in a row group, as the format has them in a page: one behind the other,
 * little-endian, those that are NULL left out. The same memory serves every row group.
 */
export class ParquetValues {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  view = viewOf(this.bytes)
  length = 0
  rows = 0
  /** Of values that are not NULL. */
  count = 0
  /** 1 for each row that has a value. */
  present = new Uint8Array(FIRST_ROWS)

  /** Room for `more` bytes; may replace `bytes` and `view`. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed > this.bytes.length) this.#replace(Math.max(needed, 2 * this.bytes.length))
  }

  int32(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.length, value, true)
    this.length += 4
  }

  /** 32 bits each: whole numbers beyond them would be objects, two for each value. */
  halves(high: number, low: number): void {
    this.reserve(8)
    this.view.setInt32(this.length, low, true)
    this.view.setInt32(this.length + 4, high, true)
    this.length += 8
  }

  /** Bytes with their length in front; short ones four at a time, which is faster than a call. */
  takeBytes(from: DataView, start: number, length: number): void {
    this.reserve(4 + length)
    const { view } = this
    view.setInt32(this.length, length, true)
    const to = this.length + 4
    this.length = to + length
    const last = length - 4
    if (last < 0 || last > LONG_BYTES) {
      this.bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, length), to)
      return
    }
    for (let at = 0; at < last; at += 4)
      view.setInt32(to + at, from.getInt32(start + at, true), true)
    view.setInt32(to + last, from.getInt32(start + last, true), true)
  }

  /** Ends a row: with the value that was written, or without one. */
  endRow(isPresent: boolean): void {
    if (this.rows === this.present.length) {
      const larger = new Uint8Array(2 * this.rows)
      larger.set(this.present)
      this.present = larger
    }
    this.present[this.rows] = isPresent ? 1 : 0
    this.rows += 1
    if (isPresent) this.count += 1
  }

  clear(): void {
    this.length = 0
    this.rows = 0
    this.count = 0
    if (this.bytes.length > MOST_KEPT_BYTES) this.#replace(FIRST_BYTES)
  }

  #replace(size: number): void {
    const other = Buffer.allocUnsafeSlow(size)
    this.bytes.copy(other, 0, 0, this.length)
    this.bytes = other
    this.view = viewOf(other)
  }
}
