import { CellKind } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import { type MergedRange, MOST_MERGED } from '../../outline/sheet-row.ts'
import type { RowBlock } from '../excel/blocks/row-block.ts'
import type { BlockWriter } from '../excel/sheet/block-writer.ts'
import { HiddenRows } from '../excel/sheet/hidden-rows.ts'
import type { TextRowParser } from '../excel/sheet/text-book.ts'
import { HiddenElement, saysHidden } from './hidden-element.ts'
import { htmlMessages } from './messages.ts'
import { type PageHandler, PageTokens, type TagAttributes } from './page-tokens.ts'

const MOST_SPAN = 1000
const MOST_ROW_SPAN = 65_534
const MOST_DEPTH = 64
const MOST_CELL_CHARACTERS = 32 * 1024 * 1024
const SPACES = /[\t\n\f\r ]+/g
/** Elements whose content is not text of the page. */
const RAW = /^(?:script|style|title|textarea|noframes|xml)$/
const BOLD = /^(?:th|b|strong)$/
const BREAKS = /^(?:br|p|div|li)$/

interface OpenRow {
  /** Counted from 0. */
  column: number
  cells: { column: number; text: string; isBold: boolean }[]
  readonly isHidden: boolean
}

interface OpenCell {
  /** Its lines that are over. */
  lines: string
  /** The line that is being read, without those pieces of it that came last. */
  line: string
  /** Few and small pieces become a line at once: one by one they would take much memory. */
  pieces: string[]
  length: number
  isFilled: boolean
  isBold: boolean
  readonly colSpan: number
  readonly rowSpan: number
}

/** The beginnings of so many tables are known. */
const MOST_BEGINNINGS = 1000

/** No table of a database is nearly as wide, and nothing beyond it is worth its memory. */
const MOST_REACHED = 16_384

/** No row at all. */
const NONE = -1

/** Which columns cells above reach into. They are never counted down: a page may have many rows for few bytes. */
class Reaches {
  /** By column: the last row, counted from 0, that is reached there. */
  #lastRows = new Int32Array(0)

  add(column: number, end: number, lastRow: number): void {
    const to = Math.min(end, MOST_REACHED)
    if (to > this.#lastRows.length) {
      const wider = new Int32Array(Math.min(2 * to, MOST_REACHED)).fill(NONE)
      wider.set(this.#lastRows)
      this.#lastRows = wider
    }
    this.#lastRows.fill(lastRow, column, to)
  }

  /** The first column from `column` on that is free in a row. */
  free(column: number, row: number): number {
    const lastRows = this.#lastRows
    let at = column
    while (at < lastRows.length && lastRows[at]! >= row) at++
    return at
  }
}

interface OpenTable {
  readonly reaching: Reaches
  /** How many rows are over. */
  rows: number
  row: OpenRow | null
}

/**
 * Rows of all tables of a page, one below another, with a blank one between two tables. It is as
 * tolerant as browsers are: end tags may be missing, and a table inside a cell counts separately. What a
 * cell does not show is not part of its text; hidden rows are read, as those of a workbook are.
 */
export class TableParser implements TextRowParser, PageHandler {
  readonly merged: MergedRange[] = []
  readonly hiddenRows = new HiddenRows()
  readonly tablesBegin: number[] = []
  readonly #writer: BlockWriter
  readonly #tables: OpenTable[] = []
  readonly #tokens = new PageTokens(this)
  #onBlock: (block: RowBlock) => void = () => undefined
  /** The element whose end is awaited; everything else is skipped. */
  #raw: string | null = null
  #cell: OpenCell | null = null
  #hidden: HiddenElement | null = null
  #rowNumber = 0
  /** No row with cells has come since a table was opened. */
  #isBeginning = false

  constructor(writer: BlockWriter) {
    this.#writer = writer
  }

