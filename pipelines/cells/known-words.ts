/**
 * Compares byte by byte: for texts as short as cells, a call into the runtime costs more than that.
 */
export function sameBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  text: Uint8Array,
): boolean {
  if (end - start !== text.length) return false
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false
  return true
}

/** Texts that mean NULL in every typed column, in any letter case. */
const NULL_TEXTS = ['null', 'undefined'].map((text) => Buffer.from(text))

/**
 * Texts that people write for NULL, exactly as listed. They count as NULL if everything else in the
 * column agrees on a type; in a date column they do not.
 */
const WELL_KNOWN = ['N/A', 'NA', '#N/A', '-', '\\N'].map((text) => Buffer.from(text))
/** How they begin, as hardly any other text does. */
const BEGINS_WELL_KNOWN = new Uint8Array(256)
for (const text of WELL_KNOWN) BEGINS_WELL_KNOWN[text[0]!] = 1

/** `start` and `end` enclose the cell without the white space around it. */
export function isNullText(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length !== 4 && length !== 9) return false
  for (const text of NULL_TEXTS) {
    if (text.length === length && equalsFolded(bytes, start, text)) return true
  }
  return false
}

export function isWellKnownNull(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > 4 || BEGINS_WELL_KNOWN[bytes[start]!] === 0) return false
  for (const text of WELL_KNOWN) if (sameBytes(bytes, start, end, text)) return true
  return false
}

/**
 * The additional texts that a request named (`nullValues`); compared without surrounding white
 * space.
 */
export class NullValues {
  readonly #values: readonly Buffer[]

  constructor(values: readonly string[]) {
    this.#values = values.map((value) => Buffer.from(value.trim()))
  }

  get none(): boolean {
    return this.#values.length === 0
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    for (const value of this.#values) if (sameBytes(bytes, start, end, value)) return true
    return false
  }
}

/** `text` must be lower-case ASCII letters, since the case is ignored by setting one bit. */
function equalsFolded(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if ((bytes[start + i]! | 0x20) !== text[i]) return false
  return true
}

export const NOT_A_WORD = -1

/** In any letter case; the languages may be mixed, as people mix them. */
const WORDS: readonly (readonly [word: Buffer, value: 0 | 1])[] = [
  [Buffer.from('oui'), 1],
  [Buffer.from('non'), 0],
  [Buffer.from('vrai'), 1],
  [Buffer.from('faux'), 0],
  [Buffer.from('true'), 1],
  [Buffer.from('false'), 0],
  [Buffer.from('yes'), 1],
  [Buffer.from('no'), 0],
]

const LONGEST_WORD = 5
const BY_LENGTH = Array.from({ length: LONGEST_WORD + 1 }, (_, length) =>
  WORDS.filter(([word]) => word.length === length),
)
/** Letters that they begin with, in lower case. */
const BEGINS_WORD = new Uint8Array(256)
for (const [word] of WORDS) BEGINS_WORD[word[0]!] = 1

/** 1 or 0 for a word that means true or false, otherwise `NOT_A_WORD`. */
export function booleanWord(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length > LONGEST_WORD || BEGINS_WORD[bytes[start]! | 0x20] === 0) return NOT_A_WORD
  for (const [word, value] of BY_LENGTH[length]!) {
    let at = 0
    while (at < length && (bytes[start + at]! | 0x20) === word[at]) at += 1
    if (at === length) return value
  }
  return NOT_A_WORD
}

/** `0`, `1` and single letters, which are booleans only if a request says so. In lower case. */
const SIGNS: ReadonlyMap<string, 0 | 1> = new Map([
  ['1', 1],
  ['0', 0],
  ['o', 1],
  ['y', 1],
  ['v', 1],
  ['x', 1],
  ['n', 0],
  ['f', 0],
])
const LETTER_X = 0x78

export function booleanSign(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== 1) return NOT_A_WORD
  return SIGNS.get(String.fromCharCode(bytes[start]!).toLowerCase()) ?? NOT_A_WORD
}

/** A cross in a box; in a column of nothing else, an empty box means false. */
export function isCross(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 1 && (bytes[start]! | 0x20) === LETTER_X
}
