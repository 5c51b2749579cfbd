import type { Batch } from '../../core/batch.ts'
import type { ReadContext, Reading } from '../../core/reader.ts'
import type { TextInput } from '../../input/text/open-text.ts'
import type { CsvOptions } from './csv-options.ts'
import { CsvReading } from './csv-reading.ts'
import { repairRagged } from './ragged.ts'
import { readHeader, type Header } from './read-header.ts'
import { RangeRows } from './range-rows.ts'
import { type FinishedRows, RowTable } from './row-table.ts'
import type { Sniffed } from './sniff-dialect.ts'

/** Rows of one batch, so that very many very short ones stay within bounds. */
const MOST_ROWS = 65_536
const MOST_CELLS = 512 * 1024

type CsvBatch = Batch & FinishedRows

export const RANGES_NAME = 'csv-ranges'

export async function openRangeReading(
  text: TextInput,
  sniffed: Sniffed,
  context: ReadContext<CsvOptions>,
): Promise<Reading> {
  const header = await readHeader(text, sniffed, context)
  return new RangeReading(text, sniffed, header, context)
}

class RangeReading extends CsvReading {
  readonly reader = RANGES_NAME
  readonly #rows: RangeRows
  #rowsRead = 0

  constructor(text: TextInput, sniffed: Sniffed, header: Header, context: ReadContext<CsvOptions>) {
    super(text, sniffed, header, context)
    const { options, limits } = context
    const policy = options.ragged ?? 'reject'
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
        const fault = repairRagged(row, policy, this.repairs)
        if (fault !== null) this.broken.add(ragged.rows, ragged.line, fault)
      },
    )
    this.#rows = new RangeRows(text, sniffed.dialect, table, limits, (row, line, fault) =>
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
    const faults = this.broken.take(found.rows)
    this.repairs.quotesTakenLiterally = this.#rows.repaired
    const batch: CsvBatch = { ...found, kinds: null, width, firstRow, faults }
    return batch
  }

  recycle(batch: Batch): void {
    this.#rows.recycle(batch as CsvBatch)
  }

  rawRow(batch: Batch, row: number): string {
    const { bytes, rowStart } = batch as CsvBatch
    const raw = bytes.toString('utf8', rowStart[row], rowStart[row + 1])
    return raw.replace(/(?:\r\n|\r|\n)$/, '')
  }
}
