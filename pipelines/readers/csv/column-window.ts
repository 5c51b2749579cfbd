import type { Batch } from '../../core/batch.ts'
import type { Findings, Layout, Learned } from '../../core/reader.ts'
import { type ColumnRange, onlyColumns } from '../../outline/tables-beside.ts'
import type { SheetRow } from '../../outline/sheet-row.ts'
import type { RowShape, SheetRows } from '../../outline/table-reading.ts'
import { RAW_FIELDS, rawFields } from '../raw-fields.ts'

interface CutBatch extends Batch {
  /** The batch with all of its columns. */
  readonly whole: Batch
}

/** Some of the columns of a text: those of its table, if there is another one next to it. */
export class ColumnWindow implements SheetRows {
  readonly headers: readonly (string | null)[]
  readonly headersGrow = false
  readonly layout: Layout
  readonly #rows: SheetRows
  readonly #columns: ColumnRange

  /** The rows must be those of a text, which have an encoding. */
  constructor(rows: SheetRows, columns: ColumnRange) {
    this.#rows = rows
    this.#columns = columns
    this.headers = rows.headers.slice(columns.firstColumn, columns.lastColumn + 1)
    const headerEnd = rows.layout.kind === 'fields' ? rows.layout.headerEnd : 0
    this.layout = { ...RAW_FIELDS, headerEnd }
  }

  get reader(): string {
    return this.#rows.reader
  }

  get decimalHint(): ',' | '.' | null {
    return this.#rows.decimalHint ?? null
  }

  get encoding(): string {
    return this.#rows.encoding!
  }

  get misjudged(): Learned | null {
    return this.#rows.misjudged ?? null
  }

  async next(): Promise<Batch | null> {
    const batch = await this.#rows.next()
    return batch === null ? null : this.#cut(batch)
  }

  accept(batch: Batch): void {
    const { whole } = batch as CutBatch
    this.#rows.accept?.({ ...whole, rows: batch.rows, faults: batch.faults })
  }

  recycle(batch: Batch): void {
    this.#rows.recycle?.((batch as CutBatch).whole)
  }

  rawRow(batch: Batch, row: number): string {
    return rawFields(batch, row)
  }

  sheetRow(batch: Batch, row: number): SheetRow {
    return onlyColumns(this.#rows.sheetRow((batch as CutBatch).whole, row), this.#columns)
  }

  shapeOf(batch: Batch, row: number): RowShape {
    return this.#rows.shapeOf((batch as CutBatch).whole, row)
  }

  place(): null {
    return null
  }

  describe(): Findings {
    return this.#rows.describe()
  }

  async close(): Promise<void> {
    await this.#rows.close?.()
  }

  #cut(whole: Batch): CutBatch {
    const { firstColumn } = this.#columns
    const width = this.headers.length
    const start = new Int32Array(whole.rows * width)
    const end = new Int32Array(whole.rows * width)
    for (let row = 0; row < whole.rows; row++) {
      const from = row * whole.width + firstColumn
      start.set(whole.start.subarray(from, from + width), row * width)
      end.set(whole.end.subarray(from, from + width), row * width)
    }
    return { ...whole, start, end, width, whole }
  }
}
