import type { CodePage, WrittenLanguage } from './alphabets.ts'

/** How the words of a text look in a code page. */
export interface Weighed {
  readonly page: CodePage
  /** The language that most of the words could be of; null if there is no word to judge by. */
  readonly language: WrittenLanguage | null
  /** Different words with letters beyond ASCII, and other texts with signs where letters belong. */
  readonly words: number
  /** Those of the words that could be of the language. */
  readonly fitting: ReadonlySet<string>
}

/** Of a text of very many words, these say enough. */
const MOST_WORDS = 1000

/** Letters, and whatever is not ASCII: what stands between is no matter of a code page. */
const CHUNKS = /[A-Za-z\u0080-\u{10ffff}]+/gu
/** Without those that count as letters in Unicode, but stand beside words like signs. */
const WORDS = /[[\p{L}\p{M}]--[ªºµˆƒ]]+/gv
const IS_LETTER = /[[\p{L}\p{M}]--[ªºµˆƒ]]/v
const BEYOND_ASCII = /[^\0-\u007f]/u

/** What may stand between two letters, before one, and behind one. */
const BETWEEN = new Set('’‘–—…·“”«»•€\u00a0\u00ad')
const BEFORE = new Set('«“‘‹„‚¿¡§€£¥©®–—…•°±µ÷×·\u00a0\u00ad')
const BEHIND = new Set('»”’›°ºª®™©²³¹½¼¾€£¥§–—…•†‡±÷×·‰\u00a0\u00ad“‘«')

/** Weighs a text that was decoded in a code page. */
export function weighWords(page: CodePage, text: string): Weighed {
  const words = new Set<string>()
  const broken = new Set<string>()
  const chunks = new Set(text.match(CHUNKS) ?? [])
  for (const chunk of chunks) {
    if (words.size + broken.size >= MOST_WORDS) break
    if (!BEYOND_ASCII.test(chunk)) continue
    if (hasMisplacedSign(chunk)) broken.add(chunk)
    else for (const [word] of chunk.matchAll(WORDS)) if (BEYOND_ASCII.test(word)) words.add(word)
  }
  let best: { language: WrittenLanguage; fitting: ReadonlySet<string> } | null = null
  for (const language of page.languages) {
    const fitting = new Set([...words].filter((word) => fits(word, language)))
    if (isCommon(fitting, language) && fitting.size > (best?.fitting.size ?? 0)) {
      best = { language, fitting }
    }
  }
  return {
    page,
    language: best?.language ?? null,
    words: words.size + broken.size,
    fitting: best?.fitting ?? new Set(),
  }
}

/** The part of the words that could be of one language; 1 if there are none. */
export const shareOf = ({ words, fitting }: Weighed): number =>
  words === 0 ? 1 : fitting.size / words

function hasMisplacedSign(chunk: string): boolean {
  const characters = [...chunk]
  const isLetter = (at: number) => IS_LETTER.test(characters[at] ?? '')
  return characters.some((character, at) => {
    if (isLetter(at)) return false
    const before = isLetter(at - 1)
    const behind = isLetter(at + 1)
    if (before && behind) return !BETWEEN.has(character)
    return (before && !BEHIND.has(character)) || (behind && !BEFORE.has(character))
  })
}

/** A capital letter within a word is as strange as a letter that the language does not have. */
function fits(word: string, { letters, commonest, strange }: WrittenLanguage): boolean {
  if (strange?.test(word) === true) return false
  let previous = ''
  for (const letter of word) {
    if (letter > '\u007f') {
      const isCapital = letter !== letter.toLowerCase()
      if (!letters.has(letter.toLowerCase()) || (isCapital && isSmall(previous))) return false
    } else if (commonest !== null) return false
    previous = letter
  }
  return true
}

const isSmall = (letter: string) => letter !== letter.toUpperCase()

/** Whether words in a script of their own have its commonest letters as often as any text. */
function isCommon(words: ReadonlySet<string>, { commonest }: WrittenLanguage): boolean {
  if (commonest === null) return true
  const letters = [...words].join('').toLowerCase()
  const common = [...letters].filter((letter) => commonest.has(letter)).length
  return common * 2 > letters.length
}
