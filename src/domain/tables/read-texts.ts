import { type ClientBase, Query } from 'pg'

import { textTypes } from '../../db/type-parsers.ts'
import { MOST_BYTES, PageTooLongError } from './bounded-rows.ts'

type TextRow = (string | null)[]

/** Cells of a few rows as text, in a transaction that goes on afterwards, whatever they are. */
export function readTexts(
  client: ClientBase,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<TextRow[]> {
  // Its type does not know the mode.
  const config = { text, values, rowMode: 'array', types: textTypes }
  const query = client.query(new Query<TextRow>(config))
  return new Promise((resolve, reject) => {
    const rows: TextRow[] = []
    let fit = 0
    let characters = 0
    query.on('row', (row: TextRow) => {
      for (const cell of row) characters += cell?.length ?? 0
      if (characters > MOST_BYTES) rows.length = 0
      else fit = rows.push(row)
    })
    query.on('error', reject)
    query.on('end', () => {
      if (characters <= MOST_BYTES) resolve(rows)
      else reject(new PageTooLongError(fit))
    })
  })
}
