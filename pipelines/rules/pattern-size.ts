import type { ColumnRule } from '../core/rule.ts'

/**
 * About how many steps an expression has once its repetitions are written out, without writing them
 * out: `(\pL{100}){10}` has a thousand. Making it takes as long as it has steps.
 */
function sizeOfPattern(pattern: string): number {
  const outer: number[] = []
  let group = 0
  let last = 0
  for (let at = 0; at < pattern.length;) {
    const repeated = pattern[at] === '{' ? REPEATED.exec(pattern.slice(at, at + 12)) : null
    if (repeated !== null) {
      const [written, least, most] = repeated
      last *= Math.max(1, Number(least), Number(most || 0))
      at += written.length
      continue
    }
    const end = endOfPart(pattern, at)
    group += last
    last = pattern.startsWith('\\Q', at) ? end - at : 1
    if (pattern[at] === '(') {
      outer.push(group)
      group = 0
      last = 0
    } else if (pattern[at] === ')') {
      last = group + 1
      group = outer.pop() ?? 0
    }
    at = end
  }
  return outer.reduce((one, other) => one + other, group + last)
}

const REPEATED = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/

/** Of a class, an escape, a text that stands for itself, or a character. */
function endOfPart(pattern: string, start: number): number {
  if (pattern[start] === '[') return endOfClass(pattern, start)
  if (pattern[start] !== '\\') return start + 1
  return pattern[start + 1] === 'Q' ? behind(pattern, '\\E', start) : endOfEscape(pattern, start)
}

/** As RE2 reads one: behind the dash of a range, `[` is a character like any other. */
function endOfClass(pattern: string, start: number): number {
  let at = start + 1
  if (pattern[at] === '^') at++
  if (pattern[at] === ']') at++
  while (at < pattern.length && pattern[at] !== ']') {
    const [many] = MANY_CHARACTERS.exec(pattern.slice(at, at + LONGEST_OF_MANY)) ?? []
    at = many === undefined ? endOfCharacter(pattern, at) : at + many.length
    const isRange = many === undefined && pattern[at] === '-' && (pattern[at + 1] ?? ']') !== ']'
    if (isRange) at = endOfCharacter(pattern, at + 1)
  }
  return at + 1
}

/** What stands for several characters in a class, and begins no range. */
const MANY_CHARACTERS = /^(?:\[:\^?[a-z]{1,10}:\]|\\(?:[dDsSwW]|[pP](?:\{[^}]{0,60}\}|[^{])))/
const LONGEST_OF_MANY = 64

const endOfCharacter = (pattern: string, at: number): number =>
  pattern[at] === '\\' ? endOfEscape(pattern, at) : at + 1

function endOfEscape(pattern: string, start: number): number {
  const isBraced = 'pPx'.includes(pattern[start + 1] ?? ' ') && pattern[start + 2] === '{'
  return isBraced ? behind(pattern, '}', start) : start + 2
}

function behind(pattern: string, what: string, from: number): number {
  const at = pattern.indexOf(what, from)
  return at === -1 ? pattern.length : at + what.length
}

/** What the expressions of rules may come to that are made in one go. */
export const MOST_PATTERN_STEPS = 50_000

export const sizeOfPatterns = (rules: readonly ColumnRule[]): number =>
  rules
    .flatMap(({ matches, written }) => [matches, written?.arrayItem?.constraints?.pattern])
    .reduce((sum, pattern) => sum + (pattern === undefined ? 0 : sizeOfPattern(pattern)), 0)
