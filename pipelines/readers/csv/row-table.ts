import { NULL_CELL } from '../../core/batch.ts'
import { skipSpace } from '../../transforms/white-space.ts'
import { cellTooLong } from './limits.ts'
import { unquote } from './unquote.ts'

/** Told of every row that does not have as many fields as there are columns, before it is counted. */
export type OnRagged = (table: RowTable, bytes: Buffer) => void

export interface FinishedRows {
  readonly bytes: Buffer
  readonly start: Int32Array
  readonly end: Int32Array
  readonly lines: Int32Array
  /** Where each row begins, and behind the last one where it ends. */
  readonly rowStart: Int32Array
  readonly rows: number
}

/** Where the cells of the rows found so far begin and end. Grows by rows, never by cells. */
export class RowTable {
  readonly width: number
  rows = 0
  /** Fields of the open row so far, and how many of those beyond the width are not blank. */
  fields = 0
  surplus = 0
  /** Line on which the open row begins. */
  line: number
  start: Int32Array
  end: Int32Array
  rowStart: Int32Array
  lines: Int32Array
  /** Cells whose range is still a whole quoted field, syntax included. */
  #raw = new Int32Array(256)
  #rawCells = 0
  #capacity: number
  #base = 0
  readonly #mostCellBytes: number
  readonly #onRagged: OnRagged

  constructor(width: number, firstLine: number, mostCellBytes: number, onRagged: OnRagged) {
    this.width = width
    this.line = firstLine
    this.#mostCellBytes = mostCellBytes
    this.#onRagged = onRagged
    this.#capacity = 16
    this.start = new Int32Array(this.#capacity * width)
    this.end = new Int32Array(this.#capacity * width)
    this.rowStart = new Int32Array(this.#capacity + 1)
    this.lines = new Int32Array(this.#capacity)
  }

  /** Where the row begins that is not complete yet. */
  get openRow(): number {
    return this.rowStart[this.rows]!
  }

  addCell(bytes: Buffer, start: number, end: number): void {
    const field = this.fields++
    if (field < this.width) {
      this.start[this.#base + field] = start
      this.end[this.#base + field] = end
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
    if (fields < width) this.end.fill(NULL_CELL, this.#base + fields, this.#base + width)
  }

  #closeRow(at: number, breaks: number): void {
    const { rows, width } = this
    this.lines[rows] = this.line
    this.rows = rows + 1
    this.rowStart[rows + 1] = at
    this.line += breaks + 1
    this.fields = 0
    this.surplus = 0
    this.#base += width
    if (this.rows === this.#capacity) this.#grow(this.#capacity * 2)
  }

  isOpenRowBlank(bytes: Buffer): boolean {
    if (this.surplus > 0) return false
    let raw = this.#rawCells
    while (raw > 0 && this.#raw[raw - 1]! >= this.#base) raw--
    const cells = Math.min(this.fields, this.width)
    for (let cell = this.#base; cell < this.#base + cells; cell++) {
      const isRaw = raw < this.#rawCells && this.#raw[raw] === cell
      if (isRaw) raw++
      const isBlank = isRaw ? isBlankRaw : isBlankRange
      if (!isBlank(bytes, this.start[cell]!, this.end[cell]!)) return false
    }
    return true
  }

  /**
   * Hands over the rows that are complete and begins anew with the open one, whose bytes the caller
   * moves to the front of the next buffer.
   */
  takeRows(bytes: Buffer): FinishedRows {
    const { rows, width } = this
    const cells = rows * width
    const from = this.openRow
    const taken = {
      bytes: this.#unquoteCells(bytes, cells),
      start: this.start.subarray(0, cells),
      end: this.end.subarray(0, cells),
      lines: this.lines.subarray(0, rows),
      rowStart: this.rowStart.subarray(0, rows + 1),
      rows,
    }
    const open = Math.min(this.fields, width)
    const openStart = this.start.slice(cells, cells + open)
    const openEnd = this.end.slice(cells, cells + open)
    // The next buffer holds about as many rows as this one did.
    this.#capacity = rows + (rows >> 4) + 16
    this.start = new Int32Array(this.#capacity * width)
    this.end = new Int32Array(this.#capacity * width)
    this.lines = new Int32Array(this.#capacity)
    this.rowStart = new Int32Array(this.#capacity + 1)
    for (let cell = 0; cell < open; cell++) {
      this.start[cell] = openStart[cell]! - from
      this.end[cell] = openEnd[cell]! - from
    }
    this.#base = 0
    this.rows = 0
    return taken
  }

  /**
   * Values that differ from what stands in the file are written behind the input, so that the rows
   * themselves stay as they were written.
   */
  #unquoteCells(bytes: Buffer, cells: number): Buffer {
    let count = 0
    let size = 0
    for (; count < this.#rawCells && this.#raw[count]! < cells; count++) {
      const cell = this.#raw[count]!
      size += this.end[cell]! - this.start[cell]!
    }
    const input = this.#ownedInput(bytes)
    let all = input
    if (count > 0) {
      all = Buffer.allocUnsafeSlow(input.length + size)
      input.copy(all)
      let at = input.length
      for (let index = 0; index < count; index++) {
        const cell = this.#raw[index]!
        const end = unquote(bytes, this.start[cell]!, this.end[cell]!, all, at)
        this.start[cell] = at
        this.end[cell] = end
        at = end
      }
    }
    // What is left belongs to the open row, which is row 0 from now on.
    for (let index = count; index < this.#rawCells; index++) {
      this.#raw[index - count] = this.#raw[index]! - cells
    }
    this.#rawCells -= count
    return all
  }

  /** A few rows must not keep a large buffer alive. */
  #ownedInput(bytes: Buffer): Buffer {
    const input = bytes.subarray(0, this.openRow)
    if (input.length * 2 >= bytes.length) return input
    const copy = Buffer.allocUnsafeSlow(input.length)
    input.copy(copy)
    return copy
  }

  #checkCells(): void {
    const cells = Math.min(this.fields, this.width)
    for (let cell = this.#base; cell < this.#base + cells; cell++) {
      if (this.end[cell]! - this.start[cell]! > this.#mostCellBytes) {
        throw cellTooLong(this.line, this.#mostCellBytes)
      }
    }
  }

  #grow(rows: number): void {
    this.#capacity = rows
    this.start = enlarged(this.start, rows * this.width)
    this.end = enlarged(this.end, rows * this.width)
    this.rowStart = enlarged(this.rowStart, rows + 1)
    this.lines = enlarged(this.lines, rows)
  }
}

function isBlankRange(bytes: Buffer, start: number, end: number): boolean {
  return skipSpace(bytes, start, end) >= end
}

function isBlankRaw(bytes: Buffer, start: number, end: number): boolean {
  const value = Buffer.allocUnsafe(end - start)
  return isBlankRange(value, 0, unquote(bytes, start, end, value, 0))
}

function enlarged(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}
