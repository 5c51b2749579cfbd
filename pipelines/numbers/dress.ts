/** What people write around a number: a unit or currency, and unusual notations of the sign. */
interface Dressed {
  /** The position of the number. */
  readonly start: number
  readonly end: number
  /** `€`, `EUR`, `%` ...; empty if there is none. */
  readonly unit: string
  /** Written with parentheses, or with a minus after the number. */
  readonly isNegative: boolean
}

/** No number is longer, even with everything around it. */
const LONGEST = 80

const IS_DIGIT = 2

const CURRENCY = '\\p{Sc}|EUR|USD|GBP|CHF|CAD|JPY|k€|M€|K€'
const SPACE = '[ \\u00a0\\u2009\\u202f]?'
const NUMBER = "[-+\\u2212]?[\\d.,\u2019'\\s]*\\d"
const DRESSED = new RegExp(
  `^(?<open>\\(${SPACE})?(?<sign>[-\\u2212])?(?<before>(?:${CURRENCY})${SPACE})?(?<number>${NUMBER})(?<behind>${SPACE}(?:%|${CURRENCY}))?(?<minus>${SPACE}-)?(?<close>${SPACE}\\))?$`,
  'u',
)

/**
 * The ASCII characters that may occur. Nearly every text has another one, and need not become a
 * string.
 */
const MAY_STAND = new Uint8Array(256).fill(1, 0x80)
const DIGITS = '0123456789'
for (const character of `${DIGITS}.,'+-()%$ \t\n\v\f\rEURUSDGBPCHFCADJPYkMK`) {
  MAY_STAND[character.charCodeAt(0)] = DIGITS.includes(character) ? IS_DIGIT : 1
}

/** Null for texts that are not numbers, and for numbers with nothing around them. */
export function undress(bytes: Buffer | Uint8Array, start: number, end: number): Dressed | null {
  if (end - start > LONGEST || !mayBeDressed(bytes, start, end)) return null
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
  const groups = DRESSED.exec(text)?.groups
  if (groups === undefined) return null
  const { open = '', sign = '', before = '', number = '', behind = '', minus = '', close } = groups
  if ((open !== '') !== (close !== undefined)) return null
  if (before !== '' && behind !== '') return null
  const signs = [open, sign, minus, /^[-+\u2212]/.test(number) ? 'own' : ''].filter(
    (one) => one !== '',
  )
  if (signs.length > 1) return null
  const from = start + Buffer.byteLength(open + sign + before)
  return {
    start: from,
    end: from + Buffer.byteLength(number),
    unit: (before + behind).trim(),
    isNegative: open !== '' || sign !== '' || minus !== '',
  }
}

function mayBeDressed(bytes: Uint8Array, start: number, end: number): boolean {
  let hasDigit = false
  for (let at = start; at < end; at++) {
    const kind = MAY_STAND[bytes[at]!]!
    if (kind === 0) return false
    if (kind === IS_DIGIT) hasDigit = true
  }
  return hasDigit
}
