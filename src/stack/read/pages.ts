import type { ClientBase } from 'pg'

import { ORDER_OF_ROWS, BLOCK_ROWS, ROW } from '../table/partitions.ts'
import { shownText, toJsonText } from '../table/stored-column.ts'
import { readBounded } from './bounded-rows.ts'
import { jsonObjectSlices, jsonObjectWriter } from './json-rows.ts'
import { fromState, inOrder, type RowOrder, type TableState } from './snapshot.ts'

interface PageOfRows extends RowOrder {
  readonly offset: number
  readonly limit: number
}

/** Rows as JSON objects; throws a PageTooLongError if they exceed the size of an answer. */
export async function readJsonRows(
  client: ClientBase,
  state: TableState,
  page: PageOfRows,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const select =
    state.only === undefined && page.sortBy === null
      ? await selectInOrder(client, state, page)
      : await selectFound(client, state, page)
  if (select === null) return []
  const cells = state.columns.map(toJsonText)
  const object = jsonObjectWriter(state.columns.map(({ name }) => name))
  const columnsBytes = Buffer.byteLength(JSON.stringify(state.columns))
  return readBounded(client, select, {
    write: (row, isLong) =>
      isLong
        ? jsonObjectSlices(state.columns, row)
        : [object(row.map((text, at) => cells[at]!(text)))],
    // Doubled, since columns are shown with more fields than are stored.
    besidesBytes: 2 * columnsBytes + ENVELOPE_BYTES,
    signal,
  })
}

const ENVELOPE_BYTES = 4096

const selectCells = (state: TableState): string =>
  `select ${state.columns.map(shownText).join(', ')} ${fromState(state)}`

/**
 * The row numbers are found first: this way PostgreSQL walks to the start of the page without
 * reading the cells of the rows before it.
 */
async function selectFound(
  client: ClientBase,
  state: TableState,
  page: PageOfRows,
): Promise<string | null> {
  const { rows } = await client.query<{ row: string }>(
    `select ${ROW}::text as row ${fromState(state)} ${inOrder(page)} limit ${page.limit} offset ${page.offset}`,
  )
  if (rows.length === 0) return null
  const found = `'{${rows.map(({ row }) => row).join(',')}}'::bigint[]`
  return `${selectCells(state)} and ${ROW} = any(${found}) order by array_position(${found}, ${ROW})`
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

/** Where to begin reading: after the row with this number, skipping `skip` rows. */
interface Start {
  readonly after: string
  readonly skip: number
}

/**
 * Adds up the rows of partitions, then those of the loads in one of them, then the blocks of one
 * load in which rows are missing. It reads a few records, wherever in the table the page begins.
 */
const FIND = `
  with partition as (
    select id, before from (
      select id, row_count, sum(row_count) over (order by ${ORDER_OF_ROWS}) - row_count as before
      from load_tables where table_id = $1 and is_attached) counted
    where before <= $2 and $2 < before + row_count),
  load as (
    select id, rows_before, row_count, last_ordinal, $2 - before as ordinal from (
      select l.id, l.rows_before, l.row_count, l.last_ordinal,
             p.before + sum(l.row_count) over (order by l.rows_before) - l.row_count as before
      from loads l join partition p on l.partition_id = p.id
      where l.rows_before is not null) counted
    where before <= $2 and $2 < before + row_count),
  gap as (
    select block, before, size - missing as held from (
      select g.block, g.missing,
             least(${BLOCK_ROWS}, l.last_ordinal - g.block::bigint * ${BLOCK_ROWS}) as size,
             g.block::bigint * ${BLOCK_ROWS}
               - (sum(g.missing) over (order by g.block) - g.missing) as before
      from load_gaps g join load l on g.load_id = l.id
      where l.row_count < l.last_ordinal and g.missing > 0) counted
    cross join load
    where before <= ordinal order by block desc limit 1)
  select (rows_before + case when gap.block is null then ordinal
                             when ordinal < gap.before + gap.held then gap.block::bigint * ${BLOCK_ROWS}
                             else (gap.block + 1)::bigint * ${BLOCK_ROWS} + ordinal - gap.before - gap.held
                        end)::text as after,
         case when ordinal < gap.before + gap.held then ordinal - gap.before else 0 end::integer as skip
  from load left join gap on true`

/**
 * The place of the row that has this many rows before it, in the order of the table; null if there
 * are not that many.
 */
export async function findStart(
  client: ClientBase,
  tableId: number,
  rowsBefore: number,
): Promise<Start | null> {
  const { rows } = await client.query<Start>(FIND, [tableId, rowsBefore])
  return rows[0] ?? null
}
