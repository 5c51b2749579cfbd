import { mkdtemp, rm } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { parse } from 'csv-parse/sync'

import { columnLetters } from '../cells/column-letters.ts'
import { type Batch, CellKind, cellText } from '../core/batch.ts'
import { cutText } from '../core/cut-text.ts'
import type { Judgement } from '../core/engine.ts'
import { type CellError, EngineError } from '../core/errors.ts'
import type { IngestOptions } from '../core/options.ts'
import type { Layout, Reading } from '../core/reader.ts'
import type { ByteSource, DataSource } from '../core/source.ts'
import type { ErrorList, ListedError } from '../workbooks/list-sheet.ts'
import { workbookWriters } from '../workbooks/exceljs.ts'
import { markMessages } from '../workbooks/mark-messages.ts'
import type { EngineParts } from './engine-parts.ts'
import { headersOf } from './column-names.ts'
import { type OpenReading, openReading } from './open-reading.ts'

/** Of larger sources no workbook is made. */
const MOST_CELLS = 2_000_000
const LONGEST_TEXT = 32_767
/** Excel rounds numbers with more digits. */
const EXACT_DIGITS = 15

export interface RowsAsWorkbook {
  readonly source: ByteSource
  readonly errors: readonly ListedError[]
  remove(): Promise<void>
}

/** The rows of a source as they are written in it, as a workbook with one sheet. */
export async function rowsAsWorkbook(
  parts: EngineParts,
  source: DataSource,
  options: IngestOptions,
  judgement: Judgement,
  say: ErrorList['say'],
  signal: AbortSignal,
): Promise<RowsAsWorkbook> {
  const folder = await mkdtemp(join(parts.tempDir, 'rows-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'rows.xlsx')
  try {
    const opened = await openReading(parts, source, options, signal)
    const sheet = say(markMessages.sheet())
    try {
      refuseMore(judgement.rows * opened.reading.headers.length)
      await writeRows(opened, path, sheet, signal)
    } finally {
      await opened.close()
    }
    return {
      source: { kind: 'bytes', path, open: async () => createReadStream(path) },
      errors: judgement.errors.map((error) => linked(error, opened.reading, judgement, sheet)),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function writeRows(
  opened: OpenReading,
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const { default: WorkbookWriter } = await workbookWriters()
  const book = new WorkbookWriter({ filename: path })
  const { reading } = opened
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', ySplit: headerRows(reading) }],
  })
  if (headerRows(reading) > 0) sheet.addRow(reading.headers.map(textOrNone)).commit()
  let cells = 0
  let sinceTurn = 0
  for (let batch = await opened.next(); batch !== null; batch = await opened.next()) {
    cells += batch.rows * batch.width
    refuseMore(cells)
    const faults = new Set(batch.faults.map(({ row }) => row))
    for (let row = 0; row < batch.rows; row++) {
      const values = faults.has(row) ? rawValues(reading, batch, row) : valuesOf(batch, row)
      sheet.addRow(values).commit()
      sinceTurn += values.length
      if (sinceTurn < CELLS_AT_ONCE) continue
      sinceTurn = 0
      await nextTurn()
    }
    signal.throwIfAborted()
    reading.recycle?.(batch)
  }
  sheet.commit()
  await book.commit()
}

function refuseMore(cells: number): void {
  if (cells <= MOST_CELLS) return
  const text = markMessages.tooLarge({ most: MOST_CELLS })
  throw new EngineError(text, { kind: 'limit', limit: 'cellsGivenBack' })
}

/** Written between two turns of the event loop. */
const CELLS_AT_ONCE = 2000

const headerRows = ({ layout }: Reading): number =>
  layout.kind === 'records' || layout.headerEnd > 0 ? 1 : 0

type CellValue = string | number | boolean | null

const valuesOf = (batch: Batch, row: number): CellValue[] =>
  Array.from({ length: batch.width }, (_, column) => {
    const text = cellText(batch, row, column)
    const kind = batch.kinds?.[row * batch.width + column] ?? CellKind.text
    if (kind === CellKind.boolean) return text === 'true'
    const isNumber =
      kind === CellKind.number && text!.replace(/^-?0*|\./g, '').length <= EXACT_DIGITS
    return isNumber ? Number(text) : textOrNone(text)
  })

/** A text is never a formula, whatever it begins with. */
const textOrNone = (text: string | null): string | null =>
  text === null || text === '' ? null : cutText(text, LONGEST_TEXT)

/** A row that is broken, with all of its fields. */
function rawValues(reading: Reading, batch: Batch, row: number): CellValue[] {
  const raw = reading.rawRow(batch, row)
  const fields = fieldsOf(reading.layout, raw) ?? [raw]
  return fields.map(textOrNone)
}

function fieldsOf(layout: Layout, raw: string): readonly string[] | null {
  if (layout.kind === 'records' || layout.delimiter === null) return null
  try {
    const { delimiter, quote } = layout
    const rows: string[][] = parse(raw, {
      delimiter,
      quote: quote ?? false,
      relax_quotes: true,
      relax_column_count: true,
    })
    return rows[0] ?? null
  } catch {
    // An open quote: nobody knows where its field ends.
    return null
  }
}

/** The cell that an error is about, in the sheet that its rows were written to. */
function linked(
  error: CellError,
  reading: Reading,
  { mapping }: Judgement,
  sheet: string,
): ListedError {
  const column =
    mapping === null
      ? headersOf(reading.headers, []).indexOf(error.column)
      : mapping.headers.findIndex(({ column: met }) => met === error.column)
  const row = error.row + headerRows(reading)
  // A broken row has no column; a column that was not sent has no cell.
  const hasCell = column !== -1 || error.column === ''
  const link = hasCell ? `${sheet}!${columnLetters(Math.max(column, 0))}${row}` : null
  return { ...error, link }
}
