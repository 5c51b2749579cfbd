import { CellFormat } from './cell-format.ts'

/** Of sections that show different things: what loses least of the number. */
const FULLEST_FIRST = [
  CellFormat.date,
  CellFormat.preciseDuration,
  CellFormat.duration,
  CellFormat.preciseTime,
  CellFormat.time,
] as const

/**
 * What a custom format code shows. Only its first section counts, the others being for negative
 * numbers, zero and text; where that one has a condition (`[=0]"";dd/mm/yyyy`) the next ones do too.
 */
export function classifyFormat(code: string): CellFormat {
  const [first, ...others] = sectionsOf(code)
  const sections = first?.conditional === true ? [first, ...others] : [first]
  const shown = sections.map((section) => (section ? classifySection(section) : CellFormat.number))
  return FULLEST_FIRST.find((format) => shown.includes(format)) ?? CellFormat.number
}

function classifySection({ signs, elapsed }: Section): CellFormat {
  const fractions = /s[.,]0/.test(signs)
  // Hours that have gone by since a day of some year are the hour of a date.
  if (elapsed && !signs.includes('y')) {
    return fractions ? CellFormat.preciseDuration : CellFormat.duration
  }
  if (/general|standard/.test(signs)) return CellFormat.number
  const withoutFractions = signs.replaceAll(/s[.,]0+/g, 's')
  // A digit's place is never part of a date: `0.00E+00`, `# ?/?`.
  if (/[0#?]/.test(withoutFractions)) return CellFormat.number
  const halfDay = /am\/pm|a\/p/
  const tokens = withoutFractions.replace(halfDay, ' ').match(/y+|m+|d+|h+|s+|e+|g+/g) ?? []
  if (tokens.some((token, index) => isDay(token, tokens[index - 1], tokens[index + 1]))) {
    return CellFormat.date
  }
  if (tokens.length === 0 && !halfDay.test(withoutFractions)) return CellFormat.number
  return fractions ? CellFormat.preciseTime : CellFormat.time
}

/** `m` is minutes after hours and before seconds, else the month; `e` and `g` are years of an era. */
function isDay(token: string, before: string | undefined, after: string | undefined): boolean {
  if (/^[hs]/.test(token)) return false
  if (!token.startsWith('m') || token.length > 2) return true
  return before?.[0] !== 'h' && after?.[0] !== 's'
}

interface Section {
  /** In lower case: what is not quoted, escaped, mere spacing or in brackets. */
  signs: string
  /** `[h]`, `[mm]`, `[s]`: time that has gone by. Other brackets are colours and locales, */
  elapsed: boolean
  /** or conditions: `[<1]`. */
  conditional: boolean
}

function sectionsOf(code: string): Section[] {
  const sections: Section[] = []
  for (let at = 0; at < code.length; at += 1) {
    const section: Section = { signs: '', elapsed: false, conditional: false }
    at = readSection(code, at, section)
    sections.push(section)
  }
  return sections
}

/** Answers where the section ends. */
function readSection(code: string, from: number, section: Section): number {
  let at = from
  for (; at < code.length && code[at] !== ';'; at += 1) {
    const sign = code[at]!
    if (sign === '"') at = closing(code, at, '"')
    else if (sign === '[') {
      const end = closing(code, at, ']')
      const inside = code.slice(at + 1, end).toLowerCase()
      if (/^(h+|m+|s+)$/.test(inside)) {
        section.elapsed = true
        section.signs += inside
      } else if (/^[<>=]/.test(inside)) section.conditional = true
      at = end
    } else if (sign === '\\' || sign === '_' || sign === '*') {
      // `\x` shows x, `_x` leaves its width free, `*x` repeats it.
      at += 1
    } else section.signs += sign.toLowerCase()
  }
  return at
}

function closing(code: string, at: number, mark: string): number {
  const end = code.indexOf(mark, at + 1)
  return end < 0 ? code.length : end
}
