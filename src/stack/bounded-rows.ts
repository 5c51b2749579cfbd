import { addAbortSignal } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import { copyOut } from '../db/copy-out.ts'
import { CopiedRowParser, type TextRow } from './export/copied-row-parser.ts'

/** The limit of one answer, as it is sent, and of what is held in memory to make it. */
export const MOST_BYTES = 16 * 1024 * 1024

/** A row with more characters is written in pieces. */
const WRITTEN_AT_ONCE = 1024 * 1024

/** A single row is longer than the space that is left. */
class RowTooLongError extends Error {
  override readonly name = 'RowTooLongError'
}

/** The page is longer than an answer may be; its first `rowsThatFit` rows are not. */
export class PageTooLongError extends Error {
  override readonly name = 'PageTooLongError'
  readonly rowsThatFit: number

  constructor(rowsThatFit: number) {
    super(`Only the first ${rowsThatFit} rows fit into ${MOST_BYTES} bytes`)
    this.rowsThatFit = rowsThatFit
  }
}

/**
 * The rows of a statement, as text, at the pace of whoever reads them: no more is held than one
 * piece of the stream, or one row up to `mostHeld` bytes. Leaving the loop early closes the
 * connection.
 */
export async function* copiedTexts(
  client: ClientBase,
  select: string,
  signal: AbortSignal,
  mostHeld: () => number = () => Infinity,
): AsyncGenerator<readonly TextRow[]> {
  const copy = copyOut(client, `copy (${select}) to stdout (format binary)`)
  const parser = new CopiedRowParser()
  for await (const piece of addAbortSignal(signal, copy)) {
    const rows = parser.take(piece)
    if (rows.length > 0) yield rows
    if (parser.heldBytes > mostHeld()) throw new RowTooLongError()
  }
}

interface RowsWanted {
  /** The pieces that a row is sent in; other requests get their turn between those of a long one. */
  readonly write: (row: TextRow, isLong: boolean) => Iterable<string>
  /** The size of the answer apart from its rows. */
  readonly besidesBytes: number
  readonly signal: AbortSignal
}

/** Rows for one answer. */
export async function readBounded(
  client: ClientBase,
  select: string,
  { write, besidesBytes, signal }: RowsWanted,
): Promise<string[]> {
  const written: string[] = []
  let bytes = besidesBytes
  const left = () => MOST_BYTES - bytes
  try {
    for await (const rows of copiedTexts(client, select, signal, left)) {
      for (const row of rows) {
        const isLong = charactersOf(row) > WRITTEN_AT_ONCE
        // The comma between two rows.
        bytes++
        let text = ''
        for (const piece of write(row, isLong)) {
          bytes += Buffer.byteLength(piece)
          if (left() < 0) throw new RowTooLongError()
          text += piece
          if (isLong) await nextTurn()
        }
        written.push(text)
      }
    }
  } catch (error) {
    throw error instanceof RowTooLongError ? new PageTooLongError(written.length) : error
  }
  return written
}

const charactersOf = (row: TextRow): number =>
  row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
