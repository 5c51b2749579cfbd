import { type ClientBase, Query } from 'pg'

import { textTypes } from '../../db/type-parsers.ts'
import { shownText, type StoredColumn, toJsonText } from './stored-column.ts'
import { quoteName, quoteTable, type TableName } from './table-name.ts'

export interface RowRange {
  readonly offset: number
  readonly limit: number
  readonly total: number
  /** Null: in the order of the source. */
  readonly sortBy: StoredColumn | null
  readonly descending: boolean
}

/** What is read at once is held at once. The longest cell there can be fits. */
const MOST_CHARACTERS = 96 * 1024 * 1024

/** Rows whose texts are longer together than one answer may hold. */
export class RowsTooLongError extends Error {
  override readonly name = 'RowsTooLongError'
}

type TextRow = (string | null)[]

/** Cells as text, in the order of the columns. */
function readTexts(
  client: ClientBase,
  table: TableName,
  columns: readonly StoredColumn[],
  range: RowRange,
): Promise<TextRow[]> {
  const { text, values } = rangeQuery(table, columns.map(shownText), range)
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
  table: TableName,
  columns: readonly StoredColumn[],
  range: RowRange,
): Promise<(string | null)[][]> {
  const rows = await readTexts(client, table, columns, range)
  const write = columns.map(toJsonText)
  return rows.map((row) => row.map((text, at) => write[at]!(text)))
}

/**
 * `_row` counts the rows without a gap, so a page is a range of its index and costs the same
 * wherever it lies. Sorted by a column, Postgres has to walk there.
 */
function rangeQuery(
  table: TableName,
  expressions: readonly string[],
  { offset, limit, total, sortBy, descending }: RowRange,
) {
  const select = `select ${expressions.join(', ')} from ${quoteTable(table)} as stored`
  const direction = descending ? 'desc' : 'asc'
  if (sortBy !== null) {
    // By the stored value: its name alone would mean the text that is shown for it.
    return {
      text: `${select} order by stored.${quoteName(sortBy.column)} ${direction} nulls last, _row ${direction}
             limit $1 offset $2`,
      values: [limit, offset],
    }
  }
  const last = descending ? total - offset : offset + limit
  const before = descending ? last - limit : offset
  return {
    text: `${select} where _row > $1 and _row <= $2 order by _row ${direction}`,
    values: [Math.max(0, before), Math.max(0, last)],
  }
}
