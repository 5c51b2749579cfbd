import { EngineError } from '../../../core/errors.ts'
import { RowBlock } from '../blocks/row-block.ts'
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../cells/cell-address.ts'
import type { TextBudget } from './text-budget.ts'
import type { Message } from '../../../core/message.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** A block is handed on at the first of these. */
const BLOCK_CELLS = 16_384
const BLOCK_BYTES = 1024 * 1024
/** Empty rows between others count: the batch has them too. */
const BLOCK_ROW_SPAN = 2048
/** What a cell costs beside its text. */
const CELL_BYTES = 16

/** Gathers rows, in their order, into blocks. The text of a cell is written to `block` before it is added. */
export class BlockWriter {
  block = new RowBlock()
  readonly #budget: TextBudget
  readonly #mostRows: number
  #rowNumber = 0
  #rowStart = 0
  #rowCells = 0

  /** `mostRows`: those of a sheet; a text may have more. */
  constructor(budget: TextBudget, mostRows = MAX_SHEET_ROWS) {
    this.#budget = budget
    this.#mostRows = mostRows
  }

  get rowNumber(): number {
    return this.#rowNumber
  }

  /** Goes on to a row, counted from 1; gives the block that was full before. */
  beginRow(rowNumber: number): RowBlock | null {
    if (rowNumber > this.#mostRows) throw outside(excelMessages.belowSheet())
    this.#endRow()
    this.#rowNumber = rowNumber
    const { rows, cells, used, rowNumber: numbers } = this.block
    const isFull =
      rows > 0 &&
      (cells >= BLOCK_CELLS || used >= BLOCK_BYTES || rowNumber - numbers[0]! >= BLOCK_ROW_SPAN)
    const full = isFull ? this.block : null
    if (full !== null) this.block = new RowBlock(full)
    this.#rowStart = this.block.used
    return full
  }

  /** The text since `start` is that of a cell, its column counted from 0. */
  add(column: number, start: number, kind: number, isBold = false): void {
    const { block } = this
    if (column >= MAX_SHEET_COLUMNS) throw outside(excelMessages.besideSheet())
    this.#budget.checkCell(block.used - start, column, this.#rowNumber)
    this.#budget.checkRow(block.used - this.#rowStart, this.#rowNumber)
    if (block.rows === 0 || block.rowNumber[block.rows - 1] !== this.#rowNumber) {
      block.addRow(this.#rowNumber)
    }
    block.addCell(column, start, kind)
    this.#rowCells += 1
    if (isBold) block.isBold[block.rows - 1] = 1
  }

  /** What is left at the end; null where there is nothing. */
  finish(): RowBlock | null {
    this.#endRow()
    const last = this.block
    this.block = new RowBlock()
    return last.rows === 0 ? null : last
  }

  #endRow(): void {
    this.#budget.countRow(this.block.used - this.#rowStart + CELL_BYTES * this.#rowCells)
    this.#rowCells = 0
    this.#rowStart = this.block.used
  }
}

const outside = (message: Message): EngineError => new EngineError(message, { kind: 'structure' })
