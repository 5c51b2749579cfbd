import { CellFormat } from './cell-format.ts'

/**
 * What a custom format code shows. Only its first section counts: the others are for negative
 * numbers, zero and text.
 */
export function classifyFormat(code: string): CellFormat {
  const { signs, elapsed } = meaningfulSigns(code)
  const fractions = /s[.,]0/.test(signs)
  if (elapsed) return fractions ? CellFormat.preciseDuration : CellFormat.duration
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

interface MeaningfulSigns {
  /** In lower case: what is not quoted, escaped, mere spacing or in brackets. */
  readonly signs: string
  /** `[h]`, `[mm]`, `[s]`: time that has gone by. Other brackets are colours, locales, conditions. */
  readonly elapsed: boolean
}

function meaningfulSigns(code: string): MeaningfulSigns {
  let signs = ''
  let elapsed = false
  for (let at = 0; at < code.length && code[at] !== ';'; at += 1) {
    const sign = code[at]!
    if (sign === '"') at = closing(code, at, '"')
    else if (sign === '[') {
      const end = closing(code, at, ']')
      const inside = code.slice(at + 1, end).toLowerCase()
      if (/^(h+|m+|s+)$/.test(inside)) {
        elapsed = true
        signs += inside
      }
      at = end
    } else if (sign === '\\' || sign === '_' || sign === '*') {
      // `\x` shows x, `_x` leaves its width free, `*x` repeats it.
      at += 1
    } else signs += sign.toLowerCase()
  }
  return { signs, elapsed }
}

function closing(code: string, at: number, mark: string): number {
  const end = code.indexOf(mark, at + 1)
  return end < 0 ? code.length : end
}
