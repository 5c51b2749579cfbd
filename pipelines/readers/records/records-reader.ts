import type { Batch } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import type { ReadContext, Reading, ReadingReport, RecordReader } from '../../core/reader.ts'
import type { RecordPage, RecordSource } from '../../core/source.ts'
import { SpareMemory } from '../json/batch-memory.ts'
import { createPageReader, type PageReader } from './page-reader.ts'
import { PageRows } from './page-rows.ts'
import { RecordColumns } from './record-columns.ts'
import { rowAsJson } from './row-as-json.ts'
import { type RecordBatch, rowsAsBatch, rowsOfBatch } from './rows-as-batch.ts'

const NAME = 'records'

/** Rows that come as JSON, a page at a time: what a connector yields. */
export function createRecordsReader(): RecordReader {
  return {
    name: NAME,
    async open(source, context) {
      context.signal.throwIfAborted()
      return new RecordsReading(source, context)
    },
  }
}

class RecordsReading implements Reading {
  readonly reader = NAME
  readonly #context: ReadContext
  readonly #columns: RecordColumns
  readonly #pageReader: PageReader
  readonly #pages: AsyncIterator<RecordPage>
  readonly #spare = new SpareMemory()
  #page: PageRows | null = null
  /** Rows of the page that batches were made of. */
  #taken = 0
  #rowsBefore = 0
  #bytesRead = 0
  #closed = false

  constructor(source: RecordSource, context: ReadContext) {
    const { limits, signal } = context
    this.#context = context
    this.#columns = new RecordColumns(source.columns, limits)
    this.#pageReader = createPageReader(this.#columns.keys, limits)
    this.#pages = source.pages(signal, this.#pageReader.read)[Symbol.asyncIterator]()
  }

  get headers(): readonly (string | null)[] {
    return this.#columns.headers
  }

  /** Bytes of records: what they came in has been read from somewhere else. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  async next(): Promise<Batch | null> {
    for (;;) {
      if (this.#page !== null && this.#taken < this.#page.count) return this.#batch(this.#page)
      this.#context.signal.throwIfAborted()
      const { value, done } = await this.#pages.next()
      if (done === true) {
        this.#refuseNoColumns()
        return null
      }
      this.#takePage(value)
    }
  }

  recycle(batch: Batch): void {
    this.#spare.keep((batch as RecordBatch).memory)
  }

  /** Under the headers that it has in the table: whoever mends it knows no keys. */
  rawRow(batch: Batch, row: number): string {
    return rowAsJson(batch, row, this.#columns.names)
  }

  place(): null {
    return null
  }

  describe(): ReadingReport {
    return { format: 'records', dialect: {}, mended: {} }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#page = null
    await this.#pages.return?.()
  }

  #takePage({ rows }: RecordPage): void {
    if (!(rows instanceof PageRows)) throw new TypeError('The rows of a page come from readPage')
    if (this.#page !== null) this.#pageReader.release(this.#page)
    this.#page = rows
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
    return batch
  }

  #refuseNoColumns(): void {
    if (this.#columns.count > 0) return
    throw new EngineError('There is no column: neither the form nor a record names one.', {
      kind: 'empty',
    })
  }
}
