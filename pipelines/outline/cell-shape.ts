import { CellKind } from '../core/batch.ts'

/** What a cell looks like at a glance, before its type is known. */
export const Shape = {
  blank: 0,
  /** A symbol for a missing value: `-`, `n.d.`, `(NA)`. It fits any column. */
  missing: 1,
  number: 2,
  /** A number, and perhaps the name of a column: `2021`. */
  year: 3,
  date: 4,
  /** The name of a period: `T1 2022`, `mars`, `2019-20`. It may be the name of a column, or a value. */
  period: 5,
  label: 6,
  /** As long as a sentence. */
  prose: 7,
} as const
export type Shape = (typeof Shape)[keyof typeof Shape]

/** No figure or symbol is longer. */
const LONGEST_FIGURE = 40
/** Nor is a text without a digit that is more than a label. */
const LONGEST_WORD = 12
const LEAST_PROSE_LENGTH = 60

const MONTHS =
  'jan(?:v|vier|uary)?|f[eé]v(?:r|rier)?|feb(?:ruary)?|mars?|march|avr(?:il)?|apr(?:il)?|mai|may|juin|june?|juil(?:let)?|july?|ao[uû]t|aug(?:ust)?|sept?(?:embre|ember)?|oct(?:obre|ober)?|nov(?:embre|ember)?|d[eé]c(?:embre|ember)?'
const YEAR = '(?:1[89]|20)\\d\\d'
/** `(p)`, `\1`, `*`, `¹`: what refers to a note. */
const MARK = '(?:\\s*(?:\\\\\\d+\\\\?|\\([a-z\\d]{1,2}\\)|[*¹²³†]+|\\d/))?'
const CURRENCY = '(?:\\p{Sc}|EUR|USD|CHF|GBP)'
const SPACE = '[ \\u00a0\\u2009\\u202f]'

type Patterns = readonly (readonly [shape: Shape, pattern: RegExp])[]

/** The first pattern that matches decides the shape. */
const WITHOUT_DIGITS: Patterns = [
  [
    Shape.missing,
    /^(?:[-–—.*…_/]{1,4}|[-_=]+|\(?(?:n\.?\s?[adcs]\.?|n\/[adcs]|nil|s\.?\s?o\.?|[xzdsb])\)|n\.?[adcs]\.?|n\/[adcs]|nil|null|undefined|#n\/a|\\n|nan)$/i,
  ],
  [Shape.period, new RegExp(`^(?:${MONTHS})\\.?${MARK}$`, 'i')],
]

const WITH_DIGITS: Patterns = [
  [Shape.year, new RegExp(`^${YEAR}(?:\\.0)?$`)],
  // The first year of a period that ends in the row below.
  [Shape.period, new RegExp(`^${YEAR}\\s?[-–]$`)],
  [Shape.number, /^-?\d+(?:[.,]\d+)?$/],
  [Shape.period, new RegExp(`^${YEAR}(?:\\s?[-/–]\\s?(?:${YEAR}|\\d\\d))?${MARK}$`, 'i')],
  [Shape.period, new RegExp(`^(?:0?[1-9]|1[0-2])[/-]${YEAR}${MARK}$`, 'i')],
  [Shape.period, new RegExp(`^[TQS][1-4](?:[ -]?${YEAR})?${MARK}$`, 'i')],
  [Shape.period, new RegExp(`^[1-4](?:er|e|st|nd|rd|th) \\p{L}+(?: ${YEAR})?${MARK}$`, 'iu')],
  [Shape.period, new RegExp(`^(?:${MONTHS})\\.?[ -](?:${YEAR}|\\d\\d)${MARK}$`, 'i')],
  [Shape.period, new RegExp(`^(?:${MONTHS})${MARK}$`, 'i')],
  [Shape.date, /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T]\d{1,2}[:h]\d\d.{0,14})?$/],
  [Shape.date, /^\d{1,2}[:h]\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]m)?$/i],
  [Shape.date, new RegExp(`^\\d{1,2}(?:er)?[ -](?:${MONTHS})\\.?[ -]\\d{2,4}$`, 'i')],
  [Shape.date, new RegExp(`^(?:${MONTHS})\\.? \\d{1,2},? \\d{4}$`, 'i')],
  [
    Shape.number,
    new RegExp(
      `^[<>~≈]?${SPACE}?[-+−(]?${SPACE}?${CURRENCY}?${SPACE}?[-+−]?[.,]?\\d(?:${SPACE}|[\\d.,'’])*(?:e[-+]?\\d+)?${SPACE}?(?:%|‰|[kM]?€|${CURRENCY})?\\)?-?(?:${SPACE}?(?:\\\\\\d+|\\([a-z\\d]\\)|[*†]+|[pre]))?$`,
      'iu',
    ),
  ],
]

const BY_KIND: Readonly<Record<CellKind, Shape | null>> = {
  [CellKind.text]: null,
  // Or a year.
  [CellKind.number]: null,
  [CellKind.boolean]: Shape.label,
  [CellKind.date]: Shape.date,
  [CellKind.json]: Shape.label,
  [CellKind.exactDate]: Shape.date,
  [CellKind.shownDigits]: Shape.number,
  [CellKind.int64]: Shape.number,
  [CellKind.day]: Shape.date,
  [CellKind.instant]: Shape.date,
  [CellKind.bit]: Shape.label,
  [CellKind.decimal]: Shape.number,
}

/** `text` without the white space around it. */
export function shapeOf(text: string, kind: CellKind = CellKind.text): Shape {
  if (text === '') return Shape.blank
  return (
    BY_KIND[kind] ?? figureIn(text) ?? (kind === CellKind.number ? Shape.number : wordsIn(text))
  )
}

function figureIn(text: string): Shape | null {
  if (text.length > LONGEST_FIGURE) return null
  const hasDigits = /\d/.test(text)
  if (!hasDigits && text.length > LONGEST_WORD && !/^[-_=]/.test(text)) return null
  const patterns = hasDigits ? WITH_DIGITS : WITHOUT_DIGITS
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

function wordsIn(text: string): Shape {
  return text.length >= LEAST_PROSE_LENGTH ? Shape.prose : Shape.label
}

export function isFigure(shape: Shape): boolean {
  return shape === Shape.number || shape === Shape.year || shape === Shape.date
}

/** Text of any length, and names of periods. */
export function isWords(shape: Shape): boolean {
  return shape >= Shape.period
}
