import { EngineError } from '../../../core/errors.ts'
import { RowBlock } from '../blocks/row-block.ts'
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../cells/cell-address.ts'
import type { TextBudget } from './text-budget.ts'
import type { Message } from '../../../core/message.ts'
import { excelMessages } from '../messages/excel-messages.ts'

/** A block is passed on when it reaches the first of these limits. */
const BLOCK_CELLS = 16_384
const BLOCK_BYTES = 1024 * 1024
/** Empty rows between others count, since the batch contains them, too. */
const BLOCK_ROW_SPAN = 2048
/** The cost of a cell besides its text. */
const CELL_BYTES = 16

/**
 * Collects rows, in order, into blocks. The text of a cell is written to `block` before the cell
 * is added.
 */
export class BlockWriter {
  block = new RowBlock()
  readonly #budget: TextBudget
  readonly #mostRows: number
  #rowNumber = 0
  #rowStart = 0
  #rowCells = 0

  /** `mostRows`: the limit of a sheet; a text may have more. */
  constructor(budget: TextBudget, mostRows = MAX_SHEET_ROWS) {
    this.#budget = budget
    this.#mostRows = mostRows
  }

  get rowNumber(): number {
    return this.#rowNumber
  }

  /** Moves on to a row, counted from 1; returns the previous block if it was full. */
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

  /** Makes the text since `start` a cell of the column, counted from 0. */
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

  /** What is left at the end; null if there is nothing. */
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
