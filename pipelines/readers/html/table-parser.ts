import { CellKind } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import { type MergedRange, MOST_MERGED } from '../../outline/sheet-row.ts'
import type { RowBlock } from '../excel/blocks/row-block.ts'
import type { BlockWriter } from '../excel/sheet/block-writer.ts'
import { HiddenRows } from '../excel/sheet/hidden-rows.ts'
import type { TextRowParser } from '../excel/sheet/text-book.ts'
import { decodeEntities } from './entities.ts'
import { HiddenElement, saysHidden } from './hidden-element.ts'
import { htmlMessages } from './messages.ts'

const MOST_TAG_CHARACTERS = 256 * 1024
const MOST_SPAN = 1000
const MOST_ROW_SPAN = 65_534
const MOST_DEPTH = 64
const MOST_CELL_CHARACTERS = 32 * 1024 * 1024
const SPACES = /[\t\n\f\r ]+/g
/** Elements whose content is not text of the page. */
const RAW = /^(?:script|style|title|textarea|noframes|xml)$/
const BOLD = /^(?:th|b|strong)$/

interface OpenRow {
  /** Counted from 0. */
  column: number
  cells: { column: number; text: string; isBold: boolean }[]
  readonly isHidden: boolean
}

interface OpenCell {
  text: string
  isFilled: boolean
  isBold: boolean
  readonly colSpan: number
  readonly rowSpan: number
}

/** The beginnings of so many tables are known. */
const MOST_BEGINNINGS = 1000

/** Cells that span rows: for each column, how many rows are left. */
type Reaching = Map<number, number>

interface OpenTable {
  readonly reaching: Reaching
  row: OpenRow | null
}

/**
 * Rows of all tables of a page, one below another, with a blank one between two tables. It is as
 * tolerant as browsers are: end tags may be missing, and a table inside a cell counts separately. What a
 * cell does not show is not part of its text; hidden rows are read, as those of a workbook are.
 */
export class TableParser implements TextRowParser {
  readonly merged: MergedRange[] = []
  readonly hiddenRows = new HiddenRows()
  readonly tablesBegin: number[] = []
  readonly #writer: BlockWriter
  readonly #tables: OpenTable[] = []
  #pending = ''
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
    this.#pending += text
    this.#pending = this.#pending.slice(this.#read(onBlock, false))
    if (this.#pending.length > MOST_TAG_CHARACTERS) throw tooLongATag()
  }

  finish(onBlock: (block: RowBlock) => void): void {
    this.#read(onBlock, true)
    while (this.#tables.length > 0) this.#closeTable(onBlock)
  }

  /** Returns how much of the pending text was processed. */
  #read(onBlock: (block: RowBlock) => void, isLast: boolean): number {
    const text = this.#pending
    let at = 0
    while (at < text.length) {
      if (this.#raw !== null) {
        const end = this.#endOfRaw(text, at)
        if (end === -1) return isLast ? text.length : Math.max(at, text.length - 16)
        this.#raw = null
        at = end
        continue
      }
      const tag = text.indexOf('<', at)
      if (tag === -1) {
        // An entity may be cut.
        const cut = isLast ? -1 : text.lastIndexOf('&')
        const end = cut > at && text.length - cut < 40 ? cut : text.length
        this.#addText(text.slice(at, end))
        return end
      }
      this.#addText(text.slice(at, tag))
      const end = endOfTag(text, tag)
      if (end === -1) return isLast ? text.length : tag
      this.#tag(text.slice(tag, end), onBlock)
      at = end
    }
    return at
  }

