import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { ClientBase } from 'pg'

import { CopyOut } from '../../../db/copy-out.ts'
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
  readonly delimiter: string
  readonly decimal: '.' | ','
  /** A byte order mark in front, without which Excel takes UTF-8 for something else. */
  readonly bom: boolean
}

/** Postgres writes the CSV itself; its bytes go through untouched. */
export async function writeCsv(
  client: ClientBase,
  state: TableState,
  options: CsvOptions,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = state
  const { neutralise, delimiter, bom } = options
  const headers = columns.map(({ name }) =>
    csvField(neutralise && FORMULA_START.test(name) ? `'${name}` : name, delimiter),
  )
  await writeTo(out, `${bom ? '\ufeff' : ''}${headers.join(delimiter)}\n`, signal)
  const values = columns.map((column) => csvValue(column, options))
  const copy = client.query(
    new CopyOut(
      `copy (select ${values.join(', ')} ${fromState(state)} order by ${ROW}) to stdout (format csv, delimiter ${quoteText(delimiter)})`,
    ),
  )
  await pipeline(copy, out, { signal, end: false })
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function csvValue(column: StoredColumn, { neutralise, decimal }: CsvOptions): string {
  const name = quoteName(column.column)
  switch (column.sqlType) {
    case 'text':
      return neutralise
        ? `case when ${name} ~ ${FORMULA_START_SQL} then '''' || ${name} else ${name} end`
        : name
    case 'boolean':
    case 'timestamptz':
      return shownText(column)
    case 'numeric':
      return decimal === ',' ? `replace(${name}::text, '.', ',')` : name
    case 'bigint':
    case 'date':
    case 'jsonb':
      return name
  }
}

export function csvField(text: string, delimiter = ','): string {
  const isQuoted = /["\r\n]/.test(text) || text.includes(delimiter) || text.trim() !== text
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
