import type { UiDateFormat } from '../core/options.ts'

export interface DateLayout {
  readonly name: string
  readonly order: 'ymd' | 'dmy' | 'mdy'
  readonly separator: '/' | '-' | '.'
  readonly yearDigits: 2 | 4
  /** The format a person sees and may name. */
  readonly shownAs: UiDateFormat
}

/**
 * Every way a date may be written, in the order in which they are tried. ISO 8601 carries its time,
 * zone and fraction inside; each of the others stands with and without `HH:mm[:ss]`.
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

/** Index of ISO 8601, which alone may carry a fraction and a zone. */
export const ISO = 0

/** The 17 formats by name: ISO 8601, and eight layouts with and without a time. */
export const FORMATS: readonly string[] = LAYOUTS.flatMap(({ name }, index) =>
  index === ISO ? [name] : [name, `${name} HH:mm[:ss]`],
)

/** Layouts that are shown as `format`, as a set of bits. */
export function layoutsShownAs(format: UiDateFormat): number {
  return LAYOUTS.reduce(
    (bits, { shownAs }, at) => (shownAs === format ? bits | (1 << at) : bits),
    0,
  )
}

/**
 * The order in which a column's cells are tried: the layout it was detected by, every layout that
 * its format stands for in that format's own notation first, and then each other one in turn.
 */
export function layoutOrder(format: UiDateFormat, detected: LayoutName | null): Uint8Array {
  const rank = (layout: DateLayout): number => {
    if (layout.name === (detected ?? format)) return 0
    return layout.shownAs === format ? 1 : 2
  }
  const indexes = LAYOUTS.map((_, at) => at)
  return Uint8Array.from(indexes.toSorted((a, b) => rank(LAYOUTS[a]!) - rank(LAYOUTS[b]!)))
}
