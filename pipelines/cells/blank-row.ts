import { type Batch, isValue, NULL_CELL } from '../core/batch.ts'
import { skipSpace } from './white-space.ts'

const SPACE = 0x20
const NON_ASCII = 0x80

/**
 * A row whose cells are all empty or white space is not a row of data: it is counted and left out.
 */
export function isBlankRow(batch: Batch, row: number): boolean {
  const { bytes, start, end, kinds, width } = batch
  const first = row * width
  for (let cell = first; cell < first + width; cell++) {
    const to = end[cell]!
    if (to === NULL_CELL) continue
    const from = start[cell]!
    if (from === to) continue
    if (kinds !== null && isValue(kinds[cell]!)) return false
    const byte = bytes[from]!
    if (byte > SPACE && byte < NON_ASCII) return false
    if (skipSpace(bytes, from, to) < to) return false
  }
  return true
}
