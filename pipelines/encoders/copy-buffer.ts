/**
 * The output of encoders. Grows as needed; its owner sends `bytes` up to `length` and resets it.
 * The field of a cell is written completely or not at all, so `length` is always between two
 * fields.
 */
export class CopyBuffer {
  bytes: Buffer
  /** A view of the same bytes, to write several at a time. */
  view: DataView
  length = 0

  constructor(capacity = 64 * 1024) {
    this.bytes = Buffer.allocUnsafe(capacity)
    this.view = viewOf(this.bytes)
  }

  /** Starts again with other memory. */
  protected replace(bytes: Buffer): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }

  /**
   * Makes room for `count` more bytes. May replace `bytes` and `view`, so read them again
   * afterwards.
   */
  reserve(count: number): void {
    if (this.length + count > this.bytes.length) this.#grow(this.length + count)
  }

  int16(value: number): void {
    this.reserve(2)
    this.view.setInt16(this.length, value)
    this.length += 2
  }

  int32(value: number): void {
    this.reserve(4)
    this.length = putInt32(this.view, this.length, value)
  }

  /** Writes a NULL field. */
  null(): void {
    this.int32(-1)
  }

  /** Writes a field of type int8; exact for every safe integer. */
  int8Field(value: number): void {
    this.reserve(12)
    this.length = putInteger(this.view, putInt32(this.view, this.length, 8), value)
  }

  /** Overwrites four bytes written earlier, for lengths that are only known afterwards. */
  patchInt32(at: number, value: number): void {
    putInt32(this.view, at, value)
  }

  /** Discards everything from `length` on, for a row that was rejected. */
  rewind(length: number): void {
    this.length = length
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.length)
    this.replace(larger)
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Writes big-endian, as COPY requires, and returns the position after it. */
export function putInt32(view: DataView, at: number, value: number): number {
  view.setInt32(at, value)
  return at + 4
}

/** Writes a safe integer as a big-endian int8. */
export function putInteger(view: DataView, at: number, value: number): number {
  const low = value | 0
  if (low === value) return putInt32(view, putInt32(view, at, low >> 31), low)
  const high = Math.floor(value / TWO_32)
  return putInt32(view, putInt32(view, at, high), value - high * TWO_32)
}

const TWO_16 = 0x1_0000
const TWO_32 = 0x1_0000_0000

/**
 * Writes `high * scale + low` as a big-endian int8 and returns the position after it. A double may
 * not hold the product exactly, so it is computed from two halves. Exact for |high| < 2^38, scale
 * up to 10^9 and |low| < 10^9, if the result fits an int8.
 */
export function putInt64(
  view: DataView,
  at: number,
  high: number,
  scale: number,
  low: number,
): number {
  const upper = Math.floor(high / TWO_16)
  const product = upper * scale
  const top = Math.floor(product / TWO_16)
  const rest = (product - top * TWO_16) * TWO_16 + (high - upper * TWO_16) * scale + low
  const carry = Math.floor(rest / TWO_32)
  return putInt32(view, putInt32(view, at, top + carry), rest - carry * TWO_32)
}

const INT8_BYTES = 8

/** The number of a row. A double may not hold it exactly, so it is kept in two halves. */
export class RowNumber {
  readonly #high: number
  readonly #low: number

  constructor(rowsBefore: bigint) {
    this.#high = Number(rowsBefore >> 32n)
    this.#low = Number(BigInt.asUintN(32, rowsBefore))
  }

  /** Writes the field for the row of this ordinal, counted from 1. */
  write(out: CopyBuffer, ordinal: number): void {
    out.reserve(Int32Array.BYTES_PER_ELEMENT + INT8_BYTES)
    const { view } = out
    const low = this.#low + ordinal
    const carry = Math.floor(low / TWO_32)
    const at = putInt32(view, putInt32(view, out.length, INT8_BYTES), this.#high + carry)
    out.length = putInt32(view, at, low - carry * TWO_32)
  }
}
