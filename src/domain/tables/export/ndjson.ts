import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { jsonObjectWriter } from '../json-rows.ts'
import { type StoredColumn, toJsonText } from '../stored-column.ts'
import type { TableName } from '../table-name.ts'
import { copiedRows } from './copied-rows.ts'
import { writeTo } from './export-stream.ts'

/** One object a line, every digit of every number. */
export async function writeNdjson(
  client: ClientBase,
  table: TableName,
  columns: readonly StoredColumn[],
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const toJson = columns.map(toJsonText)
  const write = jsonObjectWriter(columns.map(({ name }) => name))
  for await (const rows of copiedRows(client, table, columns, signal)) {
    const lines = rows.map((row) => `${write(row.map((text, at) => toJson[at]!(text)))}\n`)
    await writeTo(out, lines.join(''), signal)
  }
}
