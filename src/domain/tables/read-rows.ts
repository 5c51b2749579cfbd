import { type ClientBase, Query } from 'pg'

import { textTypes } from '../../db/type-parsers.ts'
import { findPosition } from './find-position.ts'
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

/** What is read at once is held at once. The longest cell there can be fits. */
const MOST_CHARACTERS = 96 * 1024 * 1024

/** Rows whose texts are longer together than one answer may hold. */
export class RowsTooLongError extends Error {
  override readonly name = 'RowsTooLongError'
}

export type TextRow = (string | null)[]

/** Cells as text, in the order of the columns. */
export function readTexts(client: ClientBase, { text, values }: RowsQuery): Promise<TextRow[]> {
  // Its type does not know the mode.
  const config = { text, values, rowMode: 'array', types: textTypes }
  const query = client.query(new Query<TextRow>(config))
  return new Promise((resolve, reject) => {
    const rows: TextRow[] = []
    let characters = 0
    query.on('row', (row: TextRow) => {
      for (const cell of row) characters += cell?.length ?? 0
      if (characters <= MOST_CHARACTERS) rows.push(row)
      else rows.length = 0
    })
    query.on('error', reject)
    query.on('end', () => {
      if (characters <= MOST_CHARACTERS) resolve(rows)
      else reject(new RowsTooLongError(`${characters} characters are more than one answer holds`))
    })
  })
}

/** Cells as JSON text. */
export async function readJsonCells(
  client: ClientBase,
  state: TableState,
  page: PageOfRows,
): Promise<(string | null)[][]> {
  const query =
    page.sortBy === null
      ? await queryInOrder(client, state, page)
      : querySorted(state, page, page.sortBy)
  if (query === null) return []
  const rows = await readTexts(client, query)
  if (page.sortBy === null && page.descending) rows.reverse()
  const write = state.columns.map(toJsonText)
  return rows.map((row) => row.map((text, at) => write[at]!(text)))
}

export interface RowsQuery {
  readonly text: string
  readonly values: readonly unknown[]
}

const selectCells = (state: TableState): string =>
  `select ${state.columns.map(shownText).join(', ')} ${fromState(state)}`

/** Postgres has to walk there: by the stored value, since its name alone would mean the text shown for it. */
function querySorted(
  state: TableState,
  { offset, limit, descending }: PageOfRows,
  { column }: StoredColumn,
): RowsQuery {
  const direction = descending ? 'desc' : 'asc'
  return {
    text: `${selectCells(state)}
           order by stored.${quoteName(column)} ${direction} nulls last, ${ROW} ${direction}
           limit $1 offset $2`,
    values: [limit, offset],
  }
}

/** A page is a range of the index of row numbers, and costs the same wherever it lies. */
async function queryInOrder(
  client: ClientBase,
  state: TableState,
  { offset, limit, descending }: PageOfRows,
): Promise<RowsQuery | null> {
  const end = descending ? state.rowCount - offset : Math.min(state.rowCount, offset + limit)
  const begin = descending ? Math.max(0, end - limit) : offset
  const position = end <= begin ? null : await findPosition(client, state.id, begin)
  if (position === null) return null
  return {
    text: `${selectCells(state)} and ${ROW} > $1 order by ${ROW} limit $2 offset $3`,
    values: [position.after, end - begin, position.skip],
  }
}
