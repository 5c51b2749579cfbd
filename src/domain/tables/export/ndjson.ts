import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { jsonObjectWriter } from '../json-rows.ts'
import { toJsonText } from '../stored-column.ts'
import type { TableState } from '../table-state.ts'
import { copiedRows } from './copied-rows.ts'
import { writeTo } from './export-stream.ts'

/** One object a line, every digit of every number. */
export async function writeNdjson(
  client: ClientBase,
  state: TableState,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = state
  const toJson = columns.map(toJsonText)
  const write = jsonObjectWriter(columns.map(({ name }) => name))
  for await (const rows of copiedRows(client, state, signal)) {
    const lines = rows.map((row) => `${write(row.map((text, at) => toJson[at]!(text)))}\n`)
    await writeTo(out, lines.join(''), signal)
  }
}
