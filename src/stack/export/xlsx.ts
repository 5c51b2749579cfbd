import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { ZipStream } from '../../../pipelines/index.ts'
import {
  headerRow,
  ROWS_PER_SHEET,
  SHEET_END,
  type SheetColumn,
  sheetRowWriter,
  sheetStart,
  workbookParts,
} from './workbook-xml.ts'
import type { TextRow } from './copied-rows.ts'
import { writeTo } from './export-stream.ts'
import { copiedTexts } from '../read/bounded-rows.ts'
import { fromStateInOrder, type TableState } from '../read/snapshot.ts'
import { shownText } from '../table/stored-column.ts'

const ROWS_BELOW_HEADER = ROWS_PER_SHEET - 1

/**
 * A workbook with as many sheets as the rows need. Numbers that Excel would round, and days before
 * its calendar is correct, are written as text.
 */
export async function writeXlsx(
  client: ClientBase,
  state: TableState,
  title: string,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const workbook = { columns: state.columns, rowCount: state.rowCount, title }
  await writeWorkbook(workbook, copiedRows(client, state, signal), out, signal)
}

interface Workbook {
  readonly columns: readonly SheetColumn[]
  readonly rowCount: number
  readonly title: string
}

export async function writeWorkbook(
  { columns, rowCount, title }: Workbook,
  batches: AsyncIterable<readonly TextRow[]>,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const zip = new ZipStream((bytes) => writeTo(out, bytes, signal), signal)
  const sheets = Math.max(1, Math.ceil(rowCount / ROWS_BELOW_HEADER))
  for (const [path, xml] of Object.entries(workbookParts(sheets, title))) await zip.add(path, [xml])
  const rows = rowsOf(batches)
  for (let sheet = 1; sheet <= sheets; sheet++) {
    await zip.add(`xl/worksheets/sheet${sheet}.xml`, sheetXml(columns, rows))
  }
  // Needed even if the last sheet is full: the connection is free only when its COPY has been read
  // to the end.
  const { done } = await rows.next()
  if (done !== true) throw new Error(`The table holds more than the ${rowCount} rows on record`)
  await zip.end()
}

async function* sheetXml(
  columns: readonly SheetColumn[],
  rows: AsyncGenerator<TextRow>,
): AsyncGenerator<string> {
  const write = sheetRowWriter(columns)
  let xml = sheetStart(columns) + headerRow(columns)
  for (let row = 2; row <= ROWS_PER_SHEET; row++) {
    // Not a `for await`: leaving it would close the iterator that the next sheet goes on with.
    const { value, done } = await rows.next()
    if (done === true) break
    xml += write(row, value)
    if (xml.length > 64 * 1024) {
      yield xml
      xml = ''
    }
  }
  yield xml + SHEET_END
}

async function* rowsOf(batches: AsyncIterable<readonly TextRow[]>): AsyncGenerator<TextRow> {
  for await (const batch of batches) yield* batch
}

/** The rows of the state in its order, as text. */
function copiedRows(
  client: ClientBase,
  state: TableState,
  signal: AbortSignal,
): AsyncGenerator<readonly TextRow[]> {
  const values = state.columns.map(shownText).join(', ')
  return copiedTexts(client, `select ${values} ${fromStateInOrder(state)}`, signal)
}
