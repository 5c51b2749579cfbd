import { cutText } from '../../../core/cut-text.ts'
import { columnLetters } from '../../../cells/column-letters.ts'
import { type MergedRange, MOST_MERGED } from '../../../outline/sheet-row.ts'
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, columnOfReference } from '../cells/cell-address.ts'
import { CellType, cellType } from '../cells/cell-type.ts'
import { NO_SUCH_STRING, NO_VALUE, writeCell, type CellContext } from '../cells/write-cell.ts'
import type { XmlAttributes } from '../xml/xml-attributes.ts'
import { xmlName } from '../xml/xml-name.ts'
import type { XmlSheetHandler } from './xml-sheet.ts'
import { rowsInDisorder, strayCell, strayRow, textNotThere } from './damaged-sheet.ts'
import { RowBlock } from '../blocks/row-block.ts'
import { HiddenRows } from './hidden-rows.ts'
import type { TextBudget } from './text-budget.ts'

const SHEET_DATA = xmlName('sheetData')
const ROW = xmlName('row')
const CELL = xmlName('c')
const MERGED = xmlName('mergeCell')
const RANGE = xmlName('ref')
const VALUE = xmlName('v')
const FORMULA = xmlName('f')
const TEXT = xmlName('t')
const PHONETIC = xmlName('rPh')

const REFERENCE = xmlName('r')
const STYLE = xmlName('s')
const TYPE = xmlName('t')
const HIDDEN = xmlName('hidden')

/** A block is passed on when it reaches the first of these limits. */
const BLOCK_CELLS = 16_384
const BLOCK_BYTES = 1024 * 1024
/** Empty rows between others count, since the batch contains them, too. */
const BLOCK_ROW_SPAN = 2048
/** Headers are in the first rows, and have at most this many merged ranges. */
const MERGED_ROWS = 1000
/** How much of an invalid reference a message shows. */
const MOST_SHOWN = 40

/** Collects the cells of one sheet into blocks. Empty cells and rows leave no trace here. */
export class SheetHandler implements XmlSheetHandler {
  /** Cells with a formula whose result is not in the workbook. */
  formulasWithoutResult = 0
  /** Merged ranges in the first rows. The file lists them after all rows. */
  readonly merged: MergedRange[] = []
  /** Cells such as `#N/A`, which are NULL. */
  errorCells = 0
  readonly hiddenRows = new HiddenRows()
  readonly #sheet: string
  readonly #context: CellContext
  readonly #budget: TextBudget
  readonly #onBlock: (block: RowBlock) => void
  #block = new RowBlock()
  #inSheetData = false
  #inRow = false
  #rowNumber = 0
  #isHidden = false
  #rowStarted = false
  #rowStart = 0
  #inCell = false
  #column = -1
  #type: CellType = CellType.number
  #style = 0
  #valueStart = 0
  #hasValue = false
  #hasFormula = false
  #inText = false
  #inPhonetic = false

  constructor(
    sheet: string,
    context: CellContext,
    budget: TextBudget,
    onBlock: (block: RowBlock) => void,
  ) {
    this.#sheet = sheet
    this.#context = context
    this.#budget = budget
    this.#onBlock = onBlock
  }

