import { addAbortSignal, type Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { CopyOut } from '../../../db/copy-out.ts'
import { ROW } from '../row-numbers.ts'
import { fromState, type TableState } from '../table-state.ts'
import { writeTo } from './export-stream.ts'
import type { LineSyntax } from './line-syntax.ts'
import { type CellForm, LineWriter } from './line-writer.ts'

/** What is asked of the database for a column, and what comes of it. */
export interface LineCell {
  /** SQL. */
  readonly value: string
  readonly form: CellForm
}

/** The whole table in its own order, a line a row. */
export async function writeLines(
  client: ClientBase,
  state: TableState,
  cells: readonly LineCell[],
  syntax: LineSyntax,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const values = cells.map(({ value }) => value).join(', ')
  const select = `select ${values} ${fromState(state)} order by ${ROW}`
  const copy = client.query(new CopyOut(`copy (${select}) to stdout (format binary)`))
  const forms = cells.map(({ form }) => form)
  const writer = new LineWriter(forms, syntax)
  for await (const piece of addAbortSignal(signal, copy)) {
    for (const written of writer.take(piece as Buffer)) await writeTo(out, written, signal)
  }
}
