import { CellKind } from '../../core/batch.ts'
import { type MergedRange, MOST_MERGED } from '../../outline/sheet-row.ts'
import type { RowBlock } from '../excel/blocks/row-block.ts'
import { isoDateCell } from '../excel/cells/iso-date-cell.ts'
import type { BlockWriter } from '../excel/sheet/block-writer.ts'
import { HiddenRows } from '../excel/sheet/hidden-rows.ts'
import type { XmlAttributes } from '../excel/xml/xml-attributes.ts'
import { xmlName } from '../excel/xml/xml-name.ts'
import type { XmlSheetHandler } from '../excel/sheet/xml-sheet.ts'
import { canonicalNumber } from '../texts/number-text.ts'
import type { XmlStyles } from './sheet-list-handler.ts'

const WORKSHEET = xmlName('Worksheet')
const ROW = xmlName('Row')
const CELL = xmlName('Cell')
const DATA = xmlName('Data')
const COMMENT = xmlName('Comment')
const INDEX = xmlName('Index')
const STYLE_ID = xmlName('StyleID')
const TYPE = xmlName('Type')
const FORMULA = xmlName('Formula')
const HIDDEN = xmlName('Hidden')
const MERGE_ACROSS = xmlName('MergeAcross')
const MERGE_DOWN = xmlName('MergeDown')

const MOST_INDEX = 10_000_000
/** The day that is stored for a time without one. */
const NO_DAY = /^1899-12-3[01]T/

/** Collects the cells of one worksheet of an XML workbook. */
export class WorksheetHandler implements XmlSheetHandler {
  errorCells = 0
  formulasWithoutResult = 0
  readonly hiddenRows = new HiddenRows()
  readonly merged: MergedRange[] = []
  readonly #writer: BlockWriter
  readonly #styles: XmlStyles
  readonly #onBlock: (block: RowBlock) => void
  /** How many worksheets come before it. */
  #before: number
  #isInside = false
  #rowNumber = 0
  #isHidden = false
  /** The column of the previous cell, counted from 0. */
  #column = -1
  #style = ''
  #type = ''
  #hasFormula = false
  #hasData = false
  #inData = false
  #inComment = false
  /** How many cells it covers in addition to itself. */
  #across = 0
  #start = 0

  constructor(
    writer: BlockWriter,
    at: number,
    styles: XmlStyles,
    onBlock: (block: RowBlock) => void,
  ) {
    this.#writer = writer
    this.#before = at
    this.#styles = styles
    this.#onBlock = onBlock
  }

  open(name: number, attributes: XmlAttributes): void {
    if (name === WORKSHEET) {
      this.#isInside = this.#before === 0
      this.#before -= 1
    } else if (!this.#isInside || this.#inComment) return
    else if (name === CELL) this.#openCell(attributes)
    else if (name === DATA) {
      this.#type = attributes.text(TYPE) ?? ''
      this.#inData = true
      this.#hasData = true
      this.#start = this.#writer.block.used
    } else if (name === ROW) {
      this.#rowNumber = number(attributes, INDEX, this.#rowNumber + 1)
      this.#column = -1
      this.#across = 0
      this.#isHidden = attributes.text(HIDDEN) === '1'
      const full = this.#writer.beginRow(this.#rowNumber)
      if (full !== null) this.#onBlock(full)
    } else if (name === COMMENT) this.#inComment = true
  }

  close(name: number): void {
    if (!this.#isInside) return
    if (name === COMMENT) this.#inComment = false
    else if (this.#inComment) return
    else if (name === DATA) this.#closeData()
    else if (name === CELL) {
      if (this.#hasFormula && !this.#hasData) this.formulasWithoutResult += 1
    } else if (name === WORKSHEET) {
      this.#isInside = false
      const last = this.#writer.finish()
      if (last !== null) this.#onBlock(last)
    }
  }

  text(bytes: Buffer, start: number, end: number): void {
    if (this.#inData) this.#writer.block.append(bytes, start, end)
  }

  #openCell(attributes: XmlAttributes): void {
    this.#column = number(attributes, INDEX, this.#column + this.#across + 2) - 1
    this.#style = attributes.text(STYLE_ID) ?? ''
    this.#hasFormula = attributes.text(FORMULA) !== null
    this.#hasData = false
    if (this.#column < 0) this.#column = 0
    const across = number(attributes, MERGE_ACROSS, 0)
    const down = number(attributes, MERGE_DOWN, 0)
    if (across + down > 0 && this.merged.length < MOST_MERGED) {
      const [firstLine, firstColumn] = [this.#rowNumber, this.#column]
      const [lastLine, lastColumn] = [firstLine + down, firstColumn + across]
      this.merged.push({ firstLine, lastLine, firstColumn, lastColumn })
    }
    this.#across = across
  }

  /** A number whose format shows a fixed number of digits. */
  #shownValue(raw: string): TypedValue | null {
    const pattern = this.#type === 'Number' ? this.#styles.digits.get(this.#style) : undefined
    const text = pattern?.show(Number(raw)) ?? null
    return text === null ? null : { text, kind: CellKind.shownDigits }
  }

  #closeData(): void {
    this.#inData = false
    const { block } = this.#writer
    if (block.used === this.#start) return
    if (this.#type === 'Error') {
      this.errorCells += 1
      block.used = this.#start
      return
    }
    const raw = this.#type === 'String' ? '' : block.bytes.toString('utf8', this.#start, block.used)
    const typed = this.#shownValue(raw) ?? typedValue(this.#type, raw.trim())
    if (typed !== null) {
      block.used = this.#start
      block.appendText(typed.text)
    }
    if (this.#isHidden) this.hiddenRows.add(this.#rowNumber)
    this.#isHidden = false
    const isBold = this.#styles.bold.has(this.#style)
    this.#writer.add(this.#column, this.#start, typed?.kind ?? CellKind.text, isBold)
  }
}

interface TypedValue {
  readonly text: string
  readonly kind: CellKind
}

function number(attributes: XmlAttributes, name: number, otherwise: number): number {
  const text = attributes.text(name)
  const value = text === null ? Number.NaN : Number(text)
  return Number.isInteger(value) && value >= 0 ? Math.min(value, MOST_INDEX) : otherwise
}

/** Null if the text is the value. */
function typedValue(type: string, text: string): TypedValue | null {
  switch (type) {
    case 'Number': {
      const canonical = canonicalNumber(text)
      return canonical === null ? null : { text: canonical, kind: CellKind.number }
    }
    case 'DateTime':
      return isoDateCell(NO_DAY.test(text) ? text.slice('1899-12-31T'.length) : text)
    case 'Boolean':
      return text === '1' || text === '0'
        ? { text: text === '1' ? 'true' : 'false', kind: CellKind.boolean }
        : null
    default:
      return null
  }
}
