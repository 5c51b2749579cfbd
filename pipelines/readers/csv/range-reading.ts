import type { Batch } from '../../core/batch.ts'
import type { EngineLimits } from '../../core/limits.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import type { SheetRows } from '../../outline/table-reading.ts'
import { brokenRow, type OnBroken, raggedPolicy, repairRagged } from './faulty-rows.ts'
import type { CsvOptions } from './csv-options.ts'
import { CsvRows } from './csv-rows.ts'
import type { Dialect } from './dialect.ts'
import type { FoundText } from './find-dialect.ts'
import type { Header, HeaderRecord, Records } from './read-header.ts'
import { RangeRows } from './range-rows.ts'
import { type FinishedRows, RowTable } from './row-table.ts'

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
