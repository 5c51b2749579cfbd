import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'

import { ROW } from '../row-numbers.ts'
import { shownText, type StoredColumn } from '../stored-column.ts'
import { quoteName } from '../table-name.ts'
import { fromState, type TableState } from '../table-state.ts'
import { writeTo } from './export-stream.ts'

/** What spreadsheets take for a formula when a cell begins with it. */
const FORMULA_START = /^[=+\-@\t\r]/
const FORMULA_START_SQL = `'^[=+@\\t\\r-]'`

export interface CsvOptions {
  /** Puts an apostrophe before what a spreadsheet would run. Changes data, so only when asked. */
  readonly neutralise: boolean
}

/** Postgres writes the CSV itself; its bytes go through untouched. */
export async function writeCsv(
  client: ClientBase,
  state: TableState,
  { neutralise }: CsvOptions,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = state
  const headers = columns.map(({ name }) =>
    csvField(neutralise && FORMULA_START.test(name) ? `'${name}` : name),
  )
  await writeTo(out, `${headers.join(',')}\n`, signal)
  const values = columns.map((column) => csvValue(column, neutralise))
  const copy = client.query(
    copyTo(
      `copy (select ${values.join(', ')} ${fromState(state)} order by ${ROW}) to stdout (format csv)`,
    ),
  )
  await pipeline(copy, out, { signal, end: false })
}

function csvValue(column: StoredColumn, neutralise: boolean): string {
  const name = quoteName(column.column)
  switch (column.sqlType) {
    case 'text':
      return neutralise
        ? `case when ${name} ~ ${FORMULA_START_SQL} then '''' || ${name} else ${name} end`
        : name
    case 'boolean':
    case 'timestamptz':
      return shownText(column)
    case 'bigint':
    case 'numeric':
    case 'date':
    case 'jsonb':
      return name
  }
}

export function csvField(text: string): string {
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text
}
