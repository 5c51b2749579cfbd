/** Of the codes that begin with X, these are money; others are metals, funds and tests. */
const SHARED = ['XAF', 'XOF', 'XPF', 'XCD']

/** Every code of ISO 4217 that the platform knows, those of former currencies among them. */
const CODES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency').filter((code) => !code.startsWith('X')),
  ...SHARED,
])

/**
 * How people abbreviate currencies that have no sign. Single letters are not among them: `Q1` is a
 * quarter, and `F12` a code.
 */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'kr kr. Kr Kr. zł Kč Ft lei лв лв. руб руб. Fr Fr. fr. FCFA RM Rp Rs Rs. TL S/ S/. B/.'.split(
    ' ',
  ),
).add('F CFA')

/** `€`, and the signs that several countries share, with letters that tell them apart: `R$`, `CA$`. */
const CURRENCY_SIGN = /^(?:[kKM]€|[A-Z]{0,3}\p{Sc}|\p{Sc}[A-Z]{0,2})$/u

/** Those that most files have, which need no closer look. */
const COMMON: ReadonlySet<string> = new Set(['€', '$', '£', 'EUR', 'USD', 'CHF', 'GBP'])

/** Whether a text beside a number is a currency. */
const isCurrency = (text: string): boolean =>
  COMMON.has(text) || CODES.has(text) || ABBREVIATIONS.has(text) || CURRENCY_SIGN.test(text)

/** What people write around a number: a unit or currency, and unusual notations of the sign. */
interface Amount {
  /** The position of the number. */
  readonly start: number
  readonly end: number
  /** `€`, `EUR`, `R$`, `%` ...; empty if there is none. */
  readonly unit: string
  /** Whether the unit is a currency that stands before the number. */
  readonly isCurrencyFirst: boolean
  /** Letters right before plain digits, which other codes have as well: `EUR12`, `NAD83`. */
  readonly mayBeCode: boolean
  /** Written with parentheses, or with a minus that does not touch the number's first digit. */
  readonly isNegative: boolean
}

const CODE = /^\p{L}+\d+$/u

/** No number is longer, even with everything around it. */
const LONGEST = 80

const DIGIT = 1
const LETTER = 2
/** Or a part of an abbreviation that has other characters than letters: `kr.`, `S/`, `F CFA`. */
const SIGN_OF_CURRENCY = 3
const PLUS = 0x2b
/** More letters than this in a text are not a currency. */
const MOST_LETTERS = 4

const SPACE = '[ \\u00a0\\u2009\\u202f]?'
const SIGN = '[-+\\u2212]'
const UNIT = `[^\\d\\s()+,'\\u2019\\u2212-][^\\d()+,'\\u2019\\u2212-]{0,5}`
const NUMBER = "\\d(?:[\\d.,\u2019'\\s]*\\d)?|[.,]\\d+"
/**
 * A sign stands before the unit, between the two, or behind either; parentheses around any of it. The
 * groups are numbered, which is faster than names: see `Part`.
 */
const WRITTEN = new RegExp(
  `^(\\(${SPACE})?(${SIGN}${SPACE})?(${UNIT}?${SPACE})??` +
    `(\\(${SPACE})?(${SIGN}${SPACE})?(${NUMBER})` +
    `(${SPACE}[-\\u2212])?(${SPACE}\\))?` +
    `(${SPACE}${UNIT})?(${SPACE}[-\\u2212])?(${SPACE}\\))?$`,
  'u',
)
const Part = {
  outside: 1,
  first: 2,
  before: 3,
  inside: 4,
  sign: 5,
  number: 6,
  minus: 7,
  close: 8,
  behind: 9,
  last: 10,
  ending: 11,
} as const

/**
 * What ASCII characters may be. Nearly every text has another one, or too many letters, and need not
 * become a string.
 */
const MAY_STAND = new Uint8Array(256).fill(1)
const KINDS = new Uint8Array(256)
for (const character of '"#&*:;<=>?@[\\]^_`{|}~!') MAY_STAND[character.charCodeAt(0)] = 0
for (const character of '$./') KINDS[character.charCodeAt(0)] = SIGN_OF_CURRENCY
KINDS.fill(SIGN_OF_CURRENCY, 0x80)
for (let digit = 0x30; digit <= 0x39; digit++) KINDS[digit] = DIGIT
for (let letter = 0x41; letter <= 0x5a; letter++) {
  KINDS[letter] = LETTER
  KINDS[letter | 0x20] = LETTER
}

/** Null for texts that are not numbers, and for numbers with nothing around them. */
export function amountIn(bytes: Buffer | Uint8Array, start: number, end: number): Amount | null {
  if (end - start > LONGEST || !mayBeAmount(bytes, start, end)) return null
  const text = textOf(bytes, start, end)
  const found = WRITTEN.exec(text)
  if (found === null || !isBalanced(found)) return null
  const leading = found[Part.before]?.trim() ?? ''
  const trailing = found[Part.behind]?.trim() ?? ''
  if (leading !== '' && trailing !== '') return null
  const unit = leading === '' ? trailing : leading
  if (unit !== '' && unit !== '%' && !isCurrency(unit)) return null
  const sign = found[Part.first] ?? found[Part.sign]
  const isPlus = sign?.charCodeAt(0) === PLUS
  // Without a unit it is a telephone number, or another identifier.
  if (unit === '' && isPlus) return null
  const number = found[Part.number]!
  const numberAt = text.length - number.length - lengthFrom(found, Part.minus)
  const from = start + Buffer.byteLength(text.slice(0, numberAt))
  return {
    start: from,
    end: from + Buffer.byteLength(number),
    unit,
    isCurrencyFirst: leading !== '' && leading !== '%',
    mayBeCode: CODE.test(text),
    isNegative: !isPlus && signsIn(found) === 1,
  }
}

/** Parentheses, and signs on either side. */
const signsIn = (found: RegExpExecArray): number =>
  has(found, Part.outside) +
  has(found, Part.inside) +
  has(found, Part.first) +
  has(found, Part.sign) +
  has(found, Part.minus) +
  has(found, Part.last)

/** At most one sign, and parentheses that are closed where they belong. */
function isBalanced(found: RegExpExecArray): boolean {
  const outside = has(found, Part.outside)
  const inside = has(found, Part.inside)
  const close = has(found, Part.close)
  const closed = close + has(found, Part.ending)
  return signsIn(found) <= 1 && outside + inside === closed && inside <= close
}

const has = (found: RegExpExecArray, part: number): number => (found[part] === undefined ? 0 : 1)

function lengthFrom(found: RegExpExecArray, first: number): number {
  let length = 0
  for (let part = first; part < found.length; part++) length += found[part]?.length ?? 0
  return length
}

const textOf = (bytes: Buffer | Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')

function mayBeAmount(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0
  let letters = 0
  let firstLetter = 0
  let lastLetter = 0
  let isSigned = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (MAY_STAND[byte] === 0) return false
    const kind = KINDS[byte]
    if (kind === DIGIT) digits++
    else if (kind === LETTER) {
      if (letters === 0) firstLetter = at
      lastLetter = at
      if (++letters > MOST_LETTERS) return false
    } else if (kind === SIGN_OF_CURRENCY) isSigned = true
  }
  if (digits === 0) return false
  // Most texts of few letters and digits are codes: `F-12345`, `AB12`.
  if (letters === 0 || isSigned) return true
  return letters > 1 && isCurrency(textOf(bytes, firstLetter, lastLetter + 1))
}
