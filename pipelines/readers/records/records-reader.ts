import type { Batch } from '../../core/batch.ts'
import { EngineError } from '../../core/errors.ts'
import type { ReadContext, Reading, ReadingReport, RecordReader } from '../../core/reader.ts'
import type { RecordPage, RecordSource } from '../../core/source.ts'
import { canonicalJson, JsonTooDeep, TEXT_FAULT_MESSAGES } from '../../json/canonical.ts'
import { attachmentByIdAndName } from './attachments.ts'
import { shownName } from '../../input/unpacking/only-file.ts'
import { RecordBatch } from './record-batch.ts'
import { recordCell, type RecordCell } from './record-cell.ts'
import { RecordColumns } from './record-columns.ts'

const NAME = 'records'
const BATCH_BYTES = 256 * 1024
const BATCH_CELLS = 64 * 1024
const SPARE_BYTES = 16 * 1024

type PlainRecord = RecordPage['records'][number]

/** Rows that are objects already, a page at a time: what a connector yields. */
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
  readonly #pages: AsyncIterator<RecordPage>
  readonly #recordsOf = new WeakMap<Batch, readonly PlainRecord[]>()
  #page: readonly PlainRecord[] = []
  /** Records of the page that batches were made of. */
  #taken = 0
  #rowsBefore = 0
  #bytesRead = 0
  #likelyBytes = 0
  #closed = false

  constructor(source: RecordSource, context: ReadContext) {
    this.#context = context
    this.#columns = new RecordColumns(source.columns, context.limits.columns)
    this.#pages = source.pages(context.signal)[Symbol.asyncIterator]()
  }

  get headers(): readonly (string | null)[] {
    return this.#columns.headers
  }

  /** Bytes of text: records have been read from somewhere else already. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  async next(): Promise<Batch | null> {
    while (this.#taken === this.#page.length) {
      this.#context.signal.throwIfAborted()
      const { value, done } = await this.#pages.next()
      if (done === true) {
        this.#refuseNoColumns()
        return null
      }
      this.#takePage(value.records)
    }
    return this.#batch()
  }

  /** Under the headers that it has in the table: whoever mends it knows no keys. */
  rawRow(batch: Batch, row: number): string {
    const record = this.#recordsOf.get(batch)?.[row]
    if (record === undefined) return ''
    const { keys, names } = this.#columns
    const cells = keys.flatMap((key, column) =>
      Object.hasOwn(record, key) ? [[names[column]!, record[key]]] : [],
    )
    const shown = Object.fromEntries(cells)
    return canonicalJson(shown, {
      depth: this.#context.limits.jsonDepth + 1,
      // A form may well ask for an id, a name and a size: the row itself is no file.
      instead: (value) => (value === shown ? value : attachmentByIdAndName(value)),
    })
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
    this.#page = []
    this.#taken = 0
    await this.#pages.return?.()
  }

  #takePage(records: readonly PlainRecord[]): void {
    this.#page = records
    this.#taken = 0
    for (const record of records) this.#columns.admit(record)
  }

  #batch(): Batch {
    const width = this.#columns.keys.length
    const most = Math.max(1, Math.floor(BATCH_CELLS / Math.max(1, width)))
    const records = this.#page.slice(this.#taken, this.#taken + most)
    const batch = new RecordBatch(records.length, width, this.#likelyBytes)
    let rows = 0
    while (rows < records.length && batch.byteLength < BATCH_BYTES) {
      this.#writeRow(batch, rows, records[rows]!)
      rows += 1
    }
    const made = batch.finish(rows, this.#rowsBefore + 1)
    this.#recordsOf.set(made, records.slice(0, rows))
    this.#taken += rows
    this.#rowsBefore += rows
    this.#bytesRead += batch.byteLength
    this.#likelyBytes = Math.min(batch.byteLength, BATCH_BYTES) + SPARE_BYTES
    return made
  }

  #writeRow(batch: RecordBatch, row: number, record: PlainRecord): void {
    const { keys } = this.#columns
    const { cellBytes } = this.#context.limits
    for (let column = 0; column < keys.length; column++) {
      if (this.#writeCell(batch, row, column, record) <= cellBytes) continue
      throw this.#limit('cellBytes', row, column, `one value is longer than ${cellBytes} bytes`)
    }
  }

  /** Answers how many bytes the cell takes. */
  #writeCell(batch: RecordBatch, row: number, column: number, record: PlainRecord): number {
    const key = this.#columns.keys[column]!
    const value = record[key]
    if (typeof value === 'string') {
      const written = batch.putPlain(row, column, value)
      if (written !== null) return written
    }
    if (!Object.hasOwn(record, key)) return 0
    const cell = this.#cell(value, row, column)
    if (cell === null) return 0
    if (cell.fault !== null) {
      batch.fault(row, this.#inColumn(column, TEXT_FAULT_MESSAGES[cell.fault]))
    }
    return batch.put(row, column, cell)
  }

  #cell(value: unknown, row: number, column: number): RecordCell | null {
    // A record has depth 1, as the object that a row of JSON is.
    const depth = this.#context.limits.jsonDepth - 1
    try {
      return recordCell(value, depth)
    } catch (error) {
      if (!(error instanceof JsonTooDeep)) throw error
      throw this.#limit('jsonDepth', row, column, error.message, error)
    }
  }

  #limit(limit: string, row: number, column: number, what: string, cause?: Error): EngineError {
    const ordinal = this.#rowsBefore + row + 1
    const problem = { kind: 'limit', limit, row: ordinal } as const
    return new EngineError(`Row ${ordinal}: ${this.#inColumn(column, what)}`, problem, { cause })
  }

  #inColumn(column: number, what: string): string {
    const name = this.#columns.headers[column] ?? this.#columns.keys[column]!
    return `«${shownName(name)}»: ${what}`
  }

  #refuseNoColumns(): void {
    if (this.#columns.keys.length > 0) return
    throw new EngineError('There is no column: neither the form nor a record names one.', {
      kind: 'empty',
    })
  }
}
