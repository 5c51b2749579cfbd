import { type Batch, CellKind, cellText } from '../../core/batch.ts'
import type { Findings, Layout, Learned } from '../../core/reader.ts'
import { MOST_REMEDIES } from '../../core/remedy.ts'
import type { Warning } from '../../core/warning.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import type { RowShape, SheetRows } from '../../outline/table-reading.ts'
import { RAW_FIELDS, rawFields } from '../raw-fields.ts'
import { columnLetters } from '../../cells/column-letters.ts'
import { cellPlace } from './cells/cell-address.ts'
import { excelMessages } from './messages/excel-messages.ts'
import type { Book } from './sheet/book.ts'
import type { ExcelOptions } from './sheet/excel-options.ts'
import type { HiddenRows } from './sheet/hidden-rows.ts'
import type { OpenSheet } from './sheet/open-sheet.ts'
import { TableRows } from './sheet/table-rows.ts'

const NAMES_SHOWN = 30

/** The rows of a sheet, from the first one of its table on. */
export class ExcelRows implements SheetRows {
  readonly reader: string
  readonly headers: readonly (string | null)[]
  readonly headersGrow = false
  readonly layout: Layout
  readonly encoding?: string
  readonly #book: Book
  readonly #sheet: OpenSheet
  readonly #rows: TableRows
  readonly #isNamed: boolean
  #batches: Iterator<Batch> | null = null
  #ended = false
  #closed = false

  constructor(reader: string, book: Book, sheet: OpenSheet, options: ExcelOptions) {
    this.reader = reader
    this.#book = book
    if (book.text !== undefined) this.encoding = book.text.encoding.name
    this.#sheet = sheet
    this.#rows = new TableRows(sheet.name, sheet.table, options.ragged ?? 'reject')
    this.#isNamed = options.sheet !== undefined
    this.headers = sheet.table.headers
    this.layout = { ...RAW_FIELDS, headerEnd: sheet.table.firstDataRow - 1 }
  }

  async next(): Promise<Batch | null> {
    for (;;) {
      const batch = this.#batches?.next()
      if (batch !== undefined && batch.done !== true) return batch.value
      const block = this.#sheet.surveyed.shift() ?? (await this.#sheet.blocks.next())
      if (block === null) {
        this.#ended = true
        return null
      }
      this.#batches = this.#rows.layOut(block)
    }
  }

  rawRow(batch: Batch, row: number): string {
    return rawFields(batch, row)
  }

  sheetRow(batch: Batch, row: number): SheetRow {
    const { firstColumn } = this.#sheet.table
    const first = row * batch.width
    const cells = Array<string>(firstColumn).fill('')
    const kinds = Array<CellKind>(firstColumn).fill(CellKind.text)
    // Up to hundreds of rows wait for this, each of which may be wide.
    for (let column = 0; column < batch.width; column++) {
      cells.push(cellText(batch, row, column) ?? '')
      kinds.push((batch.kinds?.[first + column] ?? CellKind.text) as CellKind)
    }
    return { line: batch.lines![row]!, cells, kinds }
  }

  shapeOf(batch: Batch, row: number): RowShape {
    return batch.faults.some((fault) => fault.row === row) ? 'broken' : 'even'
  }

  get misjudged(): Learned | null {
    return this.#book.text?.misjudged ?? null
  }

  /** A text has lines, and its cells have no names. */
  place(batch: Batch, row: number, column: number): string | null {
    if (this.#book.text !== undefined) return null
    const sheetColumn = this.#sheet.table.firstColumn + column
    return cellPlace(this.#sheet.name, sheetColumn, batch.lines![row]!)
  }

  get tablesBegin(): readonly number[] {
    return this.#sheet.blocks.tablesBegin ?? []
  }

  describe(): Findings {
    const { table } = this.#sheet
    const { formulasWithoutResult, errorCells, hiddenRows } = this.#sheet.blocks
    const { sheets } = this.#book
    return {
      dialect: {
        ...(this.#book.text === undefined && {
          sheet: this.#sheet.name,
          sheets: sheets.map(({ name, state }) => ({ name, state })),
          firstColumn: columnLetters(table.firstColumn),
        }),
        ...this.#book.describe(),
      },
      repaired: { cellsCut: this.#rows.cellsCut, formulasWithoutResult, errorCells },
      warnings: [
        ...this.#otherSheets(),
        ...this.#hiddenSheet(),
        ...hiddenWarnings(hiddenRows),
        ...withoutResults(formulasWithoutResult),
      ],
    }
  }

  /** Compressed bytes of the sheet; the other parts are added once it is done. */
  get bytesRead(): number {
    const { sourceBytes } = this.#book
    return this.#ended ? sourceBytes : Math.min(this.#sheet.blocks.bytesRead, sourceBytes)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#sheet.blocks.close()
    await this.#book.close()
  }

  #hiddenSheet(): Warning[] {
    const { name } = this.#sheet
    const state = this.#book.sheets.find((sheet) => sheet.name === name)?.state
    if (state === undefined || state === 'visible') return []
    return [{ code: 'hidden-sheet', message: excelMessages.hiddenSheet({ sheet: name }) }]
  }

  /** A person who named a sheet knows that there are others. */
  #otherSheets(): Warning[] {
    const { sheets } = this.#book
    const others = sheets.filter(({ name, hasCells }) => hasCells && name !== this.#sheet.name)
    if (this.#isNamed || others.length === 0) return []
    const names = others.slice(0, NAMES_SHOWN).map(({ name }) => name)
    const more = others.length > NAMES_SHOWN ? ` + ${others.length - NAMES_SHOWN}` : ''
    const shown = { sheet: this.#sheet.name, others: names.join(', ') + more }
    const remedies = others.slice(0, MOST_REMEDIES).map(({ name: sheet }) => ({
      options: { sheet },
      message: excelMessages.takeSheet({ sheet }),
      leaves: 0,
    }))
    return [{ code: 'other-sheets', message: excelMessages.otherSheets(shown), remedies }]
  }
}

function hiddenWarnings({ count, first }: HiddenRows): Warning[] {
  if (count === 0) return []
  const message = excelMessages.hiddenRows({ count, row: first })
  return [{ code: 'hidden-rows', message, line: first }]
}

function withoutResults(count: number): Warning[] {
  if (count === 0) return []
  const message = excelMessages.formulasWithoutResults({ count })
  return [{ code: 'formulas-without-results', message }]
}
