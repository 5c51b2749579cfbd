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
const SIGN = /^(?:[kKM]€|[A-Z]{0,3}\p{Sc}|\p{Sc}[A-Z]{0,2})$/u

/** Those that most files have, which need no closer look. */
const COMMON: ReadonlySet<string> = new Set(['€', '$', '£', 'EUR', 'USD', 'CHF', 'GBP'])

/** Whether a text beside a number is a currency. */
export const isCurrency = (text: string): boolean =>
  COMMON.has(text) || CODES.has(text) || ABBREVIATIONS.has(text) || SIGN.test(text)