  /** Passes on what is left. */
  finish(): void {
    if (this.#block.rows > 0) this.#handOn()
  }

  open(name: number, attributes: XmlAttributes): void {
    if (name === CELL) {
      if (this.#inRow) this.#openCell(attributes)
    } else if (name === VALUE || name === TEXT) {
      this.#inText = this.#inCell && !this.#inPhonetic
      this.#hasValue ||= this.#inText
    } else if (name === ROW) {
      if (this.#inSheetData) this.#openRow(attributes)
    } else if (name === FORMULA) this.#hasFormula = true
    else if (name === PHONETIC) this.#inPhonetic = true
    else if (name === SHEET_DATA) this.#inSheetData = true
    else if (name === MERGED) this.#addMerged(attributes.text(RANGE) ?? '')
  }

  close(name: number): void {
    if (name === VALUE || name === TEXT) this.#inText = false
    else if (name === CELL) {
      if (this.#inCell) this.#closeCell()
    } else if (name === ROW) {
      if (this.#inRow) this.#closeRow()
    } else if (name === PHONETIC) this.#inPhonetic = false
    else if (name === SHEET_DATA) this.#inSheetData = false
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (!this.#inText) return
    this.#block.append(bytes, start, end)
    this.#budget.checkCell(this.#block.used - this.#valueStart, this.#column, this.#rowNumber)
  }

  #addMerged(reference: string): void {
    if (this.merged.length >= MOST_MERGED) return
    const [first, last] = reference.split(':').map((part) => {
      const bytes = Buffer.from(part)
      return {
        column: columnOfReference(bytes, 0, bytes.length),
        row: Number(/\d+/.exec(part)?.[0]),
      }
    })
    if (first === undefined || last === undefined || !(first.row <= MERGED_ROWS)) return
    this.merged.push({
      firstLine: first.row,
      lastLine: last.row,
      firstColumn: first.column,
      lastColumn: last.column,
    })
  }

  #openRow(attributes: XmlAttributes): void {
    const given = wholeNumber(attributes, REFERENCE)
    const rowNumber = given ?? this.#rowNumber + 1
    if (rowNumber < 1 || rowNumber > MAX_SHEET_ROWS) {
      throw strayRow(this.#sheet, rowNumber, this.#rowNumber)
    }
    if (rowNumber <= this.#rowNumber) {
      throw rowsInDisorder(this.#sheet, rowNumber, this.#rowNumber)
    }
    this.#inRow = true
    this.#rowNumber = rowNumber
    this.#isHidden = /^(?:1|true)$/.test(attributes.text(HIDDEN) ?? '')
    this.#rowStarted = false
    this.#column = -1
  }

  #closeRow(): void {
    this.#inRow = false
    if (this.#rowStarted) this.#budget.countRow(this.#block.used - this.#rowStart)
    const block = this.#block
    if (block.cells >= BLOCK_CELLS || block.used >= BLOCK_BYTES) this.#handOn()
  }

  #openCell(attributes: XmlAttributes): void {
    this.#inCell = true
    this.#type = CellType.number
    this.#style = 0
    this.#hasValue = false
    this.#hasFormula = false
    this.#valueStart = this.#block.used
    let column = this.#column + 1
    const { bytes, name, start, end, count } = attributes
    for (let index = 0; index < count; index += 1) {
      const from = start[index]!
      const to = end[index]!
      if (name[index] === REFERENCE) column = columnOfReference(bytes, from, to)
      else if (name[index] === STYLE) this.#style = digits(bytes, from, to)
      else if (name[index] === TYPE) this.#type = cellType(bytes, from, to)
    }
    if (column < 0 || column >= MAX_SHEET_COLUMNS) {
      const reference = attributes.text(REFERENCE) ?? columnLetters(column)
      throw strayCell(this.#sheet, cutText(reference, MOST_SHOWN), this.#rowNumber)
    }
    this.#column = column
  }

  #closeCell(): void {
    this.#inCell = false
    if (!this.#hasValue) {
      if (this.#hasFormula) this.formulasWithoutResult += 1
      return
    }
    if (!this.#rowStarted) this.#startRow()
    const kind = writeCell(this.#block, this.#valueStart, this.#type, this.#style, this.#context)
    if (kind === NO_SUCH_STRING) throw textNotThere(this.#sheet, this.#column, this.#rowNumber)
    if (kind === NO_VALUE) {
      if (this.#type === CellType.error) this.errorCells += 1
      else if (this.#hasFormula) this.formulasWithoutResult += 1
      this.#block.used = this.#valueStart
      return
    }
    this.#budget.checkRow(this.#block.used - this.#rowStart, this.#rowNumber)
    this.#block.addCell(this.#column, this.#valueStart, kind)
    if (this.#context.bold[this.#style] === 1) this.#block.isBold[this.#block.rows - 1] = 1
  }

  /** A row is kept from its first cell with content on. */
  #startRow(): void {
    const block = this.#block
    if (block.rows > 0 && this.#rowNumber - block.rowNumber[0]! >= BLOCK_ROW_SPAN) {
      const value = block.bytes.subarray(this.#valueStart, block.used)
      block.used = this.#valueStart
      this.#handOn()
      this.#block.append(value, 0, value.length)
      this.#valueStart = 0
    }
    this.#rowStarted = true
    this.#rowStart = this.#valueStart
    if (this.#isHidden) this.hiddenRows.add(this.#rowNumber)
    this.#block.addRow(this.#rowNumber)
  }

  #handOn(): void {
    const block = this.#block
    this.#block = new RowBlock(block)
    this.#onBlock(block)
  }
}

function wholeNumber(attributes: XmlAttributes, name: number): number | null {
  for (let index = 0; index < attributes.count; index += 1) {
    if (attributes.name[index] === name) {
      return digits(attributes.bytes, attributes.start[index]!, attributes.end[index]!)
    }
  }
  return null
}

function digits(bytes: Buffer, start: number, end: number): number {
  let number = 0
  for (let at = start; at < end; at += 1) number = number * 10 + bytes[at]! - 0x30
  return number
}
