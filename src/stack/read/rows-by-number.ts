import type { ClientBase } from 'pg'

import type { SqlType } from '../../../pipelines/index.ts'
import { textTypes } from '../../db/type-parsers.ts'
import { ROW } from '../table/partitions.ts'
import { shownText, toJsonText } from '../table/stored-column.ts'
import { MOST_BYTES } from './bounded-rows.ts'
import type { Side } from './compare-states.ts'
import { selectRows, typeIn } from './state-rows.ts'

/** Cells as JSON text, by row number. Call it after measuring how long they are. */
export async function readRowsByNumber(
  client: ClientBase,
  side: Side,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, (string | null)[]>> {
  const { shown, rows } = numberedRows(side)
  const cells = shown.map(({ as, sqlType }) => shownText({ column: as, sqlType }))
  const text = `select ${[ROW, ...cells].join(', ')} from ${rows} rows`
  const write = side.columns.map((column, at) =>
    toJsonText({ ...column, sqlType: shown[at]!.sqlType }),
  )
  const found = await client.query<(string | null)[]>({
    text,
    values: [numbers],
    rowMode: 'array',
    types: textTypes,
  })
  return new Map(
    found.rows.map(([number, ...row]) => [number!, row.map((cell, at) => write[at]!(cell))]),
  )
}

/** The length of the rows' cells as JSON, by row number; for long ones a lower bound. */
export async function measureRowsByNumber(
  client: ClientBase,
  side: Side,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { shown, rows } = numberedRows(side)
  const lengths = shown.map(({ as, sqlType }) =>
    lengthAsJson(shownText({ column: as, sqlType }), sqlType),
  )
  const found = await client.query<{ number: string; lengths: number[] }>(
    `select ${ROW}::text as number, array[${lengths.join(', ')}]::int[] as lengths
     from ${rows} rows`,
    [numbers],
  )
  return new Map(found.rows.map(({ number, lengths: cells }) => [number, cells]))
}

/** Escapes only text that could still fit, since escaping is slow in the database. */
function lengthAsJson(text: string, sqlType: SqlType): string {
  const plain = `octet_length(${text})`
  const escaped = `octet_length(to_json(${text})::text)`
  const written =
    sqlType === 'text'
      ? `case when ${plain} > ${MOST_BYTES} then ${plain} else ${escaped} end`
      : `${plain} + ${QUOTES_BYTES}`
  return `coalesce(${written}, ${NULL_BYTES})`
}

const QUOTES_BYTES = 2
const NULL_BYTES = 'null'.length

function numberedRows({ pieces, columns }: Side) {
  const shown = columns.map((column, at) => ({
    column: column.column,
    as: `c${at}`,
    sqlType: typeIn(pieces, column),
  }))
  return { shown, rows: selectRows(pieces, shown, { which: `p.${ROW} = any ($1)` }) }
}
