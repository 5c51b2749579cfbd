import type { Batch } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import { type ExpansionBudget, textBudget } from '../../core/expansion-budget.ts'
import type { Findings, ReadContext, Reading } from '../../core/reader.ts'
import { textBytes } from '../../core/row-stretch.ts'
import type { PageContent, RecordPages, RecordSource } from '../../core/source.ts'
import { SpareMemory } from '../json/batch-memory.ts'
import { PageReader } from './page-reader.ts'
import type { PageRows } from './page-rows.ts'
import { RecordColumns } from './record-columns.ts'
import { rowAsJson } from './row-as-json.ts'
import { type RecordBatch, rowsAsBatch, rowsOfBatch } from './rows-as-batch.ts'
import { recordMessages } from './messages.ts'

/** Rows that arrive as JSON, one page at a time, from a connector. */
/** What is repeated in records is compared with their own bytes. */
type RecordContext = Omit<ReadContext, 'expansion'>

export function openRecords(source: RecordSource, context: RecordContext): Reading {
  context.signal.throwIfAborted()
  return new RecordsReading(source, context)
}

class RecordsReading implements Reading {
  readonly reader = 'records'
  /** A record may contain answers to questions that its form no longer has. */
  readonly headersGrow = true
  readonly layout = { kind: 'records' } as const
  readonly #context: RecordContext
  readonly #columns: RecordColumns
  readonly #pageReader: PageReader
  readonly #pages: RecordPages
  readonly #spare = new SpareMemory()
  readonly #expansion: ExpansionBudget
  #page: PageRows | null = null
  /** What was found in it, which the connector gets with the request for the next page. */
  #content: PageContent | null = null
  /** How many rows of the page have been put into batches. */
  #taken = 0
  #rowsBefore = 0
  #bytesRead = 0
  #closed = false

  constructor(source: RecordSource, context: RecordContext) {
    const { limits, signal } = context
    this.#context = context
    this.#columns = new RecordColumns(source.columns, limits)
    this.#pageReader = new PageReader(source.shape ?? {}, this.#columns.keys, limits)
    this.#pages = source.pages(signal)
    this.#expansion = textBudget(limits, () => this.#bytesRead)
  }

  get headers(): readonly (string | null)[] {
    return this.#columns.headers
  }

  /** Counts bytes of records; the connector counts the pages that they came in. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  async next(): Promise<Batch | null> {
    for (;;) {
      if (this.#page !== null && this.#taken < this.#page.count) return this.#batch(this.#page)
      this.#context.signal.throwIfAborted()
      const { value, done } = await this.#nextPage()
      if (done === true) {
        this.#refuseNoColumns()
        return null
      }
      await this.#takePage(value)
    }
  }

  recycle(batch: Batch): void {
    this.#spare.keep((batch as RecordBatch).memory)
  }

  /** With the headers of the table, since whoever corrects the row does not know the keys. */
  rawRow(batch: Batch, row: number): string {
    return rowAsJson(batch, row, this.#columns.names)
  }

  place(): null {
    return null
  }

  describe(): Findings {
    return { dialect: {}, repaired: {} }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#page = null
    await this.#pages.return()
  }

  #nextPage(): Promise<IteratorResult<readonly Buffer[], void>> {
    const content = this.#content
    return content === null ? this.#pages.next() : this.#pages.next(content)
  }

  async #takePage(json: readonly Buffer[]): Promise<void> {
    if (this.#page !== null) this.#pageReader.release(this.#page)
    this.#page = null
    const { rows, beside } = await this.#pageReader.read(json).catch(async (error: unknown) => {
      // The connector may throw an error of its own instead.
      await this.#pages.throw(error)
      throw error
    })
    this.#page = rows
    this.#content = { rows: rows.count, beside }
    this.#taken = 0
    this.#columns.admit(rows.keys)
  }

  #batch(page: PageRows): Batch {
    const first = this.#taken
    const count = rowsOfBatch(page, first, this.#columns.count)
    const batch = rowsAsBatch(page, { first, count }, this.#columns, {
      firstRow: this.#rowsBefore + 1,
      spare: this.#spare,
    })
    this.#taken += count
    this.#rowsBefore += count
    this.#bytesRead += batch.bytes.length
    // Columns that share a key each have its value.
    this.#expansion.count(Math.max(0, textBytes(batch) - batch.bytes.length))
    return batch
  }

  #refuseNoColumns(): void {
    if (this.#columns.count > 0) return
    throw new EngineError(recordMessages.noColumn(), { kind: 'empty' })
  }
}
