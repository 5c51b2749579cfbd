import { type CopyBuffer, putInt32 } from './copy-buffer.ts'

const TWO_32 = 0x1_0000_0000
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
