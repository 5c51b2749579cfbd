/** How a format with fixed digits shows a whole number: `00000`, `0# ## ## ## ##`. */
export class DigitPattern {
  /** Null for a digit, otherwise the character between digits. */
  readonly #signs: readonly (string | null)[]
  readonly #places: number

  constructor(signs: readonly (string | null)[]) {
    this.#signs = signs
    this.#places = signs.filter((sign) => sign === null).length
  }

  /** Null for a number that the format would not show completely. */
  show(value: number): string | null {
    if (!Number.isSafeInteger(value) || value < 0) return null
    const digits = String(value).padStart(this.#places, '0')
    // Digits without a place of their own come before the first one.
    let next = digits.length - this.#places
    let shown = ''
    for (const sign of this.#signs) {
      if (sign !== null) shown += sign
      else {
        const isFirst = next === digits.length - this.#places
        shown += isFirst ? digits.slice(0, next + 1) : digits[next]!
        next += 1
      }
    }
    return shown.trim()
  }
}

const LEAST_PLACES = 2
/** Characters that a format shows without quotes. */
const ITSELF = /^[ \u00a0\u202f()+:-]$/

/**
 * Null if a format shows numbers as amounts: with decimals, thousands, currency signs, conditions,
 * or without a digit that is always shown. Only its first section counts: the others are for other
 * numbers.
 */
export function digitPattern(code: string): DigitPattern | null {
  const signs: (string | null)[] = []
  let hasZero = false
  for (let at = 0; at < code.length && code[at] !== ';'; at++) {
    const sign = code[at]!
    if (sign === '0' || sign === '#') {
      hasZero ||= sign === '0'
      if (!hasZero) return null
      signs.push(null)
    } else if (sign === '"' || sign === '[') {
      const end = code.indexOf(sign === '"' ? '"' : ']', at + 1)
      const inside = code.slice(at + 1, end)
      if (end === -1 || (sign === '[' && /^[<>=hms]|^\$[^-]/i.test(inside))) return null
      if (sign === '"') signs.push(inside)
      at = end
    } else if (sign === '\\') signs.push(code[++at] ?? '')
    else if (sign === '_' || sign === '*') at += 1
    else if (ITSELF.test(sign)) signs.push(sign)
    else return null
  }
  const places = signs.filter((sign) => sign === null).length
  const isAmbiguous = signs.some((sign) => sign !== null && /\d/.test(sign))
  return places < LEAST_PLACES || isAmbiguous ? null : new DigitPattern(signs)
}
