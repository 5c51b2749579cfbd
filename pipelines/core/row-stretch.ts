import { type Batch, NULL_CELL } from './batch.ts'

/** What a cell costs besides its text. */
const CELL_BYTES = 8

/** The text of all cells, of which several may have the same bytes. */
export function textBytes(batch: Batch): number {
  return bytesOfCells(batch, 0, batch.rows * batch.width)
}

export function rowTextBytes(batch: Batch, row: number): number {
  return bytesOfCells(batch, row * batch.width, (row + 1) * batch.width)
}

function bytesOfCells({ start, end }: Batch, from: number, to: number): number {
  let bytes = 0
  for (let cell = from; cell < to; cell++) {
    if (end[cell] !== NULL_CELL) bytes += end[cell]! - start[cell]!
  }
  return bytes
}

/** So much text is looked at in a few milliseconds. */
const STRETCH_BYTES = 256 * 1024

/**
 * Where the rows end, starting with `from`, that can be worked on before others get a turn: at least
 * one. The text of the cells counts, as cells that share bytes are work each time.
 */
export function stretchEnd(batch: Batch, from: number): number {
  let bytes = 0
  let row = from
  while (row < batch.rows && bytes < STRETCH_BYTES) {
    bytes += rowTextBytes(batch, row) + CELL_BYTES * batch.width
    row++
  }
  return row
}
