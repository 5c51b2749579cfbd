import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import type { StoredColumn } from '../stored-column.ts'
import { quoteName } from '../table-name.ts'
import type { TableState } from '../table-state.ts'
import { writeTo } from './export-stream.ts'
import { csvSyntax } from './line-syntax.ts'
import { type LineCell, writeLines } from './write-lines.ts'

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

/** Bytes that PostgreSQL would write, at less work for it. */
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
  const cells = columns.map((column) => csvCell(column, options))
  await writeLines(client, state, cells, csvSyntax(columns.length, delimiter), out, signal)
}

function csvCell({ column, sqlType }: StoredColumn, { neutralise, decimal }: CsvOptions): LineCell {
  const name = quoteName(column)
  switch (sqlType) {
    case 'text':
      return { value: neutralise ? neutralised(name) : name, form: 'text' }
    case 'numeric':
      return decimal === ','
        ? { value: `replace(${name}::text, '.', ',')`, form: 'text' }
        : { value: `${name}::text`, form: 'literal' }
    case 'bigint':
      return { value: `${name}::text`, form: 'literal' }
    case 'jsonb':
      return { value: `${name}::text`, form: 'text' }
    case 'boolean':
      return { value: name, form: 'boolean' }
    case 'date':
      return { value: name, form: 'day' }
    case 'timestamptz':
      return { value: name, form: 'instant' }
  }
}

const neutralised = (name: string): string =>
  `case when ${name} ~ ${FORMULA_START_SQL} then '''' || ${name} else ${name} end`

export function csvField(text: string, delimiter = ','): string {
  const isQuoted = /["\r\n]/.test(text) || text.includes(delimiter) || text.trim() !== text
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
