import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import type { SqlType } from '../../../pipelines/index.ts'
import type { StoredColumn } from '../stored-column.ts'
import { quoteName } from '../table-name.ts'
import type { TableState } from '../table-state.ts'
import { type CsvForm, CsvLines } from './csv-lines.ts'
import { writeTo } from './export-stream.ts'
import { writeLines } from './write-lines.ts'

/** What spreadsheets take for a formula when a cell begins with it. */
const FORMULA_START = /^[=+\-@\t\r]/
const FORMULA_START_SQL = `'^[=+@\\t\\r-]'`

export interface CsvWording {
  /**
   * Puts an apostrophe before what a spreadsheet would run as a formula. It changes the data, so
   * only on request.
   */
  readonly neutralise: boolean
  readonly delimiter: string
  readonly decimal: '.' | ','
  /** Starts with a byte order mark, without which Excel does not recognise UTF-8. */
  readonly bom: boolean
}

const FORMS: Partial<Readonly<Record<SqlType, CsvForm>>> = {
  timestamptz: 'instant',
  boolean: 'boolean',
}

/** Passes on the bytes that PostgreSQL writes, with instants and booleans in their standard form. */
export async function writeCsv(
  client: ClientBase,
  state: TableState,
  options: CsvWording,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = state
  const { neutralise, delimiter, bom } = options
  const headers = columns.map(({ name }) =>
    csvField(neutralise && FORMULA_START.test(name) ? `'${name}` : name, delimiter),
  )
  await writeTo(out, `${bom ? '\ufeff' : ''}${headers.join(delimiter)}\n`, signal)
  const forms = columns.map(({ sqlType }) => FORMS[sqlType] ?? 'plain')
  const copy = {
    values: columns.map((column) => csvValue(column, options)),
    format: `format csv, delimiter '${delimiter}'`,
  }
  await writeLines(client, state, copy, new CsvLines(forms, delimiter), out, signal)
}

function csvValue({ column, sqlType }: StoredColumn, { neutralise, decimal }: CsvWording): string {
  const name = quoteName(column)
  if (sqlType === 'text' && neutralise) return neutralised(name)
  if (sqlType === 'numeric' && decimal === ',') return `replace(${name}::text, '.', ',')`
  return name
}

const neutralised = (name: string): string =>
  `case when ${name} ~ ${FORMULA_START_SQL} then '''' || ${name} else ${name} end`

export function csvField(text: string, delimiter = ','): string {
  const isQuoted = /["\r\n]/.test(text) || text.includes(delimiter) || text.trim() !== text
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}
