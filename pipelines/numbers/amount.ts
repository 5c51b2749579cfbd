import { isCurrency } from './currencies.ts'

/** What people write around a number: a unit or currency, and unusual notations of the sign. */
interface Amount {
  /** The position of the number. */
  readonly start: number
  readonly end: number
  /** `€`, `EUR`, `R$`, `%` ...; empty if there is none. */
  readonly unit: string
  /** Whether the unit is a currency that stands before the number. */
  readonly isCurrencyFirst: boolean
  /** Written with parentheses, or with a minus that does not touch the number's first digit. */
  readonly isNegative: boolean
}

/** No number is longer, even with everything around it. */
const LONGEST = 80

const DIGIT = 1
const LETTER = 2
/** More letters than this in a text are not a currency. */
const MOST_LETTERS = 4

const SPACE = '[ \\u00a0\\u2009\\u202f]?'
const SIGN = '[-+\\u2212]'
const UNIT = `[^\\d\\s()+,'\\u2019\\u2212-][^\\d()+,'\\u2019\\u2212-]{0,5}`
const NUMBER = "\\d(?:[\\d.,\u2019'\\s]*\\d)?|[.,]\\d+"
/** A sign stands before the unit, between the two, or behind either; parentheses around any of it. */
const WRITTEN = new RegExp(
  `^(?<outside>\\(${SPACE})?(?<first>${SIGN}${SPACE})?(?<before>${UNIT}?${SPACE})??` +
    `(?<inside>\\(${SPACE})?(?<sign>${SIGN}${SPACE})?(?<number>${NUMBER})` +
    `(?<minus>${SPACE}[-\\u2212])?(?<close>${SPACE}\\))?` +
    `(?<behind>${SPACE}${UNIT})?(?<last>${SPACE}[-\\u2212])?(?<end>${SPACE}\\))?$`,
  'u',
)

/**
 * What ASCII characters may be. Nearly every text has another one, or too many letters, and need not
 * become a string.
 */
const MAY_STAND = new Uint8Array(256).fill(1)
const KINDS = new Uint8Array(256)
for (const character of '"#&*:;<=>?@[\\]^_`{|}~!') MAY_STAND[character.charCodeAt(0)] = 0
for (let digit = 0x30; digit <= 0x39; digit++) KINDS[digit] = DIGIT
for (let letter = 0x41; letter <= 0x5a; letter++) {
  KINDS[letter] = LETTER
  KINDS[letter | 0x20] = LETTER
}

/** Null for texts that are not numbers, and for numbers with nothing around them. */
export function amountIn(bytes: Buffer | Uint8Array, start: number, end: number): Amount | null {
  if (end - start > LONGEST || !mayBeAmount(bytes, start, end)) return null
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
  const found = WRITTEN.exec(text)
  if (found === null) return null
  const {
    outside,
    first,
    before = '',
    inside,
    sign,
    minus,
    close,
    behind = '',
    last,
    end: ending,
  } = found.groups!
  const number = found.groups!['number']!
  const opened = [outside, inside].filter((one) => one !== undefined).length
  const closed = [close, ending].filter((one) => one !== undefined).length
  const signs = [outside ?? inside, first, sign, minus, last].filter((one) => one !== undefined)
  if (opened !== closed || opened > 1 || signs.length > 1) return null
  if (inside !== undefined && close === undefined) return null
  const [leading, trailing] = [before.trim(), behind.trim()]
  if (leading !== '' && trailing !== '') return null
  const unit = leading + trailing
  if (unit !== '' && unit !== '%' && !isCurrency(unit)) return null
  // Without a unit it is a telephone number, or another identifier.
  if (unit === '' && signs.some((one) => one.startsWith('+'))) return null
  const numberAt = text.length - number.length - lengthOf(minus, close, behind, last, ending)
  const from = start + Buffer.byteLength(text.slice(0, numberAt))
  return {
    start: from,
    end: from + Buffer.byteLength(number),
    unit,
    isCurrencyFirst: leading !== '' && leading !== '%',
    isNegative: signs.some((one) => !one.startsWith('+')),
  }
}

const lengthOf = (...parts: readonly (string | undefined)[]) =>
  parts.reduce((sum, part) => sum + (part?.length ?? 0), 0)

function mayBeAmount(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0
  let letters = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (MAY_STAND[byte] === 0) return false
    const kind = KINDS[byte]
    if (kind === DIGIT) digits++
    else if (kind === LETTER && ++letters > MOST_LETTERS) return false
  }
  return digits > 0
}
