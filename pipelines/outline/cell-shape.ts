import { CellKind } from '../core/batch.ts'

/** What a cell looks like at a glance, long before anybody knows its type. */
export const Shape = {
  blank: 0,
  /** A sign for a value that is missing: `-`, `n.d.`, `(NA)`. It goes with any column. */
  missing: 1,
  number: 2,
  /** A number, and perhaps the name of a column: `2021`. */
  year: 3,
  date: 4,
  /** A span of time by its name: `T1 2022`, `mars`, `2019-20`. The name of a column, or a value. */
  period: 5,
  label: 6,
  /** A sentence, or as long as one. */
  prose: 7,
} as const
export type Shape = (typeof Shape)[keyof typeof Shape]

/** No figure is longer; what is, is not looked at further. */
const LONGEST_FIGURE = 40
const LEAST_PROSE_LENGTH = 60

const MONTHS =
  'jan(?:v|vier|uary)?|f[eé]v(?:r|rier)?|feb(?:ruary)?|mars?|march|avr(?:il)?|apr(?:il)?|mai|may|juin|june?|juil(?:let)?|july?|ao[uû]t|aug(?:ust)?|sept?(?:embre|ember)?|oct(?:obre|ober)?|nov(?:embre|ember)?|d[eé]c(?:embre|ember)?'
const YEAR = '(?:1[89]|20)\\d\\d'
/** `(p)`, `\1`, `*`, `¹`: what points to a note. */
const MARK = '(?:\\s*(?:\\\\\\d+\\\\?|\\([a-z\\d]{1,2}\\)|[*¹²³†]+|\\d/))?'

/** In the order in which they are tried; the first that reads the text tells its shape. */
const SHAPES: readonly (readonly [shape: Shape, pattern: RegExp])[] = [
  [
    Shape.missing,
    /^(?:[-–—.*…_/]{1,4}|\(?(?:n\.?\s?[adcs]\.?|n\/[adcs]|nil|s\.?\s?o\.?|[xzdsb])\)|n\.?[adcs]\.?|n\/[adcs]|ns|nil|null|undefined|#n\/a|\\n|nan)$/i,
  ],
  [Shape.year, new RegExp(`^${YEAR}(?:\\.0)?$`)],
  [Shape.period, new RegExp(`^${YEAR}${MARK}$`, 'i')],
  [Shape.period, new RegExp(`^${YEAR}\\s?[-/–]\\s?(?:${YEAR}|\\d\\d)${MARK}$`, 'i')],
  [Shape.period, new RegExp(`^(?:[TQS][1-4]|[1-4](?:er|e|st|nd|rd|th) \\p{L}+)[ -]?(?:${YEAR})?${MARK}$`, 'iu')],
  [Shape.period, new RegExp(`^(?:0?[1-9]|1[0-2])[/-]${YEAR}${MARK}$`, 'i')],
  [Shape.period, new RegExp(`^(?:${MONTHS})\\.?(?:[ -](?:${YEAR}|\\d\\d))?${MARK}$`, 'i')],
  [Shape.date, /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?:[ T]\d{1,2}[:h]\d\d.{0,14})?$/],
  [Shape.date, /^\d{1,2}[:h]\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]m)?$/i],
  [Shape.date, new RegExp(`^\\d{1,2}(?:er)?[ -](?:${MONTHS})\\.?[ -]\\d{2,4}$`, 'i')],
  [Shape.date, new RegExp(`^(?:${MONTHS})\\.? \\d{1,2},? \\d{4}$`, 'i')],
  [
    Shape.number,
    /^[<>~≈]?\s?[-+−(]?\s?(?:\p{Sc}|EUR|USD|CHF|GBP)?\s?[-+−]?[.,]?\d[\d\s.,'’]*(?:e[-+]?\d+)?\s?(?:%|‰|\p{Sc}|EUR|USD|CHF|GBP|k€|M€)?\)?-?(?:\s?(?:\\\d+|\([a-z\d]\)|[*†]+|[pre]))?$/iu,
  ],
]

const BY_KIND: Readonly<Record<CellKind, Shape | null>> = {
  [CellKind.text]: null,
  [CellKind.number]: Shape.number,
  [CellKind.boolean]: Shape.label,
  [CellKind.date]: Shape.date,
  [CellKind.json]: Shape.label,
}

/** `text` without the white space around it. */
export function shapeOf(text: string, kind: CellKind = CellKind.text): Shape {
  if (text === '') return Shape.blank
  const known = BY_KIND[kind]
  if (known !== null && known !== Shape.number) return known
  if (text.length <= LONGEST_FIGURE) {
    const found = SHAPES.find(([, pattern]) => pattern.test(text))
    if (found !== undefined) return found[0]
  }
  if (known !== null) return known
  return text.length >= LEAST_PROSE_LENGTH ? Shape.prose : Shape.label
}

export function isFigure(shape: Shape): boolean {
  return shape === Shape.number || shape === Shape.year || shape === Shape.date
}

/** Text of any length, and names of time. */
export function isWords(shape: Shape): boolean {
  return shape >= Shape.period
}
