import type { Batch } from '../../core/batch.ts'
import type { Findings, Layout, Reading } from '../../core/reader.ts'
import { RAW_FIELDS, rawFields } from '../raw-fields.ts'
import { cellPlace, columnLetters } from './cells/cell-address.ts'
import type { Book } from './sheet/book.ts'
import type { ExcelOptions } from './sheet/excel-options.ts'
import type { OpenSheet } from './sheet/open-sheet.ts'
import { TableRows } from './sheet/table-rows.ts'

export class ExcelReading implements Reading {
  readonly reader: string
  readonly headers: readonly (string | null)[]
  readonly headersGrow = false
  readonly layout: Layout
  readonly #book: Book
  readonly #sheet: OpenSheet
  readonly #rows: TableRows
  #batches: Iterator<Batch> | null = null
  #ended = false
  #closed = false

  constructor(reader: string, book: Book, sheet: OpenSheet, options: ExcelOptions) {
    this.reader = reader
    this.#book = book
    this.#sheet = sheet
    this.#rows = new TableRows(sheet.name, sheet.table, options.ragged ?? 'reject')
    this.headers = sheet.table.headers
    this.layout = { ...RAW_FIELDS, headerEnd: sheet.table.headerRow }
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

  place(batch: Batch, row: number, column: number): string {
    const sheetColumn = this.#sheet.table.firstColumn + column
    return cellPlace(this.#sheet.name, sheetColumn, batch.lines![row]!)
  }

  describe(): Findings {
    const { table } = this.#sheet
    const { formulasWithoutResult, errorCells } = this.#sheet.blocks
    const { sheets } = this.#book
    return {
      dialect: {
        sheet: this.#sheet.name,
        sheets: sheets.map(({ name, state }) => ({ name, state })),
        headerRow: table.headerRow,
        headerEvidence: table.headerEvidence,
        firstColumn: columnLetters(table.firstColumn),
        ...this.#book.describe(),
      },
      repaired: { cellsCut: this.#rows.cellsCut, formulasWithoutResult, errorCells },
    }
  }

  /** Compressed bytes of the sheet; the other parts are counted once it is done. */
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
}
