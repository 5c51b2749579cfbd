import { isWords } from './cell-shape.ts'
import type { SeenRow } from './seen-row.ts'

/** Words that notes begin with, in several languages. */
const WORD =
  /^(?:sources?|notes?|n\.?b\.?|champ|lecture|légende|remarques?|see|voir|quelle|anmerkung|fuente|nota|fonte)(?![\p{L}\d])/iu
/** `* …`, `(1) …`, `1. …`, `n.d. : …`. */
const SIGN = /^(?:[*†©\\[(]|\d{1,2}[.)/]\s|\S{1,6}\s?:\s)/

/** The word alone is a value like any other: a note says something. */
export function beginsWithNoteWord({ texts, filled }: SeenRow): boolean {
  const text = texts[filled[0]!]!
  return WORD.test(text) && (filled.length > 1 || !/^\p{L}+$/u.test(text))
}

export const beginsLikeNote = (row: SeenRow) => beginsWithNoteWord(row) || beginsWithNoteSign(row)

/** `(3)` and `(x)` are values themselves. */
function beginsWithNoteSign({ texts, filled, shapes }: SeenRow): boolean {
  return isWords(shapes[filled[0]!]!) && SIGN.test(texts[filled[0]!]!)
}
