import { addAbortSignal } from 'node:stream'

import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

import { shownText, type StoredColumn } from '../stored-column.ts'
import { quoteTable, type TableName } from '../table-name.ts'
import { CopiedRowParser, type TextRow } from './copied-row-parser.ts'

/**
 * The whole table in its own order, as text. It comes at the pace of whoever takes it: no more is
 * held than one piece of the stream, or one row, however long rows are.
 */
export async function* copiedRows(
  client: ClientBase,
  table: TableName,
  columns: readonly StoredColumn[],
  signal: AbortSignal,
): AsyncGenerator<readonly TextRow[]> {
  const values = columns.map(shownText).join(', ')
  const copy = client.query(
    copyTo(
      `copy (select ${values} from ${quoteTable(table)} order by _row) to stdout (format binary)`,
    ),
  )
  const parser = new CopiedRowParser()
  for await (const piece of addAbortSignal(signal, copy)) {
    const rows = parser.take(piece as Buffer)
    if (rows.length > 0) yield rows
  }
}
