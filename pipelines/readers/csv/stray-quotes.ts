import type { Dialect } from './dialect.ts'

/** The place of a field's value in its line. */
export interface FieldRange {
  readonly start: number
  readonly end: number
  /** It contains doubled quotes, and its range is the whole field including its quotes. */
  readonly isRaw: boolean
}

interface Syntax {
  readonly delimiter: Buffer
  readonly quote: Buffer
}

/**
 * Splits a line with a stray quote so that it has `fields` fields; null if that is impossible. For
 * headers and rows whose number of fields is known from the others: a quote that opens nothing
 * joins fields, and one that closes nothing divides them.
 */
export function rangesAroundStrayQuotes(
  line: Buffer,
  { delimiter, quote }: Dialect,
  fields: number,
): readonly FieldRange[] | null {
  if (delimiter === null || quote === null) return null
  const syntax = { delimiter: Buffer.from(delimiter), quote: Buffer.from(quote) }
  for (const closing of [ownQuote, quoteBeforeDelimiter]) {
    const ranges = split(line, syntax, closing)
    if (ranges.length === fields) return ranges
  }
  return null
}

/** The same, as texts. */
export function splitAroundStrayQuotes(
  line: string,
  dialect: Dialect,
  fields: number,
): string[] | null {
  const bytes = Buffer.from(line)
  const quote = dialect.quote ?? ''
  const ranges = rangesAroundStrayQuotes(bytes, dialect, fields)
  if (ranges === null) return null
  return ranges.map(({ start, end, isRaw }) => {
    const text = bytes.toString('utf8', start, end)
    return isRaw ? text.slice(quote.length, -quote.length).replaceAll(quote + quote, quote) : text
  })
}

/** Finds the quote that closes a field; -1 if its first quote opens nothing. */
type Closing = (line: Buffer, from: number, syntax: Syntax) => number

function split(line: Buffer, syntax: Syntax, closing: Closing): FieldRange[] {
  const { delimiter, quote } = syntax
  const ranges: FieldRange[] = []
  for (let at = 0; at <= line.length;) {
    const inside = at + quote.length
    const closedAt = standsAt(line, at, quote) ? closing(line, inside, syntax) : -1
    const next = closedAt === -1 ? line.indexOf(delimiter, at) : closedAt + quote.length
    const end = next === -1 ? line.length : next
    ranges.push(closedAt === -1 ? { start: at, end, isRaw: false } : quoted(line, at, end, syntax))
    at = end + delimiter.length
  }
  return ranges
}

/** Doubled quotes are only undone if there are no other quotes among them. */
function quoted(line: Buffer, start: number, end: number, syntax: Syntax): FieldRange {
  const { length } = syntax.quote
  const inside = { start: start + length, end: end - length, isRaw: false }
  const isRaw =
    line.subarray(inside.start, inside.end).includes(syntax.quote) &&
    ownQuote(line, inside.start, syntax) === inside.end
  return isRaw ? { start, end, isRaw } : inside
}

/** The next quote that is not doubled, if it closes the field. */
const ownQuote: Closing = (line, from, syntax) => {
  const { quote } = syntax
  let at = line.indexOf(quote, from)
  while (at !== -1 && standsAt(line, at + quote.length, quote)) {
    at = line.indexOf(quote, at + 2 * quote.length)
  }
  return at !== -1 && endsField(line, at + quote.length, syntax) ? at : -1
}

/** The next quote that closes the field, whatever quotes come before it. */
const quoteBeforeDelimiter: Closing = (line, from, syntax) => {
  const { quote } = syntax
  let at = line.indexOf(quote, from)
  while (at !== -1 && !endsField(line, at + quote.length, syntax)) {
    at = line.indexOf(quote, at + quote.length)
  }
  return at
}

const endsField = (line: Buffer, at: number, { delimiter }: Syntax) =>
  at === line.length || standsAt(line, at, delimiter)

function standsAt(line: Buffer, at: number, part: Buffer): boolean {
  return (
    line[at] === part[0] && (part.length === 1 || line.subarray(at, at + part.length).equals(part))
  )
}
