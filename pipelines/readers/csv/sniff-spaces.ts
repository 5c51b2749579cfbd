import type { Dialect } from './dialect.ts'
import { splitRecord } from './split-record.ts'

/**
 * Whether white space around quoted fields belongs to the delimiter: some quoted field has white
 * space around it, and none of the quotes after white space opens anything else. Fields without
 * white space say nothing: they are the same either way.
 */
export function sniffSpaces(
  text: string,
  isWhole: boolean,
  dialect: Omit<Dialect, 'isSpaced'>,
): boolean {
  const { quote } = dialect
  if (quote === null || !hasSpaceAtQuote(text, quote)) return false
  const written = { ...dialect, isSpaced: true }
  let isSpaced = false
  for (let at = 0; at < text.length;) {
    const record = splitRecord(text, at, written)
    // The sample may end inside of a field.
    if (!record.hasBreak && !isWhole) break
    if (record.isAmbiguous) return false
    isSpaced ||= record.spaced > 0
    at = record.end
  }
  return isSpaced
}

/** Fewer may be so by chance. */
const LEAST_PADDED = 3

/** Whether every filled field behind a delimiter begins with white space, so that this is of the delimiter. */
export function sniffPadding(text: string, isWhole: boolean, dialect: Dialect): boolean {
  const { delimiter } = dialect
  if (delimiter === null || !text.includes(`${delimiter} `)) return false
  const written = { ...dialect, isSpaced: true }
  let padded = 0
  for (let at = 0; at < text.length;) {
    const record = splitRecord(text, at, written)
    if (!record.hasBreak && !isWhole) break
    if (record.isAmbiguous || record.unpadded > 0) return false
    padded += record.padded
    at = record.end
  }
  return padded >= LEAST_PADDED
}

/** Nearly all files have none, and need no further look. */
function hasSpaceAtQuote(text: string, quote: string): boolean {
  return [' ', '\t'].some((space) => text.includes(space + quote) || text.includes(quote + space))
}
