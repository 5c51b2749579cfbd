/** The languages that people are addressed in. Logs are in English, whoever reads them. */
export const LANGUAGES = ['fr', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language that a text such as `fr-CA` or `en_US:en` begins with; null if it is neither. */
export function languageNamed(text: string): Language | null {
  const name = /^([a-z]{2})(?![a-z])/i.exec(text)?.[1]?.toLowerCase()
  return LANGUAGES.find((language) => language === name) ?? null
}

const NO_BREAK_SPACE = '\u00a0'

/**
 * French as it is printed: no-break spaces inside « » and before : ; ! ?. Only our own words are
 * changed, never the values.
 */
export function fr(written: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: written.map(frenchSpaces) }, ...values)
}

export const frenchSpaces = (text: string): string =>
  text.replaceAll(/« | (?=[»:;!?])/g, (found) => found.replace(' ', NO_BREAK_SPACE))

/** A number of things, in digits: `1 row`, `1,234 rows`. */
export const counted = (count: number, one: string, many: string): string =>
  `${digits('en', count)} ${count === 1 ? one : many}`

/** The same in French, where numbers below two take the singular: `0 ligne`, `1 234 lignes`. */
export const compte = (count: number, one: string, many: string): string =>
  `${digits('fr', count)}${NO_BREAK_SPACE}${Math.abs(count) < 2 ? one : many}`

/**
 * Existing names, for a message about one that does not exist: `, but “a”, “b” and 3 others`.
 * Empty if there are none.
 */
export function butThereAre(names: readonly string[] = [], others = 0): string {
  if (names.length === 0) return ''
  const rest = others === 0 ? '' : ` and ${counted(others, 'other', 'others')}`
  return `, but ${names.map((name) => `“${name}”`).join(', ')}${rest}`
}

export function maisIlYA(names: readonly string[] = [], others = 0): string {
  if (names.length === 0) return ''
  const rest = others === 0 ? '' : ` et ${compte(others, 'autre', 'autres')}`
  return `, mais ${names.map((name) => fr`« ${name} »`).join(', ')}${rest}`
}

const GROUPED_BY: Readonly<Record<Language, string>> = { en: ',', fr: '\u202f' }

/** Whole numbers as `Intl` writes them, which takes longer to load than the end of a load may. */
function digits(language: Language, count: number): string {
  const written = String(Math.abs(count))
  let grouped = written.slice(-3)
  for (let end = written.length - 3; end > 0; end -= 3) {
    grouped = written.slice(Math.max(0, end - 3), end) + GROUPED_BY[language] + grouped
  }
  return count < 0 ? `-${grouped}` : grouped
}
