import type { ClientBase } from 'pg'

import { readBounded } from './bounded-rows.ts'
import { findStart } from './find-start.ts'
import { jsonObjectSlices, jsonObjectWriter } from './json-rows.ts'
import { conditionOf, type RowCondition, type RowFilter } from './row-filter.ts'
import { ROW } from './row-numbers.ts'
import { shownText, type StoredColumn, toJsonText } from './stored-column.ts'
import { quoteName } from './table-name.ts'
import { fromState, type TableState } from './table-state.ts'

interface PageOfRows {
  readonly offset: number
  readonly limit: number
  /** Null: in the order of the loads. */
  readonly sortBy: StoredColumn | null
  readonly descending: boolean
  /** A row has to pass all of them. */
  readonly filters: readonly RowFilter[]
}

interface JsonRows {
  readonly rows: readonly string[]
  /** How many rows pass the filters. */
  readonly total: number
}

/** Rows as JSON objects; throws a PageTooLongError if they exceed the size of an answer. */
export async function readJsonRows(
  client: ClientBase,
  state: TableState,
  page: PageOfRows,
  signal: AbortSignal,
): Promise<JsonRows> {
  const condition = conditionOf(page.filters)
  const total = condition ? await countRows(client, state, condition) : state.rowCount
  const select =
    condition === null && page.sortBy === null
      ? await selectInOrder(client, state, page)
      : await selectFound(client, state, page, condition)
  if (select === null) return { rows: [], total }
  const cells = state.columns.map(toJsonText)
  const object = jsonObjectWriter(state.columns.map(({ name }) => name))
  const columnsBytes = Buffer.byteLength(JSON.stringify(state.columns))
  const rows = await readBounded(client, select, {
    write: (row, isLong) =>
      isLong
        ? jsonObjectSlices(state.columns, row)
        : [object(row.map((text, at) => cells[at]!(text)))],
    // Doubled, since columns are shown with more fields than are stored.
    besidesBytes: 2 * columnsBytes + ENVELOPE_BYTES,
    signal,
  })
  return { rows, total }
}

const ENVELOPE_BYTES = 4096

const selectCells = (state: TableState): string =>
  `select ${state.columns.map(shownText).join(', ')} ${fromState(state)}`

async function countRows(
  client: ClientBase,
  state: TableState,
  { sql, values }: RowCondition,
): Promise<number> {
  const { rows } = await client.query<{ total: string }>(
    `select count(*)::text as total ${fromState(state)} and ${sql}`,
    [...values],
  )
  return Number(rows[0]!.total)
}

/**
 * The row numbers are found first: COPY takes no parameters, and this way PostgreSQL walks to the
 * start of the page without reading the cells of the rows before it.
 */
async function selectFound(
  client: ClientBase,
  state: TableState,
  page: PageOfRows,
  condition: RowCondition | null,
): Promise<string | null> {
  const { rows } = await client.query<{ row: string }>(
    `select ${ROW}::text as row ${fromState(state)} ${condition ? `and ${condition.sql}` : ''}
     ${rangeOf(page)}`,
    [...(condition?.values ?? [])],
  )
  if (rows.length === 0) return null
  const found = `'{${rows.map(({ row }) => row).join(',')}}'::bigint[]`
  return `${selectCells(state)} and ${ROW} = any(${found}) order by array_position(${found}, ${ROW})`
}

/** Sorted by the stored value: the column's name alone would mean the text that is shown for it. */
function rangeOf({ sortBy, descending, limit, offset }: PageOfRows): string {
  const direction = descending ? 'desc' : 'asc'
  const first = sortBy ? `stored.${quoteName(sortBy.column)} ${direction} nulls last, ` : ''
  return `order by ${first}${ROW} ${direction} limit ${limit} offset ${offset}`
}

/** A page is a range of the index on row numbers, and costs the same wherever it is. */
async function selectInOrder(
  client: ClientBase,
  state: TableState,
  { offset, limit, descending }: PageOfRows,
): Promise<string | null> {
  const end = descending ? state.rowCount - offset : Math.min(state.rowCount, offset + limit)
  const begin = descending ? Math.max(0, end - limit) : offset
  const start = end <= begin ? null : await findStart(client, state.id, begin)
  if (start === null) return null
  const rows = `${fromState(state)} and ${ROW} > ${start.after}
                order by ${ROW} limit ${end - begin} offset ${start.skip}`
  const cells = state.columns.map(shownText).join(', ')
  return descending
    ? `select ${cells} from (select stored.* ${rows}) as stored order by ${ROW} desc`
    : `select ${cells} ${rows}`
}
