import { CellKind, NULL_CELL, type Batch, type RowFault } from '../../../core/batch.ts'
import type { RaggedPolicy } from '../../sheet-options.ts'
import { cellPlace } from '../cells/cell-address.ts'
import type { Table } from './table-in-sheet.ts'
import type { RowBlock } from '../blocks/row-block.ts'
import { isBlankCell } from './survey.ts'

/** Rows that are missing between two blocks come in batches of at most so many cells. */
const BLANK_BATCH_CELLS = 32 * 1024

/** Turns the cells that a sheet has into rows of the table's width, blank rows between included. */
export class TableRows {
  /** Filled cells beside the table that were left out. */
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
    const blankRowsAtOnce = Math.max(1, Math.floor(BLANK_BATCH_CELLS / this.#width))
    while (block.rowNumber[first]! - this.#nextRow > blankRowsAtOnce) {
      yield this.#batch(Buffer.alloc(0), blankRowsAtOnce)
    }
    yield this.#fill(block, first)
  }

  #fill(block: RowBlock, first: number): Batch {
    const rows = block.rowNumber[block.rows - 1]! - this.#nextRow + 1
    const firstRowNumber = this.#nextRow
    const faults: RowFault[] = []
    const kinds = new Uint8Array(rows * this.#width)
    const batch = this.#batch(block.bytes.subarray(0, block.used), rows, kinds, faults)
    const { firstColumn } = this.#table
    for (let index = first; index < block.rows; index += 1) {
      const row = block.rowNumber[index]! - firstRowNumber
      const endCell = block.endCell(index)
      for (let cell = block.firstCell[index]!; cell < endCell; cell += 1) {
        const column = block.column[cell]! - firstColumn
        if (column < 0 || column >= this.#width) this.#surplus(block, index, cell, row, faults)
        else {
          const target = row * this.#width + column
          batch.start[target] = block.start[cell]!
          batch.end[target] = block.end[cell]!
          kinds[target] = block.kind[cell]!
        }
      }
    }
    return kinds.some((kind) => kind !== CellKind.text) ? batch : { ...batch, kinds: null }
  }

  /** A batch whose cells are all empty yet. */
  #batch(
    bytes: Buffer,
    rows: number,
    kinds: Uint8Array | null = null,
    faults: readonly RowFault[] = [],
  ): Batch {
    const firstRow = this.#ordinal
    const firstLine = this.#nextRow
    this.#ordinal += rows
    this.#nextRow += rows
    return {
      bytes,
      start: new Int32Array(rows * this.#width),
      end: new Int32Array(rows * this.#width).fill(NULL_CELL),
      kinds,
      width: this.#width,
      rows,
      firstRow,
      lines: Int32Array.from({ length: rows }, (_, row) => firstLine + row),
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
      message: `The cell ${place} is filled but stands outside of the table: give its column a header, or leave such cells out by the option "ragged": "fit".`,
    })
  }
}
