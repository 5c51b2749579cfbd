import { viewOf } from './view-of.ts'

const FIRST_BYTES = 4096
const FIRST_ROWS = 1024
/** A column that grew beyond this size gives its memory back. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024
const LONG_BYTES = 128

/**
 * The values of one column in a row group, as in a page of the format: one after another,
 * little-endian, without NULLs. The same memory serves every row group.
 */
export class ParquetValues {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  view = viewOf(this.bytes)
  length = 0
  rows = 0
  /** How many values are not NULL. */
  count = 0
  /** 1 for each row that has a value. */
  present = new Uint8Array(FIRST_ROWS)

  /** Makes room for `more` bytes; may replace `bytes` and `view`. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed > this.bytes.length) this.#replace(Math.max(needed, 2 * this.bytes.length))
  }

  int32(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.length, value, true)
    this.length += 4
  }

  /** As two 32-bit halves: larger integers would be objects, two for each value. */
  halves(high: number, low: number): void {
    this.reserve(8)
    this.view.setInt32(this.length, low, true)
    this.view.setInt32(this.length + 4, high, true)
    this.length += 8
  }

  /** Bytes preceded by their length; short ones are copied four at a time, which is faster than a call. */
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

  /** Ends a row, with or without the value that was written. */
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
