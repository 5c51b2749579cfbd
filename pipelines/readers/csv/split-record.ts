import type { Dialect } from './dialect.ts'

/** One record, as text. For the sample, and for what csv-parse repairs in another way than we do. */
export interface SplitRecord {
  readonly cells: readonly string[]
  /** Fields in which a quote, or text after a closing quote, was taken literally. */
  readonly repaired: number
  /** Behind the record, its line break included. */
  readonly end: number
  readonly hasBreak: boolean
  /** Where a quote was opened that is not closed; the cells are those before it. */
  readonly openedAt: number | null
}

export function splitRecord(text: string, from: number, dialect: Dialect): SplitRecord {
  const { delimiter, quote } = dialect
  const cells: string[] = []
  let repaired = 0
  let at = from
  for (;;) {
    let value = ''
    if (quote !== null && text.startsWith(quote, at)) {
      const inside = at + quote.length
      const closing = closingQuote(text, inside, quote, dialect.escape)
      if (closing === -1) {
        return { cells, repaired, end: text.length, hasBreak: false, openedAt: at }
      }
      const behind = closing + quote.length
      at = fieldEnd(text, behind, delimiter)
      if (at > behind) repaired++
      value = unescaped(text.slice(inside, closing), quote, dialect.escape) + text.slice(behind, at)
    } else {
      const end = fieldEnd(text, at, delimiter)
      value = text.slice(at, end)
      if (quote !== null && value.includes(quote)) repaired++
      at = end
    }
    cells.push(value)
    if (delimiter === null || !text.startsWith(delimiter, at)) break
    at += delimiter.length
  }
  const end = text.startsWith('\r\n', at) ? at + 2 : Math.min(at + 1, text.length)
  return { cells, repaired, end, hasBreak: at < text.length, openedAt: null }
}

function fieldEnd(text: string, from: number, delimiter: string | null): number {
  let end = from
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') {
    if (delimiter !== null && text.startsWith(delimiter, end)) break
    end++
  }
  return end
}

function closingQuote(text: string, from: number, quote: string, escape: string | null): number {
  if (escape === null) return text.indexOf(quote, from)
  if (escape === quote) return closingAmongDoubled(text, from, quote)
  let closing = text.indexOf(quote, from)
  let escaping = text.indexOf(escape, from)
  while (closing !== -1 && escaping !== -1 && escaping < closing) {
    const behind = escaping + escape.length + 1
    if (closing < behind) closing = text.indexOf(quote, behind)
    escaping = text.indexOf(escape, behind)
  }
  return closing
}

function closingAmongDoubled(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from)
  while (at !== -1 && text.startsWith(quote, at + quote.length)) {
    at = text.indexOf(quote, at + 2 * quote.length)
  }
  return at
}

/** An escape before anything but a quote or itself is an ordinary character. */
function unescaped(value: string, quote: string, escape: string | null): string {
  if (escape === null || !value.includes(escape)) return value
  let plain = ''
  let from = 0
  for (let at = value.indexOf(escape); at !== -1; at = value.indexOf(escape, from + 1)) {
    const isSyntax = value[at + 1] === quote || value[at + 1] === escape
    plain += value.slice(from, isSyntax ? at : at + 1)
    from = at + 1
  }
  return plain + value.slice(from)
}
