import { LONGEST_PATTERN } from '../../resources/rule.ts'

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

/** Of a group, or of what is only held together. */
const OPENS = /^\(\?(?!P?<[^=!])/

/**
 * RE2 does not know what a group has found. In the place of `\\1` it is asked for any text of that
 * group, which takes a little more than the pattern; null: it refers back to nothing.
 */
export function withoutReferences(pattern: string): string | null {
  const groups: (string | undefined)[] = []
  const open: { readonly number: number | null; readonly from: number }[] = []
  let made = ''
  let isWithin = false
  let isFound = false
  for (const { 0: written, index } of pattern.matchAll(PART)) {
    const group = isWithin ? undefined : /^\\([1-9])$/.exec(written)?.[1]
    if (group !== undefined) {
      const source = groups[Number(group) - 1]
      if (source === undefined || made.length > LONGEST_PATTERN) return null
      isFound = true
      made += `(?:${source})`
      continue
    }
    if (!isWithin && written === '(') {
      const isGroup = !OPENS.test(pattern.slice(index, index + 5))
      open.push({ number: isGroup ? groups.push(undefined) - 1 : null, from: made.length + 1 })
    }
    if (!isWithin && written === ')') {
      const { number = null, from = 0 } = open.pop() ?? {}
      if (number !== null) groups[number] = made.slice(from)
    }
    if (written === '[') isWithin = true
    else if (written === ']') isWithin = false
    made += written
  }
  return isFound ? made : null
}

const BACK = WORDS.flatMap(([theirs, ...ours]) =>
  ours.filter((word) => word !== theirs).map((word) => [word, theirs] as const),
).toSorted(([one], [other]) => other.length - one.length)

export const fromRe2 = (pattern: string): string =>
  BACK.reduce(
    (written, [ours, theirs]) => written.replaceAll(ours, theirs),
    pattern.replaceAll(/\\x\{([\da-f]{4})\}/gi, String.raw`\u$1`),
  )
