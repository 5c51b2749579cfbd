/** What people write around a number: a unit or currency, and its sign in their own ways. */
export interface Dressed {
  /** Where the number stands. */
  readonly start: number
  readonly end: number
  /** `€`, `EUR`, `%` ...; empty: none. */
  readonly unit: string
  /** By parentheses, or a minus behind it. */
  readonly isNegative: boolean
}

/** No number is longer with all that stands around it. */
const LONGEST = 80

const CURRENCY = '\\p{Sc}|EUR|USD|GBP|CHF|CAD|JPY|k€|M€|K€'
const SPACE = '[ \\u00a0\\u2009\\u202f]?'
const NUMBER = "[-+\\u2212]?[\\d.,\u2019'\\s]*\\d"
const DRESSED = new RegExp(
  `^(?<open>\\(${SPACE})?(?<sign>[-\\u2212])?(?<before>(?:${CURRENCY})${SPACE})?(?<number>${NUMBER})(?<behind>${SPACE}(?:%|${CURRENCY}))?(?<minus>${SPACE}-)?(?<close>${SPACE}\\))?$`,
  'u',
)

/** Null for what is no number, or one with nothing around it. */
export function undress(bytes: Buffer | Uint8Array, start: number, end: number): Dressed | null {
  if (end - start > LONGEST) return null
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
