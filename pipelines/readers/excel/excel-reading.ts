import { cellText, type Batch } from '../../core/batch.ts'
import type { Findings, Layout, Reading } from '../../core/reader.ts'
import { cellPlace, columnLetters } from './cells/cell-address.ts'
import type { ExcelOptions } from './sheet/excel-options.ts'
import type { OpenSheet } from './sheet/open-sheet.ts'
import { TableRows } from './sheet/table-rows.ts'
import type { OpenWorkbook } from './workbook/open-workbook.ts'

export class ExcelReading implements Reading {
  readonly reader = 'excel'
  readonly headers: readonly (string | null)[]
  readonly headersGrow = false
  readonly layout: Layout
  readonly #workbook: OpenWorkbook
  readonly #sheet: OpenSheet
  readonly #rows: TableRows
  #batches: Iterator<Batch> | null = null
  #ended = false
  #closed = false

  constructor(workbook: OpenWorkbook, sheet: OpenSheet, options: ExcelOptions) {
    this.#workbook = workbook
    this.#sheet = sheet
    this.#rows = new TableRows(sheet.name, sheet.table, options.ragged ?? 'reject')
    this.headers = sheet.table.headers
    this.layout = { ...RAW_ROWS, headerEnd: sheet.table.headerRow }
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
    return Array.from({ length: batch.width }, (_, column) =>
      csvField(cellText(batch, row, column) ?? ''),
    ).join(',')
  }

  place(batch: Batch, row: number, column: number): string {
    const sheetColumn = this.#sheet.table.firstColumn + column
    return cellPlace(this.#sheet.name, sheetColumn, batch.lines![row]!)
  }

  describe(): Findings {
    const { table } = this.#sheet
    const { formulasWithoutResult, errorCells } = this.#sheet.blocks
    const { sheets, dateSystem } = this.#workbook.workbook
    const { strings } = this.#workbook.cells
    return {
      dialect: {
        sheet: this.#sheet.name,
        sheets: sheets.map(({ name, state }) => ({ name, state })),
        dateSystem,
        headerRow: table.headerRow,
        headerEvidence: table.headerEvidence,
        firstColumn: columnLetters(table.firstColumn),
        sharedStrings: { count: strings.count, spilled: strings.spilled },
      },
      repaired: { cellsCut: this.#rows.cellsCut, formulasWithoutResult, errorCells },
    }
  }

  /** Compressed bytes of the sheet; the other parts are counted once it is done. */
  get bytesRead(): number {
    const { sourceBytes } = this.#workbook.archive
    return this.#ended ? sourceBytes : Math.min(this.#sheet.blocks.bytesRead, sourceBytes)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#sheet.blocks.close()
    await this.#workbook.close()
  }
}

/** As `rawRow` writes them. */
const RAW_ROWS = { kind: 'fields', delimiter: ',', quote: '"' } as const

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
