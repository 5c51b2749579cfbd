/**
 * The patterns of a Table Schema know all letters and blanks of Unicode, and number characters in
 * their own way; those of RE2 have other words for it. Each stands for itself outside of a class and
 * within one.
 */
const WORDS: readonly (readonly [theirs: string, outside: string, within: string])[] = [
  [String.raw`\w`, String.raw`[\pL\pN_]`, String.raw`\pL\pN_`],
  [String.raw`\W`, String.raw`[^\pL\pN_]`, String.raw`\W`],
  [String.raw`\s`, String.raw`[\s\v\pZ]`, String.raw`\s\v\pZ`],
  [String.raw`\S`, String.raw`[^\s\v\pZ]`, String.raw`\S`],
  [String.raw`\Z`, String.raw`\z`, String.raw`\Z`],
]

const OURS = new Map(WORDS.map(([theirs, ...ours]) => [theirs, ours]))
/** A character by its number, an escaped one, or one by itself. */
const PART = /\\u([\da-f]{4})|\\[\s\S]|[\s\S]/giu

export function toRe2(pattern: string): string {
  let isWithin = false
  let first = -1
  return pattern.replaceAll(PART, (written, code: string | undefined, at: number) => {
    if (written === '[' && !isWithin) {
      isWithin = true
      first = at + (pattern[at + 1] === '^' ? 2 : 1)
    } else if (written === ']' && at !== first) isWithin = false
    if (code !== undefined) return String.raw`\x{${code}}`
    // A letter of another script needs no escape.
    if (/^\\\P{ASCII}/u.test(written)) return written.slice(1)
    return OURS.get(written)?.[isWithin ? 1 : 0] ?? written
  })
}

const BACK = WORDS.flatMap(([theirs, ...ours]) =>
  ours.filter((word) => word !== theirs).map((word) => [word, theirs] as const),
).toSorted(([one], [other]) => other.length - one.length)

export const fromRe2 = (pattern: string): string =>
  BACK.reduce(
    (written, [ours, theirs]) => written.replaceAll(ours, theirs),
    pattern.replaceAll(/\\x\{([\da-f]{4})\}/gi, String.raw`\u$1`),
  )
