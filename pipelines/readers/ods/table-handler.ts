import { CellKind } from '../../core/batch.ts'
import { type MergedRange, MOST_MERGED } from '../../outline/sheet-row.ts'
import type { RowBlock } from '../excel/blocks/row-block.ts'
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../excel/cells/cell-address.ts'
import type { BlockWriter } from '../excel/sheet/block-writer.ts'
import { HiddenRows } from '../excel/sheet/hidden-rows.ts'
import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import { xmlName } from '../excel/xml/xml-name.ts'
import type { XmlSheetHandler } from '../excel/sheet/xml-sheet.ts'
import { ShownDigits } from '../../cells/shown-digits.ts'
import { isCanonicalNumber } from '../texts/number-text.ts'
import { CellStyles, NO_STYLE } from './cell-styles.ts'
import type { OdsStyles } from './ods-styles.ts'
import {
  ERROR,
  FORMULA,
  isNumber,
  NO_TYPE,
  type TypedValue,
  typedValue,
  VALUE,
  valueType,
} from './typed-value.ts'

const TABLE = xmlName('table')
const COLUMN = xmlName('table-column')
const ROW = xmlName('table-row')
const CELL = xmlName('table-cell')
const COVERED_CELL = xmlName('covered-table-cell')
const PARAGRAPH = xmlName('p')
const SPACES = xmlName('s')
const TAB = xmlName('tab')
const LINE_BREAK = xmlName('line-break')
const SHAPES = xmlName('shapes')

const ROWS_REPEATED = xmlName('number-rows-repeated')
const COLUMNS_REPEATED = xmlName('number-columns-repeated')
const ROWS_SPANNED = xmlName('number-rows-spanned')
const COLUMNS_SPANNED = xmlName('number-columns-spanned')
const CELL_STYLE = xmlName('default-cell-style-name')
const VISIBILITY = xmlName('visibility')
const COUNT = xmlName('c')

const MOST_SPACES = 32_767

/** Collects the cells of one table. Repeated cells and rows are written out, empty ones skipped. */
export class TableHandler implements XmlSheetHandler {
  isDone = false
  errorCells = 0
  formulasWithoutResult = 0
  readonly hiddenRows = new HiddenRows()
  readonly merged: MergedRange[] = []
  readonly #writer: BlockWriter
  readonly #styles: OdsStyles
  readonly #onBlock: (block: RowBlock | null) => void
  #depth = 0
  /** The depth of a comment or a drawing, whose text is not the cell's; 0 outside them. */
  #aside = 0
  #rowNumber = 0
  #rowsRepeated = 1
  #repeated: { readonly cells: readonly RowCell[]; readonly left: number } | null = null
  #column = 0
  #inCell = false
  #cellDepth = 0
  #columnsRepeated = 1
  /** The styles of cells that name none: by column, and of the row. */
  readonly #columnStyles: string[] = []
  #columnsBefore = 0
  #rowStyle: string | null = null
  #isHidden = false
  #style = NO_STYLE
  readonly #cellStyles: CellStyles
  readonly #digits = new ShownDigits()
  #start = 0
  /** The end of a number that was kept as it is written; equal to the start if there was none. */
  #numberEnd = 0
  #paragraphs = 0
  #inParagraph = false
  /** What the cell says about its value; null if there is only its text. */
  #typed: TypedValue | null = null
  #isError = false
  #hasFormula = false
  #hasText = false

  constructor(writer: BlockWriter, styles: OdsStyles, onBlock: (block: RowBlock | null) => void) {
    this.#writer = writer
    this.#styles = styles
    this.#cellStyles = new CellStyles(styles)
    this.#onBlock = onBlock
  }

