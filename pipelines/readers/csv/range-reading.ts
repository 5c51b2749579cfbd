import type { Batch } from '../../core/batch.ts'
import type { ReadContext } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import type { PlaceByHand } from '../../outline/place-table.ts'
import type { CsvOptions } from './csv-options.ts'
import { CsvRows } from './csv-rows.ts'
import type { FoundText } from './find-dialect.ts'
import { raggedPolicy, repairRagged } from './ragged.ts'
import { type Header, readHeader } from './read-header.ts'
import { RangeRecords } from './range-records.ts'
import { RangeRows } from './range-rows.ts'
import { type FinishedRows, RowTable } from './row-table.ts'

/** Rows of one batch, so that very many very short ones stay within bounds. */
const MOST_ROWS = 65_536
const MOST_CELLS = 512 * 1024

type RangeBatch = Batch & FinishedRows

export const RANGES_NAME = 'csv-ranges'

export async function openRangeReading(
  text: TextInput,
  found: FoundText,
  byHand: PlaceByHand,
  context: ReadContext<CsvOptions>,
): Promise<CsvRows> {
  const records = new RangeRecords(text, found.dialect, context.limits)
  const header = await readHeader(records, found, byHand, context)
  return new RangeReading(text, found, header, context)
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
