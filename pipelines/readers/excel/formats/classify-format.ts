import { CellFormat } from './cell-format.ts'

/** If the sections of a format show different things, the one that loses least of the number counts. */
const FULLEST_FIRST = [
  CellFormat.date,
  CellFormat.preciseDuration,
  CellFormat.duration,
  CellFormat.preciseTime,
  CellFormat.time,
] as const

/**
 * What a custom format code shows. Only its first section counts, since the others are for
 * negative numbers, zero and text; if that one has a condition (`[=0]"";dd/mm/yyyy`), the next
 * ones count, too.
 */
export function classifyFormat(code: string): CellFormat {
  const [first, ...others] = sectionsOf(code)
  const sections = first?.conditional === true ? [first, ...others] : [first]
  const shown = sections.map((section) => (section ? classifySection(section) : CellFormat.number))
  return FULLEST_FIRST.find((format) => shown.includes(format)) ?? CellFormat.number
}

function classifySection({ signs, elapsed }: Section): CellFormat {
  const fractions = /s[.,]0/.test(signs)
  // Elapsed hours next to a year are the hour of a date.
  if (elapsed && !signs.includes('y')) {
    return fractions ? CellFormat.preciseDuration : CellFormat.duration
  }
  if (/general|standard/.test(signs)) return CellFormat.number
  const withoutFractions = signs.replaceAll(/s[.,]0+/g, 's')
  // A digit placeholder is never part of a date: `0.00E+00`, `# ?/?`.
  if (/[0#?]/.test(withoutFractions)) return CellFormat.number
  const halfDay = /am\/pm|a\/p/
  const tokens = withoutFractions.replace(halfDay, ' ').match(/y+|m+|d+|h+|s+|e+|g+/g) ?? []
  if (tokens.some((token, index) => isDay(token, tokens[index - 1], tokens[index + 1]))) {
    return CellFormat.date
  }
  if (tokens.length === 0 && !halfDay.test(withoutFractions)) return CellFormat.number
  return fractions ? CellFormat.preciseTime : CellFormat.time
}

/** `m` means minutes after hours and before seconds, otherwise the month; `e` and `g` are years of an era. */
function isDay(token: string, before: string | undefined, after: string | undefined): boolean {
  if (/^[hs]/.test(token)) return false
  if (!token.startsWith('m') || token.length > 2) return true
  return before?.[0] !== 'h' && after?.[0] !== 's'
}

interface Section {
  /** In lower case, without anything quoted, escaped, for spacing or in brackets. */
  signs: string
  /** `[h]`, `[mm]`, `[s]`: elapsed time. */
  elapsed: boolean
  /** `[<1]`: a condition. Any other brackets are colours and locales. */
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

/** Returns where the section ends. */
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
      // `\x` shows x, `_x` leaves a space of its width, `*x` repeats it.
      at += 1
    } else section.signs += sign.toLowerCase()
  }
  return at
}

function closing(code: string, at: number, mark: string): number {
  const end = code.indexOf(mark, at + 1)
  return end < 0 ? code.length : end
}
