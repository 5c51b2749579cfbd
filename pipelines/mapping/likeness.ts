import type { Message } from '../core/message.ts'
import { foldName, wordsOf } from './fold.ts'
import { mappingMessages } from './mapping-messages.ts'

/** A name, prepared for many comparisons. */
export interface ComparedName {
  readonly folded: string
  readonly words: readonly string[]
  /** The words that mean something, each without the sign of its plural, in alphabetical order. */
  readonly stems: readonly string[]
}

interface Likeness {
  readonly confidence: number
  readonly because: Message
}

const STOP_WORDS = new Set(
  'a au aux d de des du en et l la le les par pour sur the of and for in on to'.split(' '),
)

/** `1.0` and `s` at the end of short words are no plurals: bus, prix, gas. */
const SHORTEST_PLURAL = 5

/** Shorter words that differ in a letter are other words: debut and debit, sender and gender. */
const SHORTEST_MISSPELT = 7

export function compared(name: string): ComparedName {
  const words = wordsOf(name)
  const stems = words.filter((word) => !STOP_WORDS.has(word)).map(stem)
  return { folded: foldName(name), words, stems: stems.toSorted() }
}

const stem = (word: string): string =>
  word.length >= SHORTEST_PLURAL && /[^s][sx]$/.test(word) ? word.slice(0, -1) : word

/**
 * How much one name says that it means the other; null: nothing. The figures are the share of
 * pairs that were right in a list made by hand (`test/pipelines/mapping/likeness.test.ts`): only
 * the same words, and a misspelt long word, are as good as certain.
 */
export function likeness(one: ComparedName, other: ComparedName): Likeness | null {
  if (one.folded === '' || other.folded === '') return null
  if (one.stems.length > 0 && one.stems.join(' ') === other.stems.join(' ')) {
    const isFolded = one.folded === other.folded
    const because = isFolded ? mappingMessages.byFold() : mappingMessages.sameWords()
    return { confidence: 0.95, because }
  }
  if (isMisspelt(one.stems, other.stems)) {
    return { confidence: 0.92, because: mappingMessages.nearly() }
  }
  const shared = one.stems.filter((word) => other.stems.includes(word))
  if (shared.length > 0) {
    const all = new Set([...one.stems, ...other.stems]).size
    const words = one.words.filter((word) => shared.includes(stem(word)))
    return {
      confidence: 0.4 + (0.4 * shared.length) / all,
      because: mappingMessages.contains({ words }),
    }
  }
  if (shortens(one, other) || shortens(other, one)) {
    return { confidence: 0.6, because: mappingMessages.shortened() }
  }
  return null
}

/** The same words, but one long one differs in a letter. */
function isMisspelt(one: readonly string[], other: readonly string[]): boolean {
  const odd = one.filter((word) => !other.includes(word))
  const rest = other.filter((word) => !one.includes(word))
  if (odd.length !== 1 || rest.length !== 1 || one.length !== other.length) return false
  const [a, b] = [odd[0]!, rest[0]!]
  if (Math.min(a.length, b.length) < SHORTEST_MISSPELT || a[0] !== b[0]) return false
  return !/\p{N}/u.test(a + b) && differInOne(a, b)
}

/** One letter more, less or other, or two neighbours exchanged. */
function differInOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  if (a.length === b.length) {
    if (a.slice(from + 1) === b.slice(from + 1)) return true
    return (
      a[from] === b[from + 1] && a[from + 1] === b[from] && a.slice(from + 2) === b.slice(from + 2)
    )
  }
  return a.length > b.length
    ? a.slice(from + 1) === b.slice(from)
    : a.slice(from) === b.slice(from + 1)
}

/** `tel` for telephone, `qte` for quantite, `ddn` for date de naissance. */
function shortens(short: ComparedName, long: ComparedName): boolean {
  const { folded } = short
  if (folded.length < 2 || short.words.length > 2 || folded.length >= long.folded.length)
    return false
  if (initials(long.words) === folded || initials(long.stems) === folded) return true
  const [first] = long.words
  if (first === undefined || short.words.length !== 1 || long.words.length !== 1) return false
  return first[0] === folded[0] && folded.length >= 3 && isWithin(folded, first)
}

const initials = (words: readonly string[]): string =>
  words.length < 2 ? '' : words.map((word) => word[0]).join('')

/** Whether all letters of the one occur in the other, in this order. */
function isWithin(letters: string, word: string): boolean {
  let at = 0
  for (const letter of word) if (letter === letters[at]) at++
  return at === letters.length
}
