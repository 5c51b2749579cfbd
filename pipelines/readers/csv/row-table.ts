import { NULL_CELL } from '../../core/batch.ts'
import { skipSpace } from '../../cells/white-space.ts'
import { enlarged } from '../enlarged.ts'
import { cellTooLong } from './limits.ts'
import type { FieldRange } from './stray-quotes.ts'
import { unquote } from './unquote.ts'

/** Called for every row whose number of fields differs from the number of columns, before it is counted. */
type OnRagged = (table: RowTable, bytes: Buffer) => void

export interface FinishedRows {
  readonly bytes: Buffer
  readonly start: Int32Array
  readonly end: Int32Array
  readonly lines: Int32Array
  /** Where each row begins, followed by the end of the last one. */
  readonly rowStart: Int32Array
  readonly rows: number
  readonly memory: RowMemory
}

/** The rows found so far, and the open one. */
export class RowTable {
  readonly width: number
  rows = 0
  /** The number of fields of the open row so far, and how many of those beyond the width are not blank. */
  fields = 0
  surplus = 0
  /** Line on which the open row begins. */
  line: number
  #arrays: RowArrays
  /** Cells whose range still includes the quotes of the field. */
  #raw = new Int32Array(256)
  #rawCells = 0
  #base = 0
  readonly #mostCellBytes: number
  readonly #onRagged: OnRagged

  constructor(width: number, firstLine: number, mostCellBytes: number, onRagged: OnRagged) {
    this.width = width
    this.line = firstLine
    this.#mostCellBytes = mostCellBytes
    this.#onRagged = onRagged
    this.#arrays = new RowArrays(width, 16)
  }

  /** Where the incomplete row begins. */
  get openRow(): number {
    return this.#arrays.rowStart[this.rows]!
  }

