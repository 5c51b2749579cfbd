import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { jsonObjectSlices, jsonObjectWriter } from '../json-rows.ts'
import { toJsonText } from '../stored-column.ts'
import type { TableState } from '../table-state.ts'
import type { TextRow } from './copied-row-parser.ts'
import { copiedRows } from './copied-rows.ts'
import { writeTo } from './export-stream.ts'

/** A row with more is written in slices. */
const WRITTEN_AT_ONCE = 1024 * 1024

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
    if (rows.some(isLong)) {
      for (const row of rows) {
        for (const slice of jsonObjectSlices(columns, row)) await writeTo(out, slice, signal)
        await writeTo(out, '\n', signal)
      }
    } else {
      const lines = rows.map((row) => `${write(row.map((text, at) => toJson[at]!(text)))}\n`)
      await writeTo(out, lines.join(''), signal)
    }
  }
}

const isLong = (row: TextRow): boolean =>
  row.reduce((sum, text) => sum + (text?.length ?? 0), 0) > WRITTEN_AT_ONCE
