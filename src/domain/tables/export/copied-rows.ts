import { addAbortSignal } from 'node:stream'

import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

import { ROW } from '../row-numbers.ts'
import { shownText } from '../stored-column.ts'
import { fromState, type TableState } from '../table-state.ts'
import { CopiedRowParser, type TextRow } from './copied-row-parser.ts'

/**
 * The whole table in its own order, as text. It comes at the pace of whoever takes it: no more is
 * held than one piece of the stream, or one row, however long rows are.
 */
export async function* copiedRows(
  client: ClientBase,
  state: TableState,
  signal: AbortSignal,
): AsyncGenerator<readonly TextRow[]> {
  const values = state.columns.map(shownText).join(', ')
  const copy = client.query(
    copyTo(`copy (select ${values} ${fromState(state)} order by ${ROW}) to stdout (format binary)`),
  )
  const parser = new CopiedRowParser()
  for await (const piece of addAbortSignal(signal, copy)) {
    const rows = parser.take(piece as Buffer)
    if (rows.length > 0) yield rows
  }
}
