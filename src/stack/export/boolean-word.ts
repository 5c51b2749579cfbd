const [LETTER_T] = Buffer.from('t')
const [TRUE, FALSE] = ['true', 'false'].map((word) => Buffer.from(word)) as [Buffer, Buffer]

/** By how many bytes a word is longer than its letter, at most. */
export const MORE_BYTES_OF_A_WORD = FALSE.length - 1

/** PostgreSQL writes `t` and `f`. */
export const booleanWord = (letter: number): Buffer => (letter === LETTER_T ? TRUE : FALSE)

/** Returns the position after what was written. */
export function putWord(out: Buffer, start: number, letter: number): number {
  const word = booleanWord(letter)
  const { length } = word
  for (let at = 0; at < length; at++) out[start + at] = word[at]!
  return start + length
}
