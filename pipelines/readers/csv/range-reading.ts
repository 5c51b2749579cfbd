import type { Batch } from '../../core/batch.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import type { SheetRows } from '../../outline/table-reading.ts'
import { brokenRow, type OnBroken, raggedPolicy, repairRagged, CsvRows } from './csv-rows.ts'
import type { CsvOptions } from './csv-options.ts'
import type { Dialect } from './dialect.ts'
import type { FoundText } from './find-dialect.ts'
import type { Header, HeaderRecord, Records } from './read-header.ts'
import { type FinishedRows, RowTable, type RowMemory } from './row-table.ts'
import { OpenRowTooLongError } from '../../core/errors.ts'
import { cellTooLong, mostRowBytes, rowTooLong } from './limits.ts'
import { csvMessages } from './messages.ts'
import { RangeScanner } from './range-scanner.ts'

/** The most rows of a batch, so that very many short rows stay within bounds. */
const MOST_ROWS = 65_536
const MOST_CELLS = 512 * 1024

type RangeBatch = Batch & FinishedRows

const RANGES_NAME = 'csv-ranges'

const MOST_AT_ONCE = 1024

const brokenAboveData: OnBroken = (_, line, message) => {
  throw brokenRow(message, { line })
}

/** Reads records up to the rows with the range scanner; what it does not consume stays in the text. */
export class RangeRecords implements Records {
  line = 1
  count = 0
  readonly #text: TextInput
  readonly #dialect: Dialect
  readonly #limits: EngineLimits

  constructor(text: TextInput, dialect: Dialect, limits: EngineLimits) {
    this.#text = text
    this.#dialect = dialect
    this.#limits = limits
  }

