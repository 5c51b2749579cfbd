import { putInt32 } from './copy-buffer.ts'

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
