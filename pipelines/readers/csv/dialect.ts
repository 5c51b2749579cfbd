import { EngineError } from '../../core/errors.ts'
import type { CsvOptions } from './csv-options.ts'
import { csvMessages } from './messages.ts'

/** How one CSV file is written. Each part is an ordinary character or several, in UTF-8. */
export interface Dialect {
  /** Null: the file has one column, without a delimiter. */
  readonly delimiter: string | null
  /** Null: quotes are ordinary characters. */
  readonly quote: string | null
  /** Comes before a quote inside a quoted field; in almost every file it is the quote itself. */
  readonly escape: string | null
  /** White space around a quoted field belongs to the delimiter. */
  readonly isSpaced: boolean
  /** With it: so does white space behind a delimiter, whatever field follows: `1, Ann, Brest`. */
  readonly isPadded?: boolean
}

const SPACES = [' ', '\t'] as const

/** What counts as white space around a quoted field. */
export function spacesOf({ delimiter, isSpaced }: Dialect): readonly string[] {
  return isSpaced ? SPACES.filter((space) => delimiter?.includes(space) !== true) : []
}

const isOneByte = (part: string | null) =>
  part === null || (part.length === 1 && part.charCodeAt(0) < 0x80)

/** What the range scanner understands; everything else goes to the general reader. */
export function isPlain({ delimiter, quote, escape }: Dialect): boolean {
  return isOneByte(delimiter) && isOneByte(quote) && escape === quote
}

export function checkDialect({ delimiter, quote }: CsvOptions): void {
  if (delimiter !== undefined && /[\r\n]/.test(delimiter)) {
    throw new EngineError(csvMessages.breakInDelimiter(), {
      kind: 'options',
      pointer: '/delimiter',
    })
  }
  if (quote !== undefined && /[\r\n]/.test(quote)) {
    throw new EngineError(csvMessages.breakAsQuote(), {
      kind: 'options',
      pointer: '/quote',
    })
  }
  if (quote !== undefined && quote !== '' && delimiter?.includes(quote) === true) {
    throw new EngineError(csvMessages.quoteInDelimiter(), {
      kind: 'options',
      pointer: '/quote',
    })
  }
}

/** One record, as text. For the sample, and for what csv-parse repairs differently than we do. */
interface SplitRecord {
  readonly cells: readonly string[]
  /** Fields in which a quote, or text after a closing quote, was taken literally. */
  readonly repaired: number
  /** Quoted fields surrounded by white space that belongs to the delimiter. */
  readonly spaced: number
  /** Fields behind a delimiter that have white space there, and those that are filled and have none. */
  readonly padded: number
  readonly unpadded: number
  /** The position after the record and its line break. */
  readonly end: number
  readonly hasBreak: boolean
  /** Where a quote was opened that is never closed; the cells are those before it. */
  readonly openedAt: number | null
  /** Whether, after white space, a quote opens something other than a quoted field. */
  readonly isAmbiguous: boolean
}

export function splitRecord(text: string, from: number, dialect: Dialect): SplitRecord {
  const { delimiter, quote } = dialect
  const spaces = spacesOf(dialect)
  const cells: string[] = []
  let repaired = 0
  let spaced = 0
  let padded = 0
  let unpadded = 0
  let isAmbiguous = false
  let at = from
  for (;;) {
    let value = ''
    const begin = at
    const opening = behindSpaces(text, at, spaces)
    if (quote !== null && text.startsWith(quote, opening)) {
      const inside = opening + quote.length
      const closing = closingQuote(text, inside, quote, dialect.escape)
      if (closing === -1) {
        isAmbiguous ||= opening > at
        const end = text.length
        const found = { cells, repaired, spaced, padded, unpadded, end, isAmbiguous }
        return { ...found, hasBreak: false, openedAt: opening }
      }
      const closed = closing + quote.length
      const isSpacedBefore = opening > at
      at = fieldEnd(text, closed, delimiter)
      const behind = behindSpaces(text, closed, spaces) >= at ? at : closed
      if (isSpacedBefore || behind > closed) spaced++
      if (at > behind) repaired++
      isAmbiguous ||= isSpacedBefore && at > behind
      value = unescaped(text.slice(inside, closing), quote, dialect.escape) + text.slice(behind, at)
    } else {
      const end = fieldEnd(text, at, delimiter)
      const isBehindDelimiter = dialect.isPadded === true && cells.length > 0
      value = text.slice(isBehindDelimiter ? opening : at, end)
      if (quote !== null && value.includes(quote)) repaired++
      at = end
    }
    if (cells.length > 0 && opening > begin) padded++
    else if (cells.length > 0 && at > begin) unpadded++
    cells.push(value)
    if (delimiter === null || !text.startsWith(delimiter, at)) break
    at += delimiter.length
  }
  const end = text.startsWith('\r\n', at) ? at + 2 : Math.min(at + 1, text.length)
  const found = { cells, repaired, spaced, padded, unpadded, end, isAmbiguous }
  return { ...found, hasBreak: at < text.length, openedAt: null }
}

function behindSpaces(text: string, from: number, spaces: readonly string[]): number {
  let at = from
  while (spaces.includes(text[at]!)) at++
  return at
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

/** How many lines are examined; more would not change the result. */
const MOST_LINES = 100
const LEAST_LINES = 2
/** Two fields may be words and a comma between them. */
const LEAST_SURE_FIELDS = 3

const DELIMITERS = ['\t', ';', '|', ','] as const
const WHOLE_LINE = { delimiter: null, quote: '"', escape: '"', isSpaced: false } as const

/**
 * Whether every line is one quoted field that holds a record: `"a;""b"";c"`. All of them have the
 * same number of fields then, which sentences have not, and names above a single column neither.
 */
export function areQuotedRecords(sample: string, isWhole: boolean): boolean {
  if (!sample.startsWith('"')) return false
  const lines = quotedLines(sample, isWhole)
  if (lines === null || lines.length < LEAST_LINES) return false
  return DELIMITERS.some((delimiter) => {
    const widths = lines.map((line) => widthOf(line, delimiter))
    const [width] = widths
    const isSure =
      width! >= LEAST_SURE_FIELDS ||
      (width! > 1 && !lines.some((line) => line.includes(`${delimiter} `)))
    return isSure && widths.every((other) => other === width)
  })
}

/** What is in the quotes; null if a line is anything but one quoted field. */
function quotedLines(sample: string, isWhole: boolean): string[] | null {
  const lines: string[] = []
  for (let at = 0; at < sample.length && lines.length < MOST_LINES;) {
    const { cells, repaired, end, hasBreak, openedAt } = splitRecord(sample, at, WHOLE_LINE)
    if (!hasBreak && !isWhole) break
    if (sample[at] !== '"' || repaired > 0 || openedAt !== null) return null
    lines.push(cells[0]!)
    at = end
  }
  return lines
}

/** Null if the record does not end with the line. */
function widthOf(line: string, delimiter: string): number | null {
  const record = splitRecord(line, 0, { ...WHOLE_LINE, delimiter })
  return record.hasBreak || record.openedAt !== null ? null : record.cells.length
}
