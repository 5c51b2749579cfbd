import { addAbortSignal } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import { defineMessages, fr } from '../../../pipelines/index.ts'
import { copyOut } from '../../db/copy-out.ts'
import { PageTooLargeException, type Problem } from '../../errors/index.ts'
import { MOST_PAGE_BYTES, pageWithin } from '../../resources/page.ts'
import { CopiedRowParser, type TextRow } from '../export/copied-rows.ts'

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
    super(`Only the first ${rowsThatFit} rows fit into ${MOST_PAGE_BYTES} bytes`)
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
  const left = () => MOST_PAGE_BYTES - bytes
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

/** Suggests the largest limit with which the beginning of this page is a page of its own. */
export function pageTooLarge(error: PageTooLongError, offset: number): Problem {
  const { limit, page } = pageWithin(offset, error.rowsThatFit)
  if (limit === 0) {
    return new PageTooLargeException(pageMessages.rowTooLarge({ bytes: MOST_PAGE_BYTES }), {
      cause: error,
    })
  }
  return new PageTooLargeException(pageMessages.pageTooLarge({ bytes: MOST_PAGE_BYTES, limit }), {
    members: { limit, page },
    cause: error,
  })
}

/** The same for a preview, which has no other pages and nothing to export yet. */
export function previewTooLarge(rowsThatFit: number, cause: unknown): Problem {
  const bytes = MOST_PAGE_BYTES
  if (rowsThatFit === 0) {
    return new PageTooLargeException(pageMessages.firstRowTooLarge({ bytes }), { cause })
  }
  return new PageTooLargeException(pageMessages.pageTooLarge({ bytes, limit: rowsThatFit }), {
    members: { limit: rowsThatFit },
    cause,
  })
}

export const pageMessages = defineMessages('page', {
  pageTooLarge: {
    en: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `These rows are more than ${bytes} bytes; limit=${limit} would do`,
    fr: ({ bytes, limit }) =>
      fr`Ces lignes font plus de ${bytes} octets ; limit=${limit} conviendrait`,
  },
  rowTooLarge: {
    en: ({ bytes }: { bytes: number }) =>
      `One row alone is more than ${bytes} bytes; the export has it`,
    fr: ({ bytes }) => fr`Une seule ligne fait plus de ${bytes} octets ; l’export la contient`,
  },
  firstRowTooLarge: {
    en: ({ bytes }: { bytes: number }) =>
      `The first row alone is more than ${bytes} bytes, which a load takes and a preview does not show`,
    fr: ({ bytes }) =>
      fr`La première ligne fait à elle seule plus de ${bytes} octets : un chargement l’accepte, un aperçu ne la montre pas`,
  },
})
