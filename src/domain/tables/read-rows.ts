import type { ClientBase } from 'pg'

import { readBounded } from './bounded-rows.ts'
import { findPosition } from './find-position.ts'
import { jsonObjectWriter } from './json-rows.ts'
import { ROW } from './row-numbers.ts'
import { shownText, type StoredColumn, toJsonText } from './stored-column.ts'
import { quoteName } from './table-name.ts'
import { fromState, type TableState } from './table-state.ts'

export interface PageOfRows {
  readonly offset: number
  readonly limit: number
  /** Null: in the order of the loads. */
  readonly sortBy: StoredColumn | null
  readonly descending: boolean
}

/** Rows as JSON objects; a PageTooLongError where they are more than one answer may hold. */
export async function readJsonRows(
  client: ClientBase,
  state: TableState,
  page: PageOfRows,
  signal: AbortSignal,
): Promise<string[]> {
  const select =
    page.sortBy === null
      ? await selectInOrder(client, state, page)
      : selectSorted(state, page, page.sortBy)
  if (select === null) return []
  const cells = state.columns.map(toJsonText)
  const object = jsonObjectWriter(state.columns.map(({ name }) => name))
  const columnsBytes = Buffer.byteLength(JSON.stringify(state.columns))
  return readBounded(
    client,
    select,
    (row) => object(row.map((text, at) => cells[at]!(text))),
    // The columns are shown with more fields than they are kept with.
    { besidesBytes: 2 * columnsBytes + ENVELOPE_BYTES, signal },
  )
}

const ENVELOPE_BYTES = 4096

const selectCells = (state: TableState): string =>
  `select ${state.columns.map(shownText).join(', ')} ${fromState(state)}`

/** Postgres has to walk there: by the stored value, since its name alone would mean the text shown for it. */
function selectSorted(
  state: TableState,
  { offset, limit, descending }: PageOfRows,
  { column }: StoredColumn,
): string {
  const direction = descending ? 'desc' : 'asc'
  return `${selectCells(state)}
          order by stored.${quoteName(column)} ${direction} nulls last, ${ROW} ${direction}
          limit ${limit} offset ${offset}`
}

/** A page is a range of the index of row numbers, and costs the same wherever it lies. */
async function selectInOrder(
  client: ClientBase,
  state: TableState,
  { offset, limit, descending }: PageOfRows,
): Promise<string | null> {
  const end = descending ? state.rowCount - offset : Math.min(state.rowCount, offset + limit)
  const begin = descending ? Math.max(0, end - limit) : offset
  const position = end <= begin ? null : await findPosition(client, state.id, begin)
  if (position === null) return null
  const rows = `${fromState(state)} and ${ROW} > ${position.after}
                order by ${ROW} limit ${end - begin} offset ${position.skip}`
  const cells = state.columns.map(shownText).join(', ')
  return descending
    ? `select ${cells} from (select stored.* ${rows}) as stored order by ${ROW} desc`
    : `select ${cells} ${rows}`
}
