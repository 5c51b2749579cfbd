import { cellText, type Batch, CellKind } from '../../core/batch.ts'
import type { Findings, Layout } from '../../core/reader.ts'
import type { Warning } from '../../core/warning.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import type { RowShape, SheetRows } from '../../outline/table-reading.ts'
import { cellPlace, columnLetters } from './cells/cell-address.ts'
import { excelMessages } from './messages.ts'
import type { ExcelOptions } from './sheet/excel-options.ts'
import type { OpenSheet } from './sheet/open-sheet.ts'
import { TableRows } from './sheet/table-rows.ts'
import type { OpenWorkbook } from './workbook/open-workbook.ts'

const NAMES_SHOWN = 30

/** The rows of a sheet, from the first one of its table on. */
export class ExcelRows implements SheetRows {
  readonly reader = 'excel'
  readonly headers: readonly (string | null)[]
  readonly headersGrow = false
  readonly layout: Layout
  readonly #workbook: OpenWorkbook
  readonly #sheet: OpenSheet
  readonly #rows: TableRows
  readonly #isNamed: boolean
  #batches: Iterator<Batch> | null = null
  #ended = false
  #closed = false

  constructor(workbook: OpenWorkbook, sheet: OpenSheet, options: ExcelOptions) {
    this.#workbook = workbook
    this.#sheet = sheet
    this.#rows = new TableRows(sheet.name, sheet.table, options.ragged ?? 'reject')
    this.#isNamed = options.sheet !== undefined
    this.headers = sheet.table.headers
    this.layout = { ...RAW_ROWS, headerEnd: sheet.table.firstDataRow - 1 }
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

  sheetRow(batch: Batch, row: number): SheetRow {
    const { firstColumn } = this.#sheet.table
    const columns = [...Array(batch.width).keys()]
    const cells = columns.map((column) => cellText(batch, row, column) ?? '')
    const kinds = columns.map(
      (column) => (batch.kinds?.[row * batch.width + column] ?? CellKind.text) as CellKind,
    )
    return {
      line: batch.lines![row]!,
      cells: [...Array<string>(firstColumn).fill(''), ...cells],
      kinds: [...Array<CellKind>(firstColumn).fill(CellKind.text), ...kinds],
    }
  }

  shapeOf(batch: Batch, row: number): RowShape {
    return batch.faults.some((fault) => fault.row === row) ? 'broken' : 'even'
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
        firstColumn: columnLetters(table.firstColumn),
        sharedStrings: { count: strings.count, spilled: strings.spilled },
      },
      repaired: { cellsCut: this.#rows.cellsCut, formulasWithoutResult, errorCells },
      warnings: [...this.#otherSheets(), ...withoutResults(formulasWithoutResult)],
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

  /** Whoever named a sheet knows of the others. */
  #otherSheets(): Warning[] {
    const { sheets } = this.#workbook.workbook
    const others = sheets.filter(({ name, part }) => part !== null && name !== this.#sheet.name)
    if (this.#isNamed || others.length === 0) return []
    const names = others.slice(0, NAMES_SHOWN).map(({ name }) => name)
    const more = others.length > NAMES_SHOWN ? ` + ${others.length - NAMES_SHOWN}` : ''
    const shown = { sheet: this.#sheet.name, others: names.join(', ') + more }
    return [{ code: 'other-sheets', message: excelMessages.otherSheets(shown) }]
  }
}

function withoutResults(count: number): Warning[] {
  if (count === 0) return []
  const message = excelMessages.formulasWithoutResults({ count })
  return [{ code: 'formulas-without-results', message }]
}

/** As `rawRow` writes them. */
const RAW_ROWS = { kind: 'fields', delimiter: ',', quote: '"' } as const

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
