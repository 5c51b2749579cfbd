import type { Dialect } from './dialect.ts'
import { type QuotedFields, splitRecord } from './split-record.ts'

/**
 * Whether white space around quoted fields belongs to the delimiter: it does if every quoted field
 * with a delimiter before (or after) it has white space there.
 */
export function sniffSpaces(text: string, dialect: Omit<Dialect, 'isSpaced'>): boolean {
  const { delimiter, quote } = dialect
  if (delimiter === null || quote === null || !hasSpaceAtQuote(text, quote)) return false
  const tally: QuotedFields = {
    spacedBefore: 0,
    closeBefore: 0,
    spacedBehind: 0,
    closeBehind: 0,
    isAmbiguous: false,
  }
  const spaced = { ...dialect, isSpaced: true }
  for (let at = 0; at < text.length && !tally.isAmbiguous;) {
    const record = splitRecord(text, at, spaced, tally)
    if (!record.hasBreak) break
    at = record.end
  }
  const { spacedBefore, closeBefore, spacedBehind, closeBehind, isAmbiguous } = tally
  const isBefore = spacedBefore > 0 && closeBefore === 0
  const isBehind = spacedBehind > 0 && closeBehind === 0
  return !isAmbiguous && (isBefore || isBehind)
}

/** Nearly all files have none, and need no further look. */
function hasSpaceAtQuote(text: string, quote: string): boolean {
  return [' ', '\t'].some((space) => text.includes(space + quote) || text.includes(quote + space))
}
