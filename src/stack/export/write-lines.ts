import { addAbortSignal, type Writable } from 'node:stream'

import type { ClientBase } from 'pg'

import { copyOut } from '../../db/copy-out.ts'
import { ROW } from '../row-numbers.ts'
import { fromState, type TableState } from '../table-state.ts'
import { writeTo } from './export-stream.ts'

interface LineCopy {
  /** The SQL expression of each column. */
  readonly values: readonly string[]
  /** The format options of COPY. */
  readonly format: string
}

/** Makes lines of what COPY sends, in chunks of its own. */
export interface LineMaker {
  take(piece: Buffer): readonly Buffer[]
  /** What is left once all pieces were taken. */
  rest(): Buffer
}

/** The whole table in its own order, one line per row. */
export async function writeLines(
  client: ClientBase,
  state: TableState,
  { values, format }: LineCopy,
  lines: LineMaker,
  out: Writable,
  signal: AbortSignal,
): Promise<void> {
  const select = `select ${values.join(', ')} ${fromState(state)} order by ${ROW}`
  const copy = copyOut(client, `copy (${select}) to stdout (${format})`)
  for await (const piece of addAbortSignal(signal, copy)) {
    const chunks = lines.take(piece)
    for (const chunk of chunks) await writeTo(out, chunk, signal)
  }
  await writeTo(out, lines.rest(), signal)
}
