import { type Batch, NULL_CELL } from '../../core/batch.ts'
import type { ReadContext, Reading } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import { brokenRow } from './broken-rows.ts'
import type { CsvOptions } from './csv-options.ts'
import { CsvReading } from './csv-reading.ts'
import { type GeneralRow, GeneralRows } from './general-rows.ts'
import { cellTooLong } from './limits.ts'
import { repairRagged } from './ragged.ts'
import { checkWidth, type Header, noSuchRow } from './read-header.ts'
import type { Sniffed } from './sniff-dialect.ts'

const BATCH_ROWS = 2048
const BATCH_CHARACTERS = 256 * 1024

interface GeneralBatch extends Batch {
  readonly raw: readonly string[]
}

export const GENERAL_NAME = 'csv-parse'

/** For dialects that the range scanner does not know: longer delimiters, escapes, other quotes. */
export async function openGeneralReading(
  text: TextInput,
  sniffed: Sniffed,
  context: ReadContext<CsvOptions>,
): Promise<Reading> {
  const rows = new GeneralRows(text, sniffed.dialect, context.limits)
  const queue = new RowQueue(rows)
  const header = await headerOf(queue, sniffed, context)
  return new GeneralReading(text, queue, sniffed, header, context)
}

/** Rows one at a time, pulled in groups. */
class RowQueue {
  readonly #rows: GeneralRows
  #group: readonly GeneralRow[] = []
  #next = 0

  constructor(rows: GeneralRows) {
    this.#rows = rows
  }

  /** Whether `take` has something to give. */
  async fill(): Promise<boolean> {
    if (this.#next < this.#group.length) return true
    const group = await this.#rows.take()
    this.#group = group ?? []
    this.#next = 0
    return group !== null
  }

  get isFilled(): boolean {
    return this.#next < this.#group.length
  }

  take(): GeneralRow {
    return this.#group[this.#next++]!
  }
}

async function headerOf(
  queue: RowQueue,
  sniffed: Sniffed,
  context: ReadContext<CsvOptions>,
): Promise<Header> {
  const { headerIndex, syntaxRecords, width } = sniffed
  const skipped = headerIndex ?? syntaxRecords
  for (let record = 0; record < skipped; record++) {
    if (!(await queue.fill())) throw noSuchRow(skipped + 1)
    const { fault } = queue.take()
    if (fault !== null) throw brokenRow(fault.message, fault)
  }
  const evidence = context.options.headerRow === undefined ? 'found' : 'given'
  if (headerIndex === null) {
    checkWidth(width, 1, context)
    const cells = Array.from({ length: width }, () => null)
    return { cells, nextLine: 1, evidence: { row: 0, evidence } }
  }
  if (!(await queue.fill())) throw noSuchRow(headerIndex + 1)
  const { cells, line, fault } = queue.take()
  if (fault !== null) throw brokenRow(fault.message, fault)
  checkWidth(cells.length, line, context)
  return { cells, nextLine: line + 1, evidence: { row: headerIndex + 1, line, evidence } }
}

class GeneralReading extends CsvReading {
  readonly reader = GENERAL_NAME
  readonly #queue: RowQueue
  readonly #context: ReadContext<CsvOptions>
  #rowsRead = 0

  constructor(
    text: TextInput,
    queue: RowQueue,
    sniffed: Sniffed,
    header: Header,
    context: ReadContext<CsvOptions>,
  ) {
    super(text, sniffed, header, context)
    this.#queue = queue
    this.#context = context
  }

  protected override async nextBatch(): Promise<Batch | null> {
    const rows: GeneralRow[] = []
    let characters = 0
    while (rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS) {
      if (!this.#queue.isFilled && !(await this.#queue.fill())) break
      const row = this.#queue.take()
      this.#judge(row, rows.length)
      rows.push(row)
      characters += row.raw.length
    }
    if (rows.length === 0) return null
    const firstRow = this.#rowsRead + 1
    this.#rowsRead += rows.length
    return this.#batch(rows, firstRow)
  }

  #judge({ cells, line, repaired, fault }: GeneralRow, index: number): void {
    this.repairs.quotesTakenLiterally += repaired
    if (fault !== null) {
      this.broken.add(index, fault.line, fault.message)
      return
    }
    const width = this.headers.length
    if (cells.length === width) return
    const ragged = {
      fields: cells.length,
      width,
      isBlank: cells.every(isBlank),
      isSurplusBlank: cells.slice(width).every(isBlank),
    }
    const wrong = repairRagged(ragged, this.#context.options.ragged ?? 'reject', this.repairs)
    if (wrong !== null) this.broken.add(index, line, wrong)
  }

  #batch(rows: readonly GeneralRow[], firstRow: number): GeneralBatch {
    const width = this.headers.length
    const { cellBytes } = this.#context.limits
    const start = new Int32Array(rows.length * width)
    const end = new Int32Array(rows.length * width).fill(NULL_CELL)
    let length = 0
    for (const [index, { cells, line }] of rows.entries()) {
      const stored = Math.min(width, cells.length)
      for (let column = 0; column < stored; column++) {
        const bytes = Buffer.byteLength(cells[column]!)
        if (bytes > cellBytes) throw cellTooLong(line, cellBytes)
        start[index * width + column] = length
        length += bytes
        end[index * width + column] = length
      }
    }
    const bytes = Buffer.allocUnsafeSlow(length)
    for (const [index, { cells }] of rows.entries()) {
      const stored = Math.min(width, cells.length)
      for (let column = 0; column < stored; column++) {
        bytes.write(cells[column]!, start[index * width + column]!)
      }
    }
    return {
      bytes,
      start,
      end,
      kinds: null,
      width,
      rows: rows.length,
      firstRow,
      lines: Int32Array.from(rows, ({ line }) => line),
      faults: this.broken.take(rows.length),
      raw: rows.map(({ raw }) => raw),
    }
  }

  rawRow(batch: Batch, row: number): string {
    return (batch as GeneralBatch).raw[row]!
  }
}

const isBlank = (cell: string) => cell.trim() === ''
