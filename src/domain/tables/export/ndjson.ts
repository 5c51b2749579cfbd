import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { jsonObjectWriter } from '../json-rows.ts'
import { type StoredColumn, toJsonText } from '../stored-column.ts'
import type { TableState } from '../table-state.ts'
import type { TextRow } from './copied-row-parser.ts'
import { copiedRows } from './copied-rows.ts'
import { writeTo } from './export-stream.ts'

/** Of a row with more, each long cell is written in slices: as JSON it may be six times as long. */
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
        for (const slice of slicesOf(columns, toJson, row)) await writeTo(out, slice, signal)
      }
    } else {
      const lines = rows.map((row) => `${write(row.map((text, at) => toJson[at]!(text)))}\n`)
      await writeTo(out, lines.join(''), signal)
    }
  }
}

const isLong = (row: TextRow): boolean =>
  row.reduce((sum, text) => sum + (text?.length ?? 0), 0) > WRITTEN_AT_ONCE

/** The same line, in pieces of a bounded length. */
function* slicesOf(
  columns: readonly StoredColumn[],
  toJson: readonly ((text: string | null) => string | null)[],
  row: TextRow,
): Generator<string> {
  for (const [at, { name, sqlType }] of columns.entries()) {
    const text = row[at]!
    yield `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (sqlType === 'text' && text !== null) yield* slicesOfText(text)
    else yield toJson[at]!(text) ?? 'null'
  }
  yield columns.length === 0 ? '{}\n' : '}\n'
}

function* slicesOfText(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length;) {
    const end = at + WRITTEN_AT_ONCE
    // A character of two halves stays whole.
    const next = isHigh(text.charCodeAt(end - 1)) ? end - 1 : end
    yield JSON.stringify(text.slice(at, next)).slice(1, -1)
    at = next
  }
  yield '"'
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
