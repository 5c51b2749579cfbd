import { enlarged } from '../../enlarged.ts'

const FIRST_CELLS = 4096
const FIRST_ROWS = 512
const FIRST_BYTES = 64 * 1024

/** Below this a loop is faster than the call into native code. */
const LOOPED_COPY_BYTES = 32

/**
 * Rows as the sheet has them: only cells with content, each with its column. The width of the
 * table is known only after many rows; `layOut` then makes a batch.
 */
export class RowBlock {
  bytes: Buffer
  used = 0
  cells = 0
  column: Int32Array
  start: Int32Array
  end: Int32Array
  kind: Uint8Array
  rows = 0
  /** Number of the row in its sheet, counted from 1. */
  rowNumber = new Int32Array(FIRST_ROWS)
  /** Index of the row's first cell. */
  firstCell = new Int32Array(FIRST_ROWS)
  /** 1 if one of its cells is bold. */
  isBold = new Uint8Array(FIRST_ROWS)

  /** `like`: the previous block, whose size predicts this one's. */
  constructor(like?: RowBlock) {
    const cells = Math.max(FIRST_CELLS, like?.column.length ?? 0)
    this.bytes = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, like?.bytes.length ?? 0))
    this.column = new Int32Array(cells)
    this.start = new Int32Array(cells)
    this.end = new Int32Array(cells)
    this.kind = new Uint8Array(cells)
  }

  addRow(rowNumber: number): void {
    if (this.rows === this.rowNumber.length) {
      this.rowNumber = enlarged(this.rowNumber, 2 * this.rowNumber.length)
      this.firstCell = enlarged(this.firstCell, 2 * this.firstCell.length)
      const isBold = new Uint8Array(2 * this.isBold.length)
      isBold.set(this.isBold)
      this.isBold = isBold
    }
    this.rowNumber[this.rows] = rowNumber
    this.firstCell[this.rows] = this.cells
    this.rows += 1
  }

  /** Adds a cell to the last row; its text is what was written since `start`. */
  addCell(column: number, start: number, kind: number): void {
    if (this.cells === this.column.length) {
      this.column = enlarged(this.column, 2 * this.column.length)
      this.start = enlarged(this.start, 2 * this.start.length)
      this.end = enlarged(this.end, 2 * this.end.length)
      const kinds = new Uint8Array(this.kind.length * 2)
      kinds.set(this.kind)
      this.kind = kinds
    }
    this.column[this.cells] = column
    this.start[this.cells] = start
    this.end[this.cells] = this.used
    this.kind[this.cells] = kind
    this.cells += 1
  }

  /** Index after the row's last cell. */
  endCell(row: number): number {
    return row + 1 < this.rows ? this.firstCell[row + 1]! : this.cells
  }

  append(source: Uint8Array, from: number, to: number): void {
    const length = to - from
    this.reserve(length)
    const { bytes, used } = this
    if (length > LOOPED_COPY_BYTES) bytes.set(source.subarray(from, to), used)
    else for (let at = 0; at < length; at += 1) bytes[used + at] = source[from + at]!
    this.used = used + length
  }

  appendText(text: string): void {
    this.reserve(text.length * 3)
    this.used += this.bytes.write(text, this.used)
  }

  reserve(length: number): void {
    const needed = this.used + length
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.used)
    this.bytes = larger
  }
}
