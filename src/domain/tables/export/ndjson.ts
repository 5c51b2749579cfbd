import type { Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import type { StoredColumn } from '../stored-column.ts'
import { quoteName } from '../table-name.ts'
import type { TableState } from '../table-state.ts'
import { ndjsonSyntax } from './line-syntax.ts'
import { type LineCell, writeLines } from './write-lines.ts'

/** One object a line, every digit of every number. */
export async function writeNdjson(
  client: ClientBase,
  state: TableState,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const syntax = ndjsonSyntax(state.columns.map(({ name }) => name))
  await writeLines(client, state, state.columns.map(jsonCell), syntax, out, signal)
}

function jsonCell({ column, sqlType }: StoredColumn): LineCell {
  const name = quoteName(column)
  switch (sqlType) {
    case 'text':
      return { value: name, form: 'text' }
    case 'boolean':
      return { value: name, form: 'boolean' }
    case 'date':
      return { value: name, form: 'day' }
    case 'timestamptz':
      return { value: name, form: 'instant' }
    case 'bigint':
    case 'numeric':
    case 'jsonb':
      return { value: `${name}::text`, form: 'literal' }
  }
}
