import type { UiDateFormat } from '../core/options.ts'

export interface DateLayout {
  readonly name: string
  readonly order: 'ymd' | 'dmy' | 'mdy'
  readonly separator: '/' | '-' | '.'
  readonly yearDigits: 2 | 4
  /** The format that a person sees and may name. */
  readonly shownAs: UiDateFormat
}

/**
 * Every way to write a date, in the order in which they are tried. ISO 8601 includes its time, zone
 * and fraction; each of the others exists with and without `HH:mm[:ss]`.
 */
export const LAYOUTS = [
  { name: 'ISO 8601', order: 'ymd', separator: '-', yearDigits: 4, shownAs: 'YYYY-MM-DD' },
  { name: 'YYYY-MM-DD', order: 'ymd', separator: '-', yearDigits: 4, shownAs: 'YYYY-MM-DD' },
  { name: 'YYYY/MM/DD', order: 'ymd', separator: '/', yearDigits: 4, shownAs: 'YYYY-MM-DD' },
  { name: 'DD/MM/YYYY', order: 'dmy', separator: '/', yearDigits: 4, shownAs: 'DD/MM/YYYY' },
  { name: 'DD/MM/YY', order: 'dmy', separator: '/', yearDigits: 2, shownAs: 'DD/MM/YYYY' },
  { name: 'MM/DD/YYYY', order: 'mdy', separator: '/', yearDigits: 4, shownAs: 'MM/DD/YYYY' },
  { name: 'DD-MM-YYYY', order: 'dmy', separator: '-', yearDigits: 4, shownAs: 'DD-MM-YYYY' },
  { name: 'MM-DD-YYYY', order: 'mdy', separator: '-', yearDigits: 4, shownAs: 'MM/DD/YYYY' },
  { name: 'DD.MM.YYYY', order: 'dmy', separator: '.', yearDigits: 4, shownAs: 'DD-MM-YYYY' },
] as const satisfies readonly DateLayout[]

export type LayoutName = (typeof LAYOUTS)[number]['name']

/** Index of ISO 8601, the only layout that may have a fraction and a zone. */
export const ISO = 0

/** The 17 formats by name: ISO 8601, and eight layouts with and without a time. */
export const FORMATS: readonly string[] = LAYOUTS.flatMap(({ name }, index) =>
  index === ISO ? [name] : [name, `${name} HH:mm[:ss]`],
)

/** The layouts that are shown as `format`, as a bit set. */
export function layoutsShownAs(format: UiDateFormat): number {
  return LAYOUTS.reduce(
    (bits, { shownAs }, at) => (shownAs === format ? bits | (1 << at) : bits),
    0,
  )
}

/**
 * The order in which layouts are tried for a column's cells: the detected layout, then those that
 * its format stands for, beginning with the format's own notation, then all others.
 */
export function layoutOrder(format: UiDateFormat, detected: LayoutName | null): Uint8Array {
  const rank = (layout: DateLayout): number => {
    if (layout.name === (detected ?? format)) return 0
    return layout.shownAs === format ? 1 : 2
  }
  const indexes = LAYOUTS.map((_, at) => at)
  return Uint8Array.from(indexes.toSorted((a, b) => rank(LAYOUTS[a]!) - rank(LAYOUTS[b]!)))
}
