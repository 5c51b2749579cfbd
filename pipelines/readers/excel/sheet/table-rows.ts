import { CellKind, NULL_CELL, type Batch, type RowFault } from '../../../core/batch.ts'
import type { RaggedPolicy } from '../../sheet-options.ts'
import { cellPlace } from '../cells/cell-address.ts'
import type { Table } from './table-in-sheet.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import { isBlankCell } from './survey.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** Blank rows with more cells than this, which no real file has, get no cells. */
const MOST_BLANK_CELLS = 1024
/** The rows of such a batch. */
const BLANK_ROWS_AT_ONCE = 32 * 1024

/**
 * Turns the cells of a sheet into rows of the table's width, including blank rows in between. Long
 * runs of blank rows come as batches without cells: a row number costs its sheet a few bytes,
 * however far away it is.
 */
export class TableRows {
  /** Filled cells outside the table that were left out. */
  cellsCut = 0
  readonly #sheet: string
  readonly #table: Table
  readonly #width: number
  readonly #cutsSurplus: boolean
  #nextRow: number
  #ordinal = 1

  constructor(sheet: string, table: Table, ragged: RaggedPolicy) {
    this.#sheet = sheet
    this.#table = table
    this.#width = table.headers.length
    this.#cutsSurplus = ragged === 'fit'
    this.#nextRow = table.firstDataRow
  }

  *layOut(block: RowBlock): Generator<Batch> {
    let first = 0
    while (first < block.rows && block.rowNumber[first]! < this.#table.firstDataRow) first += 1
    if (first === block.rows) return
    for (let end = first; first < block.rows; first = end) {
      yield* this.#blankRows(block.rowNumber[first]!)
      do end += 1
      while (end < block.rows && !this.#isApart(block.rowNumber[end - 1]!, block.rowNumber[end]!))
      yield this.#fill(block, first, end)
    }
  }

  /** Up to a row that is far below; a few blank rows are laid out together with it. */
  *#blankRows(next: number): Generator<Batch> {
    if (!this.#isApart(this.#nextRow - 1, next)) return
    while (this.#nextRow < next) {
      const rows = Math.min(BLANK_ROWS_AT_ONCE, next - this.#nextRow)
      yield this.#batch(Buffer.alloc(0), rows, 0)
    }
  }

  #isApart(above: number, below: number): boolean {
    return (below - above - 1) * this.#width > MOST_BLANK_CELLS
  }

  /** Rows of the block from `first` up to, but not including, `end`, which are close together. */
  #fill(block: RowBlock, first: number, end: number): Batch {
    const rows = block.rowNumber[end - 1]! - this.#nextRow + 1
    const firstRowNumber = this.#nextRow
    const faults: RowFault[] = []
    const kinds = new Uint8Array(rows * this.#width)
    const { from, to } = bytesOf(block, first, end)
    const batch = this.#batch(block.bytes.subarray(from, to), rows, this.#width, kinds, faults)
    const { firstColumn } = this.#table
    for (let index = first; index < end; index += 1) {
      const row = block.rowNumber[index]! - firstRowNumber
      const endCell = block.endCell(index)
      for (let cell = block.firstCell[index]!; cell < endCell; cell += 1) {
        const column = block.column[cell]! - firstColumn
        if (column < 0 || column >= this.#width) this.#surplus(block, index, cell, row, faults)
        else {
          const target = row * this.#width + column
          batch.start[target] = block.start[cell]! - from
          batch.end[target] = block.end[cell]! - from
          kinds[target] = block.kind[cell]!
        }
      }
    }
    return kinds.some((kind) => kind !== CellKind.text) ? batch : { ...batch, kinds: null }
  }

  /** A batch whose cells are all empty so far. */
  #batch(
    bytes: Buffer,
    rows: number,
    width: number,
    kinds: Uint8Array | null = null,
    faults: readonly RowFault[] = [],
  ): Batch {
    const firstRow = this.#ordinal
    const firstLine = this.#nextRow
    this.#ordinal += rows
    this.#nextRow += rows
    return {
      bytes,
      start: new Int32Array(rows * width),
      end: new Int32Array(rows * width).fill(NULL_CELL),
      kinds,
      width,
      rows,
      firstRow,
      lines: new Int32Array(rows).map((_, row) => firstLine + row),
      faults,
    }
  }

  #surplus(block: RowBlock, index: number, cell: number, row: number, faults: RowFault[]): void {
    if (this.#table.isCut || isBlankCell(block, cell)) return
    if (this.#cutsSurplus) {
      this.cellsCut += 1
      return
    }
    if (faults.at(-1)?.row === row) return
    const place = cellPlace(this.#sheet, block.column[cell]!, block.rowNumber[index]!)
    faults.push({
      row,
      message: excelMessages.outsideTable({ place }),
    })
  }
}

/** The place of these rows' text: cells are written in order. */
function bytesOf(block: RowBlock, first: number, end: number) {
  const firstCell = block.firstCell[first]!
  const endCell = block.endCell(end - 1)
  if (firstCell === endCell) return { from: 0, to: 0 }
  return { from: block.start[firstCell]!, to: block.end[endCell - 1]! }
}