  addCell(bytes: Buffer, start: number, end: number): void {
    const field = this.fields++
    if (field < this.width) {
      const arrays = this.#arrays
      arrays.start[this.#base + field] = start
      arrays.end[this.#base + field] = end
    } else if (this.surplus === 0 && !isBlankRange(bytes, start, end)) {
      this.surplus = 1
    }
  }

  addRawCell(bytes: Buffer, start: number, end: number): void {
    if (this.fields < this.width) {
      if (this.#rawCells === this.#raw.length) this.#raw = enlarged(this.#raw, this.#rawCells * 2)
      this.#raw[this.#rawCells++] = this.#base + this.fields
      this.addCell(bytes, start, end)
    } else {
      this.fields++
      if (this.surplus === 0 && !isBlankRaw(bytes, start, end)) this.surplus = 1
    }
  }

  /** Replaces the cells of the open row. */
  replaceCells(bytes: Buffer, cells: readonly FieldRange[]): void {
    const { openRow } = this
    this.fields = 0
    this.surplus = 0
    while (this.#rawCells > 0 && this.#raw[this.#rawCells - 1]! >= this.#base) this.#rawCells--
    for (const { start, end, isRaw } of cells) {
      if (isRaw) this.addRawCell(bytes, openRow + start, openRow + end)
      else this.addCell(bytes, openRow + start, openRow + end)
    }
  }

  endRow(bytes: Buffer, at: number, breaks: number): void {
    if (this.fields !== this.width) {
      this.#clearMissing()
      this.#onRagged(this, bytes)
    }
    if (at - this.openRow > this.#mostCellBytes) this.#checkCells()
    this.#closeRow(at, breaks)
  }

  endBrokenRow(at: number, breaks: number): void {
    this.#clearMissing()
    this.#closeRow(at, breaks)
  }

  #clearMissing(): void {
    const { fields, width } = this
    if (fields < width) this.#arrays.end.fill(NULL_CELL, this.#base + fields, this.#base + width)
  }

  #closeRow(at: number, breaks: number): void {
    const { rows, width } = this
    const arrays = this.#arrays
    arrays.lines[rows] = this.line
    this.rows = rows + 1
    arrays.rowStart[rows + 1] = at
    this.line += breaks + 1
    this.fields = 0
    this.surplus = 0
    this.#base += width
    if (this.rows === arrays.capacity) arrays.grow(arrays.capacity * 2)
  }

  isOpenRowBlank(bytes: Buffer): boolean {
    if (this.surplus > 0) return false
    let raw = this.#rawCells
    while (raw > 0 && this.#raw[raw - 1]! >= this.#base) raw--
    const { start, end } = this.#arrays
    const cells = Math.min(this.fields, this.width)
    for (let cell = this.#base; cell < this.#base + cells; cell++) {
      const isRaw = raw < this.#rawCells && this.#raw[raw] === cell
      if (isRaw) raw++
      const isBlank = isRaw ? isBlankRaw : isBlankRange
      if (!isBlank(bytes, start[cell]!, end[cell]!)) return false
    }
    return true
  }

  /**
   * Returns the complete rows and starts again with the open one, whose bytes the caller moves to
   * the front of the next buffer. After `filled` the buffer is free.
   */
  takeRows(bytes: Buffer, filled: number, spare: RowArrays | null): FinishedRows {
    const { rows, width } = this
    const cells = rows * width
    const from = this.openRow
    const arrays = this.#arrays
    const values = this.#unquoteCells(bytes, filled, cells)
    // The next buffer holds about as many rows as this one did.
    const next = spare ?? new RowArrays(width, rows + (rows >> 4) + 16)
    next.rowStart[0] = 0
    const open = Math.min(this.fields, width)
    for (let cell = 0; cell < open; cell++) {
      next.start[cell] = arrays.start[cells + cell]! - from
      next.end[cell] = arrays.end[cells + cell]! - from
    }
    this.#arrays = next
    this.#base = 0
    this.rows = 0
    return {
      bytes: values,
      start: arrays.start.subarray(0, cells),
      end: arrays.end.subarray(0, cells),
      lines: arrays.lines.subarray(0, rows),
      rowStart: arrays.rowStart.subarray(0, rows + 1),
      rows,
      memory: { buffer: values.buffer === bytes.buffer ? bytes : null, arrays },
    }
  }

  /**
   * Values that differ from the text of the file are written after the input, so that the rows
   * themselves stay as they were written.
   */
  #unquoteCells(bytes: Buffer, filled: number, cells: number): Buffer {
    const { start, end } = this.#arrays
    const raw = this.#raw
    let count = 0
    let size = 0
    for (; count < this.#rawCells && raw[count]! < cells; count++) {
      const cell = raw[count]!
      size += end[cell]! - start[cell]!
    }
    const input = this.openRow
    let all = bytes
    let at = filled
    if (input * 2 < bytes.length || (count > 0 && filled + size > bytes.length)) {
      // A few rows must not keep a large buffer alive, and many values may not fit after the
      // input.
      all = Buffer.allocUnsafeSlow(input + size)
      bytes.copy(all, 0, 0, input)
      at = input
    }
    for (let index = 0; index < count; index++) {
      const cell = raw[index]!
      const valueEnd = unquote(bytes, start[cell]!, end[cell]!, all, at)
      start[cell] = at
      end[cell] = valueEnd
      at = valueEnd
    }
    // The rest belongs to the open row, which is row 0 from now on.
    raw.copyWithin(0, count, this.#rawCells)
    this.#rawCells -= count
    for (let index = 0; index < this.#rawCells; index++) raw[index]! -= cells
    return all.subarray(0, count > 0 ? at : input)
  }

  #checkCells(): void {
    const { start, end } = this.#arrays
    const cells = Math.min(this.fields, this.width)
    for (let cell = this.#base; cell < this.#base + cells; cell++) {
      if (end[cell]! - start[cell]! > this.#mostCellBytes) {
        throw cellTooLong(this.line, this.#mostCellBytes)
      }
    }
  }
}

function isBlankRange(bytes: Buffer, start: number, end: number): boolean {
  return skipSpace(bytes, start, end) >= end
}

function isBlankRaw(bytes: Buffer, start: number, end: number): boolean {
  const value = Buffer.allocUnsafe(end - start)
  return isBlankRange(value, 0, unquote(bytes, start, end, value, 0))
}

/** Where rows and their cells begin and end. Grows by rows, never by cells. */
class RowArrays {
  readonly width: number
  capacity = 0
  start = new Int32Array(0)
  end = new Int32Array(0)
  /** Where each row begins, followed by the end of the last one. */
  rowStart = new Int32Array(1)
  /** The line on which each row begins. */
  lines = new Int32Array(0)

  constructor(width: number, capacity: number) {
    this.width = width
    this.grow(capacity)
  }

  /** Makes room for `rows` rows; existing ones stay. */
  grow(rows: number): void {
    this.capacity = rows
    this.start = enlarged(this.start, rows * this.width)
    this.end = enlarged(this.end, rows * this.width)
    this.rowStart = enlarged(this.rowStart, rows + 1)
    this.lines = enlarged(this.lines, rows)
  }
}

/** The memory of rows, to be reused once nobody needs them any more. */
export interface RowMemory {
  /** Null if the rows keep their bytes. */
  readonly buffer: Buffer | null
  readonly arrays: RowArrays
}
