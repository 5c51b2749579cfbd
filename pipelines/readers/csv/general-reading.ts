import { type Batch, NULL_CELL } from '../../core/batch.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import type { SheetRows } from '../../outline/table-reading.ts'
import { brokenRow, raggedPolicy, repairRagged, CsvRows } from './csv-rows.ts'
import type { CsvOptions } from './csv-options.ts'
import type { BlankEnds, FoundText } from './find-dialect.ts'
import type { Dialect } from './dialect.ts'
import { type GeneralRow, GeneralRows } from './general-rows.ts'
import { cellTooLong } from './limits.ts'
import type { Header, HeaderRecord, Records } from './read-header.ts'
import { lineBreaks } from './sample-rows.ts'
import { splitAroundStrayQuotes } from './stray-quotes.ts'

const BATCH_ROWS = 2048
const BATCH_CHARACTERS = 256 * 1024

interface GeneralBatch extends Batch {
  readonly raw: readonly string[]
}

const GENERAL_NAME = 'csv-parse'

/**
 * For dialects that the range scanner does not know: longer delimiters, escapes, other quotes.
 * Reads rows one at a time, in groups.
 */
export class GeneralRecords implements Records {
  line = 1
  count = 0
  readonly #text: TextInput
  readonly #rows: GeneralRows
  #group: readonly GeneralRow[] = []
  #next = 0

  constructor(text: TextInput, dialect: Dialect, limits: EngineLimits) {
    this.#text = text
    this.#rows = new GeneralRows(text, dialect, limits)
  }

  /** Whether `takeRow` has something to return. */
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

  takeRow(): GeneralRow {
    const row = this.#group[this.#next++]!
    this.count++
    this.line = row.line + lineBreaks(row.raw) + 1
    return row
  }

  async skipTo(line: number): Promise<boolean> {
    while ((await this.fill()) && this.#group[this.#next]!.line < line) this.takeRow()
    return this.isFilled
  }

  async take(): Promise<HeaderRecord | null> {
    if (!(await this.fill())) return null
    const row = this.takeRow()
    const { cells, line, raw, fault, repaired, spaced } = row
    if (fault !== null) throw brokenRow(fault.message, fault)
    return { line, cells, fields: cells.length, repaired, spaced, raw }
  }

  rowsBelow(found: FoundText, header: Header, context: ReadContext<CsvOptions>): SheetRows {
    return new GeneralReading(this.#text, this, found, header, context)
  }
}

class GeneralReading extends CsvRows {
  readonly reader = GENERAL_NAME
  readonly #records: GeneralRecords
  readonly #context: ReadContext<CsvOptions>
  readonly #dialect: Dialect
  readonly #ends: BlankEnds
  readonly #repaired = { repaired: 0, spaced: 0 }
  #rowsRead = 0

  constructor(
    text: TextInput,
    records: GeneralRecords,
    found: FoundText,
    header: Header,
    context: ReadContext<CsvOptions>,
  ) {
    super(text, found, header, context)
    this.#records = records
    this.#dialect = found.dialect
    this.#ends = found.ends
    this.#context = context
  }

  protected override async nextBatch(): Promise<Batch | null> {
    const rows: GeneralRow[] = []
    let characters = 0
    while (rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS) {
      if (!this.#records.isFilled && !(await this.#records.fill())) break
      const row = this.#withoutStrayQuotes(this.#records.takeRow())
      this.#judge(row, rows.length)
      rows.push(row)
      characters += row.raw.length
    }
    if (rows.length === 0) return null
    const firstRow = this.#rowsRead + 1
    this.#rowsRead += rows.length
    return this.#batch(rows, firstRow)
  }

  /** The other rows tell how many fields there are. */
  #withoutStrayQuotes(row: GeneralRow): GeneralRow {
    const { cells, repaired, fault, raw } = row
    const width = this.headers.length
    const isOdd = repaired > 0 && fault === null && cells.length !== width
    if (!isOdd || this.#dialect.isSpaced || lineBreaks(raw) > 0) return row
    const others = splitAroundStrayQuotes(raw, this.#dialect, width)
    return others === null ? row : { ...row, cells: others }
  }

  #judge({ cells, line, repaired, spaced, fault }: GeneralRow, index: number): void {
    this.#repaired.repaired += repaired
    this.#repaired.spaced += spaced
    this.countRepairs(this.#repaired)
    if (fault !== null) {
      this.broken.add(index, fault.line, fault.message)
      return
    }
    const width = this.headers.length
    if (cells.length === width) return
    const ragged = {
      fields: cells.length,
      width,
      ...this.#ends,
      isBlank: cells.every(isBlank),
      isSurplusBlank: cells.slice(width).every(isBlank),
    }
    if (!ragged.isBlank) this.noteRagged(index)
    const wrong = repairRagged(ragged, raggedPolicy(this.#context.options), this.repairs)
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
      faults: this.broken.take(),
      raw: rows.map(({ raw }) => raw),
    }
  }

  rawRow(batch: Batch, row: number): string {
    return (batch as GeneralBatch).raw[row]!
  }
}

const isBlank = (cell: string) => cell.trim() === ''