  async skipTo(line: number): Promise<boolean> {
    if (this.line >= line) return true
    const table = new RowTable(1, this.line, this.#limits.cellBytes, () => undefined)
    const rows = new RangeRows(this.#text, this.#dialect, table, this.#limits, () => undefined)
    while (table.line < line) {
      const found = await rows.take(Math.min(line - table.line, MOST_AT_ONCE))
      if (found === null) return false
      // A record of several lines may have gone too far.
      const beyond = found.lines.findIndex((at) => at >= line)
      this.count += beyond === -1 ? found.rows : beyond
      if (beyond === -1) continue
      rows.putBackRest()
      const { bytes, rowStart } = found
      this.#text.unread(Buffer.from(bytes.subarray(rowStart[beyond], rowStart[found.rows])))
      this.line = found.lines[beyond]!
      return true
    }
    rows.putBackRest()
    this.line = table.line
    return true
  }

  async take(): Promise<HeaderRecord | null> {
    let fields = 0
    // One more than allowed, so that even the widest valid header is not exactly as wide.
    const most = this.#limits.columns + 1
    const { line } = this
    const table = new RowTable(most, line, this.#limits.cellBytes, (ragged) => {
      fields = ragged.fields
    })
    const rows = new RangeRows(this.#text, this.#dialect, table, this.#limits, brokenAboveData)
    const found = await rows.take(1)
    if (found === null) return null
    rows.putBackRest()
    this.line = table.line
    this.count++
    const { bytes, start, end, rowStart } = found
    const cells = Array.from({ length: Math.min(fields || most, most) }, (_, cell) =>
      bytes.toString('utf8', start[cell], end[cell]),
    )
    const { repaired, spaced } = rows
    const raw = bytes.toString('utf8', rowStart[0], rowStart[1]).replace(/(?:\r\n|\r|\n)$/, '')
    return { line, cells, fields: fields || most, repaired, spaced, raw }
  }

  rowsBelow(found: FoundText, header: Header, context: ReadContext<CsvOptions>): SheetRows {
    return new RangeReading(this.#text, found, header, context)
  }
}

class RangeReading extends CsvRows {
  readonly reader = RANGES_NAME
  readonly #rows: RangeRows
  #rowsRead = 0

  constructor(text: TextInput, found: FoundText, header: Header, context: ReadContext<CsvOptions>) {
    super(text, found, header, context)
    const { options, limits } = context
    const policy = raggedPolicy(options)
    const table = new RowTable(
      header.cells.length,
      header.nextLine,
      limits.cellBytes,
      (ragged, bytes) => {
        const row = {
          fields: ragged.fields,
          width: ragged.width,
          ...found.ends,
          isBlank: ragged.isOpenRowBlank(bytes),
          isSurplusBlank: ragged.surplus === 0,
        }
        if (!row.isBlank) this.noteRagged(ragged.rows)
        const fault = repairRagged(row, policy, this.repairs)
        if (fault !== null) this.broken.add(ragged.rows, ragged.line, fault)
      },
    )
    this.#rows = new RangeRows(text, found.dialect, table, limits, (row, line, fault) =>
      this.broken.add(row, line, fault),
    )
  }

  protected override async nextBatch(): Promise<Batch | null> {
    const width = this.headers.length
    const mostRows = Math.max(16, Math.min(MOST_ROWS, Math.floor(MOST_CELLS / width)))
    const found = await this.#rows.take(mostRows)
    if (found === null) return null
    const firstRow = this.#rowsRead + 1
    this.#rowsRead += found.rows
    this.countRepairs(this.#rows)
    const batch: RangeBatch = { ...found, kinds: null, width, firstRow, faults: this.broken.take() }
    return batch
  }

  recycle(batch: Batch): void {
    this.#rows.recycle(batch as RangeBatch)
  }

  rawRow(batch: Batch, row: number): string {
    const { bytes, rowStart } = batch as RangeBatch
    const raw = bytes.toString('utf8', rowStart[row], rowStart[row + 1])
    return raw.replace(/(?:\r\n|\r|\n)$/, '')
  }
}

/** Twice as much is no faster, and is not returned by the process after many loads at once. */
const BUFFER_BYTES = 128 * 1024
/** How much is scanned in one go, which takes a few milliseconds. */
const STRETCH_BYTES = 512 * 1024

/** Pulls bytes through the scanner into a table, one buffer full of rows at a time. */
class RangeRows {
  readonly #text: TextInput
  readonly #table: RowTable
  readonly #scanner: RangeScanner
  readonly #limits: EngineLimits
  readonly #onBroken: OnBroken
  #spare: RowMemory | null = null

  constructor(
    text: TextInput,
    dialect: Dialect,
    table: RowTable,
    limits: EngineLimits,
    onBroken: OnBroken,
  ) {
    this.#text = text
    this.#table = table
    this.#scanner = new RangeScanner(dialect, table, BUFFER_BYTES)
    this.#limits = limits
    this.#onBroken = onBroken
  }

  get repaired(): number {
    return this.#scanner.repaired
  }

  get spaced(): number {
    return this.#scanner.spaced
  }

  async take(mostRows: number): Promise<FinishedRows | null> {
    const scanner = this.#scanner
    const table = this.#table
    for (;;) {
      const most = Math.min(scanner.space, STRETCH_BYTES)
      scanner.filled += await this.#text.readInto(scanner.bytes, scanner.filled, most)
      const isLast = this.#text.isOver
      scanner.scan(isLast, mostRows)
      const isExhausted = table.rows < mostRows
      if (table.rows === 0) this.#checkKept()
      if (isExhausted && this.#isNeverClosed(isLast)) {
        this.#giveUpRow(isLast)
        return this.#takeRows()
      }
      if (table.rows > 0 && (!isExhausted || isLast || scanner.space === 0)) {
        return this.#takeRows()
      }
      if (isLast) return null
      if (isExhausted) this.#checkOpenRow()
      if (scanner.space === 0) scanner.enlarge()
    }
  }

  /** Takes back rows that are no longer needed, so that the next ones can use their memory. */
  recycle({ memory }: FinishedRows): void {
    this.#spare = memory
  }

  #takeRows(): FinishedRows {
    const rows = this.#scanner.takeRows(BUFFER_BYTES, this.#spare)
    this.#spare = null
    return rows
  }

  /** What was not scanned is put back for the next reader. */
  putBackRest(): void {
    const { bytes, filled } = this.#scanner
    this.#text.unread(bytes.subarray(this.#table.openRow, filled))
  }

  #isNeverClosed(isLast: boolean): boolean {
    const { isInsideQuotes, filled, fieldStart } = this.#scanner
    return isInsideQuotes && (isLast || filled - fieldStart > this.#limits.cellBytes)
  }

  /**
   * Continues on the next line, at little cost: every quote in the bytes that have to be scanned
   * again was one of a pair, so no field in them can be left open a second time.
   */
  #giveUpRow(isLast: boolean): void {
    const table = this.#table
    const scanner = this.#scanner
    const line = table.line + scanner.breaksBeforeField
    const { cellBytes } = this.#limits
    this.#onBroken(
      table.rows,
      line,
      isLast ? csvMessages.neverClosed() : csvMessages.notClosedWithin({ most: cellBytes }),
    )
    this.#text.unread(scanner.giveUpRow())
  }

  #checkKept(): void {
    const { openRowBytes } = this.#limits
    if (this.#scanner.filled - this.#table.openRow <= openRowBytes) return
    throw new OpenRowTooLongError(`The row is longer than ${openRowBytes} bytes`)
  }

  #checkOpenRow(): void {
    const { filled, fieldStart } = this.#scanner
    const { cellBytes } = this.#limits
    if (filled - fieldStart > cellBytes) throw cellTooLong(this.#table.line, cellBytes)
    const most = mostRowBytes(this.#limits)
    if (filled - this.#table.openRow > most) throw rowTooLong(this.#table.line, most)
  }
}
