import type { Dialect } from './dialect.ts'

/** A row of the sample, as text: enough to judge a dialect by. */
export interface SampleRow {
  readonly cells: readonly string[]
  /** Fields of it with quotes where the dialect has none. */
  readonly repaired: number
}

/**
 * Splits the beginning of a file by a dialect on trial. The last row is left out when the sample cuts
 * it. Strings, since it sees a few hundred rows at most.
 */
export function sampleRows(
  text: string,
  { delimiter, quote }: Dialect,
  isWhole: boolean,
  mostRows: number,
): SampleRow[] {
  const rows: SampleRow[] = []
  let cells: string[] = []
  let repaired = 0
  let at = 0

  const isBreak = (position: number) => text[position] === '\n' || text[position] === '\r'
  const isDelimiter = (position: number) =>
    delimiter !== null && text.startsWith(delimiter, position)
  const fieldEnd = (from: number) => {
    let end = from
    while (end < text.length && !isBreak(end) && !isDelimiter(end)) end++
    return end
  }

  while (at < text.length && rows.length < mostRows) {
    let value = ''
    if (quote !== null && text.startsWith(quote, at)) {
      const closing = closingQuote(text, at + quote.length, quote)
      if (closing === -1) {
        // Cut by the sample, or never closed: either way this row says nothing.
        return rows
      }
      const end = fieldEnd(closing + quote.length)
      if (end > closing + quote.length) repaired++
      value =
        text.slice(at + quote.length, closing).replaceAll(quote + quote, quote) +
        text.slice(closing + quote.length, end)
      at = end
    } else {
      const end = fieldEnd(at)
      value = text.slice(at, end)
      if (quote !== null && value.includes(quote)) repaired++
      at = end
    }
    cells.push(value)
    if (at < text.length && isDelimiter(at)) {
      at += delimiter!.length
      if (at < text.length) continue
      cells.push('')
    }
    if (at >= text.length && !isWhole) break
    at += text.startsWith('\r\n', at) ? 2 : 1
    rows.push({ cells, repaired })
    cells = []
    repaired = 0
  }
  return rows
}

function closingQuote(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from)
  while (at !== -1 && text.startsWith(quote, at + quote.length)) {
    at = text.indexOf(quote, at + 2 * quote.length)
  }
  return at
}

export function isBlankRow(row: SampleRow): boolean {
  return row.cells.every((cell) => cell.trim() === '')
}
