import type { ClientBase } from 'pg'

import { copiedTexts } from '../bounded-rows.ts'
import { ROW } from '../row-numbers.ts'
import { shownText } from '../stored-column.ts'
import { fromState, type TableState } from '../table-state.ts'
import type { TextRow } from './copied-row-parser.ts'

/** The whole table in its own order, as text. */
export function copiedRows(
  client: ClientBase,
  state: TableState,
  signal: AbortSignal,
): AsyncGenerator<readonly TextRow[]> {
  const values = state.columns.map(shownText).join(', ')
  return copiedTexts(client, `select ${values} ${fromState(state)} order by ${ROW}`, signal)
}
