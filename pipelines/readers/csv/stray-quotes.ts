import type { Dialect } from './dialect.ts'

/**
 * The fields of a line in which a quote opens a field only where another one closes it right before a
 * delimiter: a stray one swallows nothing. For headers, whose number of names is known by the rows.
 */
export function splitAroundStrayQuotes(line: string, { delimiter, quote }: Dialect): string[] {
  const fields: string[] = []
  const d = delimiter!
  const q = quote!
  for (let at = 0; at <= line.length;) {
    const closing = line.startsWith(q, at) ? closingBeforeDelimiter(line, at + q.length, q, d) : -1
    const next = line.indexOf(d, closing === -1 ? at : closing)
    const end = next === -1 ? line.length : next
    fields.push(
      closing === -1
        ? line.slice(at, end)
        : line.slice(at + q.length, closing).replaceAll(q + q, q),
    )
    at = end + d.length
  }
  return fields
}

/** The next quote, if it closes the field; -1 where text follows it. */
function closingBeforeDelimiter(line: string, from: number, q: string, d: string): number {
  let at = line.indexOf(q, from)
  while (at !== -1 && line.startsWith(q, at + q.length)) at = line.indexOf(q, at + 2 * q.length)
  const behind = at + q.length
  return at !== -1 && (behind === line.length || line.startsWith(d, behind)) ? at : -1
}