  take(text: string, onBlock: (block: RowBlock) => void): void {
    this.#onBlock = onBlock
    this.#tokens.take(text)
    if (this.#cell !== null) joinPieces(this.#cell)
  }

  finish(onBlock: (block: RowBlock) => void): void {
    this.#onBlock = onBlock
    this.#tokens.finish()
    while (this.#tables.length > 0) this.#closeTable()
  }

  text(text: string): void {
    const cell = this.#openForText()
    if (cell === null) return
    cell.isFilled ||= text.trim() !== ''
    addPiece(cell, text.replace(SPACES, ' '))
  }

  /** White space that was written as a reference is meant to be shown. */
  character(character: string): void {
    const cell = this.#openForText()
    if (cell === null) return
    cell.isFilled = true
    addPiece(cell, character)
  }

  #openForText(): OpenCell | null {
    return this.#raw === null && this.#hidden === null ? this.#cell : null
  }

  open(name: string, attributes: TagAttributes, isClosed: boolean): void {
    if (this.#raw !== null) return
    if (RAW.test(name) && !isClosed) {
      this.#raw = name
      return
    }
    if (this.#isHidden(name, false)) return
    if (this.#cell !== null) this.#hidden = HiddenElement.of(name, attributes, isClosed)
    if (this.#hidden !== null) return
    if (name === 'table') this.#openTable()
    else if (name === 'tr') this.#openRow(saysHidden(attributes))
    else if (name === 'td' || name === 'th') this.#openCell(name, attributes)
    else if (BREAKS.test(name)) this.#addBreak()
    else if (BOLD.test(name) && this.#cell !== null) this.#cell.isBold = true
  }

  close(name: string): void {
    if (this.#raw !== null) {
      if (name === this.#raw) this.#raw = null
      return
    }
    if (this.#isHidden(name, true)) return
    if (name === 'td' || name === 'th') this.#closeCell()
    else if (name === 'tr') this.#closeRow()
    else if (name === 'table') this.#closeTable()
  }

  #isHidden(name: string, isEnd: boolean): boolean {
    const hidden = this.#hidden
    if (hidden === null) return false
    const holds = hidden.holds(name, isEnd)
    if (!holds || hidden.isOver) this.#hidden = null
    return holds
  }

  #addBreak(): void {
    if (this.#cell?.isFilled === true) addPiece(this.#cell, '\n')
  }

  #openTable(): void {
    // Other text of the surrounding cell is part of a layout.
    this.#cell = null
    if (this.#tables.length === MOST_DEPTH) throw tooDeep()
    this.#tables.push({ reaching: new Reaches(), rows: 0, row: null })
    this.#isBeginning = true
    if (this.#rowNumber > 0) this.#rowNumber += 1
  }

  #openRow(isHidden = false): void {
    this.#closeRow()
    const table = this.#tables.at(-1)
    if (table !== undefined) table.row = { column: 0, cells: [], isHidden }
  }

  #openCell(name: string, attributes: TagAttributes): void {
    this.#closeCell()
    const table = this.#tables.at(-1)
    if (table === undefined) return
    if (table.row === null) this.#openRow()
    this.#cell = {
      lines: '',
      line: '',
      pieces: [],
      length: 0,
      isFilled: false,
      isBold: BOLD.test(name),
      colSpan: spanOf(attributes.get('colspan'), MOST_SPAN),
      rowSpan: spanOf(attributes.get('rowspan'), MOST_ROW_SPAN),
    }
  }

  #closeCell(): void {
    const cell = this.#cell
    const table = this.#tables.at(-1)
    this.#cell = null
    if (cell === null || table === undefined || table.row === null) return
    const { row, reaching } = table
    const column = reaching.free(row.column, table.rows)
    joinPieces(cell)
    const text = (cell.lines + cell.line.trim()).trim()
    if (text !== '') row.cells.push({ column, text, isBold: cell.isBold })
    const { colSpan, rowSpan } = cell
    row.column = column + colSpan
    if (rowSpan > 1) reaching.add(column, row.column, table.rows + rowSpan - 1)
    if (colSpan * rowSpan > 1 && this.merged.length < MOST_MERGED) {
      const firstLine = this.#rowNumber + 1
      const lastLine = firstLine + rowSpan - 1
      this.merged.push({
        firstLine,
        lastLine,
        firstColumn: column,
        lastColumn: column + colSpan - 1,
      })
    }
  }

  #closeRow(): void {
    this.#closeCell()
    const table = this.#tables.at(-1)
    if (table === undefined || table.row === null) return
    const { cells, isHidden } = table.row
    table.row = null
    this.#rowNumber += 1
    if (isHidden && cells.length > 0) this.hiddenRows.add(this.#rowNumber)
    if (cells.length > 0) this.#noteBeginning()
    table.rows += 1
    const full = this.#writer.beginRow(this.#rowNumber)
    if (full !== null) this.#onBlock(full)
    for (const { column, text, isBold } of cells) {
      const start = this.#writer.block.used
      this.#writer.block.appendText(text)
      this.#writer.add(column, start, CellKind.text, isBold)
    }
  }

  #noteBeginning(): void {
    if (this.#isBeginning && this.tablesBegin.length < MOST_BEGINNINGS) {
      this.tablesBegin.push(this.#rowNumber)
    }
    this.#isBeginning = false
  }

  #closeTable(): void {
    this.#closeRow()
    this.#tables.pop()
    if (this.#tables.length > 0) this.#rowNumber += 1
  }
}

function addPiece(cell: OpenCell, piece: string): void {
  cell.pieces.push(piece)
  cell.length += piece.length
  if (cell.length > MOST_CELL_CHARACTERS) throw tooLongACell()
}

/** Lines are trimmed as soon as they are over: all lines of a long cell at once take long. */
function joinPieces(cell: OpenCell): void {
  const added = cell.pieces.join('')
  cell.pieces = []
  const end = added.lastIndexOf('\n')
  if (end === -1) {
    cell.line += added
    return
  }
  const over = (cell.line + added.slice(0, end)).split('\n')
  cell.lines += `${over.map((line) => line.trim()).join('\n')}\n`
  cell.line = added.slice(end + 1)
}

function spanOf(written: string | undefined, most: number): number {
  const [, digits = '1'] = /^\s*(\d{1,9})/.exec(written ?? '') ?? []
  return Math.min(Math.max(Number(digits), 1), most)
}

function tooLongACell(): EngineError {
  return new EngineError(htmlMessages.longCell(), { kind: 'limit', limit: 'cellBytes' })
}

function tooDeep(): EngineError {
  return new EngineError(htmlMessages.nested({ most: MOST_DEPTH }), {
    kind: 'limit',
    limit: 'htmlDepth',
  })
}
