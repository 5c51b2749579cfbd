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
