import { addAbortSignal } from 'node:stream'

import type { ClientBase } from 'pg'

import { CopyOut } from '../../db/copy-out.ts'
import { CopiedRowParser, type TextRow } from './export/copied-row-parser.ts'

/** Of an answer as it is sent, and of what is held to make it. */
export const MOST_BYTES = 16 * 1024 * 1024

/** A row of which the texts are no longer than this is written at once, however it grows by that. */
const WRITTEN_AT_ONCE = 1024 * 1024

/** There is no room for another row. */
class RowTooLongError extends Error {
  override readonly name = 'RowTooLongError'
}

/** The page is longer than an answer may be; its first rows are not, so many of them. */
export class PageTooLongError extends Error {
  override readonly name = 'PageTooLongError'
  readonly rowsThatFit: number

  constructor(rowsThatFit: number) {
    super(`Only the first ${rowsThatFit} rows fit into ${MOST_BYTES} bytes`)
    this.rowsThatFit = rowsThatFit
  }
}

/**
 * The rows of a statement, as text. They come at the pace of whoever takes them: no more is held than
 * one piece of the stream, or one row up to `mostHeld` bytes. Whoever leaves early closes the connection.
 */
export async function* copiedTexts(
  client: ClientBase,
  select: string,
  signal: AbortSignal,
  mostHeld: () => number = () => Infinity,
): AsyncGenerator<readonly TextRow[]> {
  const copy = client.query(new CopyOut(`copy (${select}) to stdout (format binary)`))
  const parser = new CopiedRowParser()
  for await (const piece of addAbortSignal(signal, copy)) {
    const rows = parser.take(piece as Buffer)
    if (rows.length > 0) yield rows
    if (parser.heldBytes > mostHeld()) throw new RowTooLongError()
  }
}

/** Rows for one answer, which has `besidesBytes` apart from them. */
export async function readBounded(
  client: ClientBase,
  select: string,
  write: (row: TextRow) => string,
  { besidesBytes, signal }: { readonly besidesBytes: number; readonly signal: AbortSignal },
): Promise<string[]> {
  const written: string[] = []
  let bytes = besidesBytes
  const left = () => MOST_BYTES - bytes
  try {
    for await (const rows of copiedTexts(client, select, signal, left)) {
      for (const row of rows) {
        if (growsPast(row, left())) throw new RowTooLongError()
        const text = write(row)
        // The comma between them.
        bytes += Buffer.byteLength(text) + 1
        if (left() < 0) throw new RowTooLongError()
        written.push(text)
      }
    }
  } catch (error) {
    throw error instanceof RowTooLongError ? new PageTooLongError(written.length) : error
  }
  return written
}

/** Whether a long row is more than so many bytes as JSON, told without writing it. */
function growsPast(row: TextRow, mostBytes: number): boolean {
  const characters = row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
  if (characters <= WRITTEN_AT_ONCE) return false
  let bytes = 0
  for (const text of row) {
    if (text === null) continue
    bytes += Buffer.byteLength(text) + escapes(text)
    if (bytes > mostBytes) return true
  }
  return false
}

const [QUOTE, BACKSLASH, SPACE] = ['"', '\\', ' '].map((sign) => sign.charCodeAt(0))
const BY_ONE_LETTER = new Set(['\b', '\f', '\n', '\r', '\t'].map((sign) => sign.charCodeAt(0)))

/** How many more characters a text has as JSON; `\u0001` stands for one. */
function escapes(text: string): number {
  let more = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || code === BACKSLASH) more++
    else if (code < SPACE!) more += BY_ONE_LETTER.has(code) ? 1 : 5
  }
  return more
}
