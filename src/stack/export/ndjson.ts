import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import type { SqlType } from '../../../pipelines/index.ts'
import { quoteName } from '../table-name.ts'
import type { TableState } from '../table-state.ts'
import { type JsonForm, JsonLines } from './json-lines.ts'
import { writeLines } from './write-lines.ts'

const FORMS: Readonly<Record<SqlType, JsonForm>> = {
  text: 'text',
  date: 'text',
  timestamptz: 'instant',
  bigint: 'literal',
  numeric: 'literal',
  boolean: 'boolean',
  jsonb: 'literal',
}

/** One object per line, with every digit of every number. */
export async function writeNdjson(
  client: ClientBase,
  state: TableState,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = state
  const copy = {
    values: columns.map(({ column }) => quoteName(column)),
    format: 'format text',
  }
  const lines = new JsonLines(columns.map(({ name, sqlType }) => ({ name, form: FORMS[sqlType] })))
  await writeLines(client, state, copy, lines, out, signal)
}