  repeatRow(): boolean {
    if (this.#repeated === null) return false
    const { cells, left } = this.#repeated
    this.#repeated = left > 1 ? { cells, left: left - 1 } : null
    this.#rowNumber += 1
    const full = this.#writer.beginRow(this.#rowNumber)
    if (full !== null) this.#onBlock(full)
    for (const { column, text, kind } of cells) {
      const start = this.#writer.block.used
      this.#writer.block.append(text, 0, text.length)
      this.#writer.add(column, start, kind)
    }
    return true
  }

  open(name: number, attributes: XmlAttributes): void {
    this.#depth += 1
    if (this.#aside > 0) return
    if (name === CELL || name === COVERED_CELL) this.#openCell(attributes)
    else if (name === PARAGRAPH) this.#openParagraph()
    else if (this.#inCell && this.#depth === this.#cellDepth + 1) this.#aside = this.#depth
    else if (name === ROW) this.#openRow(attributes)
    else if (name === COLUMN) this.#openColumn(attributes)
    else if (name === SPACES) this.#append(' '.repeat(repeats(attributes, COUNT, MOST_SPACES)))
    else if (name === TAB) this.#append('\t')
    else if (name === LINE_BREAK) this.#append('\n')
    else if (name === SHAPES || (name === TABLE && this.#depth > 1)) {
      this.#aside = this.#depth
    }
  }

  close(name: number): void {
    const depth = this.#depth
    this.#depth -= 1
    if (this.#aside > 0) {
      if (depth === this.#aside) this.#aside = 0
    } else if (name === PARAGRAPH) this.#inParagraph = false
    else if (name === CELL || name === COVERED_CELL) this.#closeCell()
    else if (name === ROW) this.#closeRow()
    else if (name === TABLE) {
      this.isDone = true
      this.#onBlock(this.#writer.finish())
    }
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#inParagraph && this.#aside === 0) this.#writer.block.append(bytes, start, end)
  }

  #openColumn(attributes: XmlAttributes): void {
    const from = this.#columnsBefore
    const again = repeats(attributes, COLUMNS_REPEATED, MAX_SHEET_COLUMNS - from)
    this.#columnsBefore = Math.min(MAX_SHEET_COLUMNS, from + again)
    const style = attributes.text(CELL_STYLE) ?? ''
    const { boldCells, fixedDigits } = this.#styles
    if (!boldCells.has(style) && !fixedDigits.has(style)) return
    for (let column = from; column < this.#columnsBefore; column++) {
      this.#columnStyles[column] = style
    }
  }

  #openRow(attributes: XmlAttributes): void {
    this.#rowsRepeated = repeats(attributes, ROWS_REPEATED, Number.MAX_SAFE_INTEGER)
    this.#column = 0
    this.#rowStyle = attributes.text(CELL_STYLE)
    this.#isHidden = /^(?:collapse|filter)$/.test(attributes.text(VISIBILITY) ?? '')
    // Repeat counts of empty rows may go beyond the last possible row.
    if (this.#rowNumber < MAX_SHEET_ROWS) this.#beginRow()
  }

  #beginRow(): void {
    const full = this.#writer.beginRow(this.#rowNumber + 1)
    if (full !== null) this.#onBlock(full)
  }

  /** Rows without any cell are only counted. */
  #closeRow(): void {
    this.#rowNumber += 1
    const { block } = this.#writer
    const row = block.rows - 1
    const again = this.#rowsRepeated - 1
    if (row < 0 || block.rowNumber[row] !== this.#rowNumber) this.#rowNumber += again
    else {
      if (this.#isHidden) this.hiddenRows.add(this.#rowNumber, this.#rowsRepeated)
      if (again === 0) return
      this.#repeated = { cells: cellsOf(block, row), left: again }
      this.#onBlock(null)
    }
  }

  #openCell(attributes: XmlAttributes): void {
    this.#inCell = true
    this.#cellDepth = this.#depth
    this.#columnsRepeated = repeats(attributes, COLUMNS_REPEATED, MAX_SHEET_COLUMNS)
    this.#start = this.#writer.block.used
    this.#paragraphs = 0
    this.#hasText = false
    const otherwise = this.#rowStyle ?? this.#columnStyles[this.#column] ?? ''
    this.#style = this.#cellStyles.of(attributes, this.#column, otherwise)
    this.#hasFormula = attributes.find(FORMULA) >= 0
    this.#readValue(attributes)
    const columns = repeats(attributes, COLUMNS_SPANNED, MAX_SHEET_COLUMNS)
    const rows = repeats(attributes, ROWS_SPANNED, MAX_SHEET_ROWS)
    if (columns * rows > 1 && this.merged.length < MOST_MERGED) {
      const [firstLine, firstColumn] = [this.#rowNumber + 1, this.#column]
      const [lastLine, lastColumn] = [firstLine + rows - 1, firstColumn + columns - 1]
      this.merged.push({ firstLine, lastLine, firstColumn, lastColumn })
    }
  }

  #readValue(attributes: XmlAttributes): void {
    this.#typed = null
    this.#numberEnd = this.#start
    const type = valueType(attributes)
    this.#isError = type === ERROR
    if (type === NO_TYPE || this.#isError) return
    const isPlain = isNumber(type) && !this.#hasFormula && !this.#style.hasFixedDigits
    if (isPlain && this.#keepNumber(attributes)) return
    this.#typed = typedValue(type, attributes)
  }

  /** Most numbers are stored as they are written, without creating a string. */
  #keepNumber(attributes: XmlAttributes): boolean {
    const { bytes, start, end } = attributes
    const at = attributes.find(VALUE)
    if (at < 0 || !isCanonicalNumber(bytes, start[at]!, end[at]!)) return false
    const { block } = this.#writer
    block.append(bytes, start[at]!, end[at]!)
    this.#numberEnd = block.used
    return true
  }

  #openParagraph(): void {
    if (!this.#inCell) return
    if (this.#paragraphs > 0) this.#writer.block.appendText('\n')
    this.#paragraphs += 1
    this.#inParagraph = true
    this.#hasText = true
  }

  #append(text: string): void {
    if (this.#inParagraph) this.#writer.block.appendText(text)
  }

  #closeCell(): void {
    this.#inCell = false
    this.#inParagraph = false
    const { block } = this.#writer
    const typed = this.#typed
    let kind: CellKind = CellKind.text
    if (this.#isError) {
      this.errorCells += 1
      block.used = this.#start
    } else if (this.#numberEnd > this.#start) {
      kind = CellKind.number
      block.used = this.#numberEnd
    } else if (typed !== null) {
      kind = this.#isAsShown(typed) ? CellKind.shownDigits : typed.kind
      if (kind === typed.kind) {
        block.used = this.#start
        block.appendText(typed.text)
      }
    } else if (this.#hasFormula && !this.#hasText) this.formulasWithoutResult += 1
    const isFilled = block.used > this.#start
    if (isFilled && this.#rowNumber >= MAX_SHEET_ROWS) this.#beginRow()
    const copies = isFilled ? this.#columnsRepeated : 0
    for (let cell = 0; cell < copies; cell++) {
      if (cell > 0) this.#repeat()
      this.#writer.add(this.#column + cell, this.#start, kind, this.#style.isBold)
    }
    this.#column += this.#columnsRepeated
  }

  /** Whether the text of the cell is its number with all digits as people see them. */
  #isAsShown(typed: TypedValue): boolean {
    const { bytes, used } = this.#writer.block
    if (!this.#style.hasFixedDigits || typed.kind !== CellKind.number || used === this.#start)
      return false
    this.#digits.take(bytes, this.#start, used)
    return this.#digits.bytes.toString('latin1', 0, this.#digits.length) === typed.text
  }

  /** Writes the same text again, at the end of the block. */
  #repeat(): void {
    const { block } = this.#writer
    const text = Buffer.from(block.bytes.subarray(this.#start, block.used))
    this.#start = block.used
    block.append(text, 0, text.length)
  }
}

function repeats(attributes: XmlAttributes, name: number, most: number): number {
  const text = attributes.text(name)
  if (text === null) return 1
  const count = Number(text)
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : 1
}

interface RowCell {
  readonly column: number
  readonly text: Buffer
  readonly kind: number
}

function cellsOf(block: RowBlock, row: number): RowCell[] {
  const cells: RowCell[] = []
  for (let cell = block.firstCell[row]!; cell < block.endCell(row); cell++) {
    const text = Buffer.from(block.bytes.subarray(block.start[cell], block.end[cell]))
    cells.push({ column: block.column[cell]!, text, kind: block.kind[cell]! })
  }
  return cells
}
