import { createPageDecoder } from './page-decoders.ts'
import { type CodePage, OTHER_PAGES, WESTERN_PAGE } from './alphabets.ts'
import { eastAsianReadings } from './east-asian.ts'
import { shareOf, weighWords, type Weighed } from './weigh-words.ts'

interface Judged {
  readonly name: string
  /** What speaks for it, for people who look at the dialect. */
  readonly evidence: string
  /** Other code pages that would do, if there is a doubt. */
  readonly others: readonly string[]
}

/** Enough words of one language: nothing else is looked for. */
const WESTERN_FROM = 0.9
/** Another code page has to read nearly every word, ... */
const OTHER_FROM = 0.95
/** ... and a good part more of them, ... */
const LEAD = 0.1
/** ... among which are so many that windows-1252 cannot read. */
const FEWEST_GAINED = 3
/** A code page that reads this share of the words is named to whoever is told of a doubt. */
const NAMED_FROM = 0.8
/** How far the commonest characters of one East Asian script have to lead over those of another. */
const EAST_ASIAN_LEAD = 1.3

/**
 * The code page of bytes that are not UTF-8. It is windows-1252 unless another one is shown by what
 * the bytes say in it: common characters of a script, or words where windows-1252 has signs and
 * letters that stand together in no language. In doubt it is windows-1252.
 */
export function judgeCodePage(bytes: Buffer): Judged {
  const telling = tellingPart(bytes)
  const western = weighed(WESTERN_PAGE, telling)
  if (shareOf(western) >= WESTERN_FROM) return inDoubt([])
  const east = eastAsianReadings(bytes)
  const [first, second] = east
  if (first !== undefined) {
    const { name, language, characters, common } = first
    if (second === undefined || first.score >= EAST_ASIAN_LEAD * second.score) {
      const evidence = `common characters of ${language}: ${common} of ${characters}`
      return { name, evidence, others: [] }
    }
    return inDoubt(east.map((reading) => reading.name))
  }
  return amongPages(western, telling)
}

/** The words are looked for in this much, so that nobody waits for it. */
const TELLING_BYTES = 8 * 1024
const LINE_FEED = 0x0a

/** The first lines that have something beyond ASCII in them. */
function tellingPart(bytes: Buffer): Buffer {
  const lines: Buffer[] = []
  let size = 0
  for (let at = 0; at < bytes.length && size < TELLING_BYTES;) {
    const feed = bytes.indexOf(LINE_FEED, at)
    const end = Math.min(feed === -1 ? bytes.length : feed + 1, at + TELLING_BYTES)
    const line = bytes.subarray(at, end)
    if (line.some((byte) => byte > 0x7f)) {
      lines.push(line)
      size += line.length
    }
    at = end
  }
  return Buffer.concat(lines)
}

const inDoubt = (others: readonly string[]): Judged => ({
  name: WESTERN_PAGE.name,
  evidence: 'not UTF-8',
  others,
})

function amongPages(western: Weighed, bytes: Buffer): Judged {
  const read = OTHER_PAGES.map((page) => weighed(page, bytes))
    .filter((other) => other.fitting.size > 0 && shareOf(other) > shareOf(western))
    .toSorted((a, b) => shareOf(b) - shareOf(a))
  const [best, ...others] = read.filter(
    (other, at) => !read.slice(0, at).some((before) => readsAlike(before, other)),
  )
  if (best === undefined) return inDoubt([])
  const isClear =
    best.page.isTaken &&
    shareOf(best) >= OTHER_FROM &&
    shareOf(best) - shareOf(western) >= LEAD &&
    best.words - Math.ceil(shareOf(western) * best.words) >= FEWEST_GAINED &&
    best.fitting.size >= FEWEST_GAINED &&
    !others.some((other) => shareOf(other) >= shareOf(best))
  if (!isClear) {
    const named = [best, ...others].filter((other) => shareOf(other) >= NAMED_FROM)
    return inDoubt(named.map(({ page }) => page.name))
  }
  const share = `${best.fitting.size} of ${best.words}`
  const evidence = `words of ${best.language!.name}: ${share}, in windows-1252 ${western.fitting.size} of ${western.words}`
  return { name: best.page.name, evidence, others: [] }
}

const readsAlike = (one: Weighed, other: Weighed) =>
  one.fitting.size === other.fitting.size &&
  [...one.fitting].every((word) => other.fitting.has(word))

const weighed = (page: CodePage, bytes: Buffer): Weighed =>
  weighWords(page, createPageDecoder(page.name, { isForgiving: true }).decode(bytes))
