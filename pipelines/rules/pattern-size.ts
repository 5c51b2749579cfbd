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
    group += last
    last = 1
    if (pattern[at] === '(') {
      outer.push(group)
      group = 0
      last = 0
    } else if (pattern[at] === ')') {
      last = group + 1
      group = outer.pop() ?? 0
    }
    at = endOfPart(pattern, at)
  }
  return outer.reduce((one, other) => one + other, group + last)
}

const REPEATED = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/

/** Of a class, an escape, or a character by itself. */
function endOfPart(pattern: string, start: number): number {
  if (pattern[start] === '[') {
    let at = start + 1
    if (pattern[at] === '^') at++
    if (pattern[at] === ']') at++
    while (at < pattern.length && pattern[at] !== ']') {
      const isNamed = pattern.startsWith('[:', at)
      at = isNamed ? behind(pattern, ':]', at) : endOfPart(pattern, at)
    }
    return at + 1
  }
  if (pattern[start] !== '\\') return start + 1
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