  #endOfRaw(text: string, from: number): number {
    const closing = `</${this.#raw!}`
    const found = text.toLowerCase().indexOf(closing, from)
    const end = found === -1 ? -1 : text.indexOf('>', found)
    return end === -1 ? -1 : end + 1
  }

  #addText(text: string): void {
    const cell = this.#cell
    if (cell === null || this.#hidden !== null || text === '') return
    cell.text += text.replace(SPACES, ' ')
    cell.isFilled ||= text.trim() !== ''
    if (cell.text.length > MOST_CELL_CHARACTERS) throw tooLongACell()
  }

  #tag(tag: string, onBlock: (block: RowBlock) => void): void {
    const parts = /^<(\/?)([a-z][a-z0-9:]*)/i.exec(tag)
    if (parts === null) return
    const name = parts[2]!.toLowerCase()
    const isEnd = parts[1] === '/'
    if (!isEnd && RAW.test(name) && !tag.endsWith('/>')) {
      this.#raw = name
      return
    }
    if (this.#isHidden(name, isEnd)) return
    if (isEnd) return this.#close(name, onBlock)
    if (this.#cell !== null) this.#hidden = HiddenElement.of(name, tag)
    if (this.#hidden !== null) return
    if (name === 'table') this.#openTable()
    else if (name === 'tr') this.#openRow(onBlock, saysHidden(tag))
    else if (name === 'td' || name === 'th') this.#openCell(name, tag, onBlock)
    else if (name === 'br') this.#addBreak()
    else if (name === 'p' || name === 'div' || name === 'li') this.#addBreak()
    else if (BOLD.test(name) && this.#cell !== null) this.#cell.isBold = true
  }

  #isHidden(name: string, isEnd: boolean): boolean {
    const hidden = this.#hidden
    if (hidden === null) return false
    const holds = hidden.holds(name, isEnd)
    if (!holds || hidden.isOver) this.#hidden = null
    return holds
  }

  #close(name: string, onBlock: (block: RowBlock) => void): void {
    if (name === 'td' || name === 'th') this.#closeCell()
    else if (name === 'tr') this.#closeRow(onBlock)
    else if (name === 'table') this.#closeTable(onBlock)
  }

  #addBreak(): void {
    if (this.#cell?.isFilled === true) this.#cell.text += '\n'
  }

  #openTable(): void {
    // Other text of the surrounding cell is part of a layout.
    this.#cell = null
    if (this.#tables.length === MOST_DEPTH) throw tooDeep()
    this.#tables.push({ reaching: new Map(), row: null })
    this.#isBeginning = true
    if (this.#rowNumber > 0) this.#rowNumber += 1
  }

  #openRow(onBlock: (block: RowBlock) => void, isHidden = false): void {
    this.#closeRow(onBlock)
    const table = this.#tables.at(-1)
    if (table !== undefined) table.row = { column: 0, cells: [], isHidden }
  }

  #openCell(name: string, tag: string, onBlock: (block: RowBlock) => void): void {
    this.#closeCell()
    const table = this.#tables.at(-1)
    if (table === undefined) return
    if (table.row === null) this.#openRow(onBlock)
    const colSpan = spanOf(tag, COL_SPAN, MOST_SPAN)
    const rowSpan = spanOf(tag, ROW_SPAN, MOST_ROW_SPAN)
    this.#cell = { text: '', isFilled: false, isBold: BOLD.test(name), colSpan, rowSpan }
  }

  #closeCell(): void {
    const cell = this.#cell
    const table = this.#tables.at(-1)
    this.#cell = null
    if (cell === null || table === undefined || table.row === null) return
    const { row, reaching } = table
    while (reaching.has(row.column)) row.column += 1
    const { column } = row
    const lines = decodeEntities(cell.text).split('\n')
    const text = lines
      .map((line) => line.trim())
      .join('\n')
      .trim()
    if (text !== '') row.cells.push({ column, text, isBold: cell.isBold })
    const { colSpan, rowSpan } = cell
    row.column += colSpan
    if (rowSpan > 1) {
      for (let covered = 0; covered < colSpan; covered++) reaching.set(column + covered, rowSpan)
    }
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

  #closeRow(onBlock: (block: RowBlock) => void): void {
    this.#closeCell()
    const table = this.#tables.at(-1)
    if (table === undefined || table.row === null) return
    const { cells, isHidden } = table.row
    table.row = null
    this.#rowNumber += 1
    if (isHidden && cells.length > 0) this.hiddenRows.add(this.#rowNumber)
    if (cells.length > 0) this.#noteBeginning()
    for (const [column, rows] of table.reaching) {
      if (rows > 1) table.reaching.set(column, rows - 1)
      else table.reaching.delete(column)
    }
    const full = this.#writer.beginRow(this.#rowNumber)
    if (full !== null) onBlock(full)
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

  #closeTable(onBlock: (block: RowBlock) => void): void {
    this.#closeRow(onBlock)
    this.#tables.pop()
    if (this.#tables.length > 0) this.#rowNumber += 1
  }
}

/** The position after the `>` of a tag or comment; -1 if it has not arrived. */
function endOfTag(text: string, at: number): number {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4)
    return end === -1 ? -1 : end + 3
  }
  if (at + 4 > text.length && '<!--'.startsWith(text.slice(at))) return -1
  // A `<` that begins no tag is text that should have been escaped.
  if (at + 1 < text.length && !/[a-z/!?]/i.test(text[at + 1]!)) return at + 1
  let quote = ''
  for (let end = at + 1; end < text.length; end++) {
    const sign = text[end]!
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '>') return end + 1
    else if ((sign === '"' || sign === "'") && text[end - 1] === '=') quote = sign
  }
  return -1
}

const COL_SPAN = /\scolspan\s?=\s?["']?(\d{1,9})/i
const ROW_SPAN = /\srowspan\s?=\s?["']?(\d{1,9})/i

function spanOf(tag: string, name: RegExp, most: number): number {
  const found = name.exec(tag)
  const span = found === null ? 1 : Number(found[1])
  return Math.min(Math.max(span, 1), most)
}

function tooLongATag(): EngineError {
  return new EngineError(htmlMessages.longTag(), {
    kind: 'limit',
    limit: 'htmlTag',
  })
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
