import { cellText, type Batch } from '../../core/batch.ts'
import type { IngestOptions } from '../../core/options.ts'
import type { Reading, ReadingReport } from '../../core/reader.ts'
import type { OpenWorkbook } from './workbook/open-workbook.ts'
import { cellPlace, columnLetters } from './cells/cell-address.ts'
import type { OpenSheet } from './sheet/open-sheet.ts'
import { RowLayout } from './sheet/lay-out-rows.ts'

export class ExcelReading implements Reading {
  readonly reader = 'excel'
  readonly headers: readonly (string | null)[]
  readonly #workbook: OpenWorkbook
  readonly #sheet: OpenSheet
  readonly #layout: RowLayout
  #batches: Iterator<Batch> | null = null
  #ended = false
  #closed = false

  constructor(workbook: OpenWorkbook, sheet: OpenSheet, options: IngestOptions) {
    this.#workbook = workbook
    this.#sheet = sheet
    this.#layout = new RowLayout(sheet.name, sheet.table, options.ragged ?? 'reject')
    this.headers = sheet.table.headers
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
      this.#batches = this.#layout.layOut(block)
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

  describe(): ReadingReport {
    const { table } = this.#sheet
    const { formulasWithoutResult, errorCells } = this.#sheet.blocks
    const { sheets, dateSystem } = this.#workbook.workbook
    const { strings } = this.#workbook.cells
    return {
      format: 'excel',
      dialect: {
        sheet: this.#sheet.name,
        sheets: sheets.map(({ name, state }) => ({ name, state })),
        dateSystem,
        headerRow: table.headerRow,
        headerEvidence: table.headerEvidence,
        firstColumn: columnLetters(table.firstColumn),
        sharedStrings: { count: strings.count, spilled: strings.spilled },
      },
      mended: { cellsCut: this.#layout.cellsCut, formulasWithoutResult, errorCells },
    }
  }

  /** Compressed bytes of the sheet; the other parts are counted once it is done. */
  get bytesRead(): number {
    return this.#ended ? this.#workbook.archive.size : this.#sheet.blocks.bytesRead
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#sheet.blocks.close()
    await this.#workbook.close()
  }
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
