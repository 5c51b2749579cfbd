import { cutText } from '../core/cut-text.ts'
import { lowered, withoutAccents } from '../headers/sql-names.ts'

/** White space, punctuation, what cannot be seen, and accents that stand alone. */
const IGNORED = /(?:[\p{Z}\p{P}\p{C}\p{Sk}]\p{Mn}*)+/gu
const DIGIT = /\p{N}/u

/**
 * A header without case, accents, white space and punctuation; two headers that fold alike may
 * stand for the same column. Signs that mean something (`<`, `+`, `€`) stay, and so does the
 * boundary between two numbers: `2,5 km` is not `25 km`. Empty: nothing is left to compare.
 */
export function foldName(header: string): string {
  const letters = lowered(withoutAccents(header))
  return letters.replace(IGNORED, (ignored, at: number) => {
    const between =
      DIGIT.test(letters[at - 1] ?? '') && DIGIT.test(letters[at + ignored.length] ?? '')
    return between ? '.' : ''
  })
}

/** Words of longer headers are not weighed. */
const MOST_CHARACTERS = 255

/** The words of a header, each one folded. */
export const wordsOf = (header: string): readonly string[] =>
  cutText(header, MOST_CHARACTERS)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .split(/[\p{Z}\p{P}\p{C}\p{S}]+/u)
    .map((word) => foldName(word))
    .filter((word) => word !== '')
