import { EngineError } from '../core/errors.ts'
import { ROW_COLUMN } from '../core/plan.ts'
import { headerMessages } from './header-messages.ts'
import { cutText } from '../core/cut-text.ts'

/**
 * Gives every column a unique header: blanks become `Sans titre N`, duplicates get `_2`, `_3` … The
 * first occurrence of a header is never changed, so generated names avoid all those of the input.
 * Nothing is trimmed, and a second run changes nothing.
 *
 * `before` are headers that were assigned earlier (a JSON key may appear late): they stay as they
 * are, and only the headers for `raw` are returned.
 */
export function normaliseHeaders(
  raw: readonly (string | null | undefined)[],
  before: readonly string[] = [],
): string[] {
  const taken = new Set(before)
  const standing = new Set([...before, ...raw.filter((header) => !isBlankHeader(header))])
  const suffixes = new Map<string, number>()
  let untitled = 0

  const nextUntitled = (): string => {
    let name: string
    do name = `Sans titre ${(untitled += 1)}`
    while (standing.has(name))
    return name
  }
  const nextRepeat = (header: string): string => {
    let suffix = suffixes.get(header) ?? 1
    let name: string
    do name = `${header}_${(suffix += 1)}`
    while (standing.has(name) || taken.has(name))
    suffixes.set(header, suffix)
    return name
  }

  return raw.map((header) => {
    const name = isBlankHeader(header)
      ? nextUntitled()
      : taken.has(header)
        ? nextRepeat(header)
        : header
    taken.add(name)
    return name
  })
}

export function isBlankHeader(header: string | null | undefined): header is null | undefined | '' {
  return header === null || header === undefined || header.trim() === ''
}

/** The limit of Postgres, in bytes of UTF-8. */
const LONGEST_NAME_BYTES = 63

/** The engine's own column, and the system columns of every Postgres table. */
const RESERVED = [ROW_COLUMN, 'tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']

/** Whether a column of a table can have this name in SQL, as it is written. */
export const isFreeSqlName = (name: string): boolean =>
  !RESERVED.includes(name) && Buffer.byteLength(name) <= LONGEST_NAME_BYTES

/**
 * Names in SQL for normalised headers: accents folded, in lower-case snake case. Letters of other
 * scripts stay as they are, since Postgres accepts them and a transliteration would be a guess.
 * Names that need no suffix are assigned first, so that a suffix avoids all of them.
 *
 * `before` are names assigned earlier, as in `normaliseHeaders`; only new ones are returned.
 */
export function sqlNames(
  headers: readonly string[],
  mostColumns: number,
  before: readonly string[] = [],
): string[] {
  const count = before.length + headers.length
  if (count > mostColumns) {
    throw new EngineError(headerMessages.manyColumns({ count, most: mostColumns }), {
      kind: 'limit',
      limit: 'columns',
    })
  }
  const wanted = headers.map((header) => cut(snakeCase(header), LONGEST_NAME_BYTES))
  const taken = new Set([...RESERVED, ...before])
  const standing = new Set(wanted)
  const suffixes = new Map<string, number>()

  return wanted.map((name) => {
    let unique = name
    let suffix = suffixes.get(name) ?? 1
    while (taken.has(unique) || (unique !== name && standing.has(unique))) {
      suffix += 1
      const tail = `_${suffix}`
      unique = `${cut(name, LONGEST_NAME_BYTES - tail.length)}${tail}`
    }
    suffixes.set(name, suffix)
    taken.add(unique)
    return unique
  })
}

function snakeCase(header: string): string {
  const words = lowered(
    withoutAccents(header)
      .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1_')
      .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_'),
  )
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '_')
    .replace(/^_|_$/g, '')
  if (words === '') return 'colonne'
  // Names that begin with a digit would have to be quoted in every query.
  return /^\p{N}/u.test(words) ? `_${words}` : words
}

/** The longest beginning of `name` that fits, ending between two characters. */
function cut(name: string, mostBytes: number): string {
  if (Buffer.byteLength(name) <= mostBytes) return name
  let bytes = 0
  let kept = ''
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > mostBytes) break
    kept += character
  }
  return kept
}

/** Letters that are not a plain letter with an accent, in lower case. */
const PLAIN: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
}

/** Only the beginning of a longer header counts, since folding megabytes would take long. */
const MOST_CHARACTERS = 1024

/**
 * Without the accents of Latin and Greek letters; in other scripts such marks are part of the
 * letter.
 */
export const withoutAccents = (header: string): string =>
  cutText(header, MOST_CHARACTERS)
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .normalize('NFKC')

export const lowered = (text: string): string =>
  text.toLowerCase().replace(/[œæßøłđðþħıŧŋ]/g, (letter) => PLAIN[letter]!)
