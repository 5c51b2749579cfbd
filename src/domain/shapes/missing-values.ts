/** What stands for no value in a Table Schema. */
export interface MissingValues {
  /** Besides blanks, which stand for none in any case. */
  readonly texts: readonly string[]
  /** Some cannot be taken as they are. */
  readonly isLost: boolean
}

const MOST_TEXTS = 100
const LONGEST_TEXT = 255

export function missingOf(given: unknown): MissingValues {
  if (given === undefined) return { texts: [], isLost: false }
  const values = Array.isArray(given) ? given.map(textOf) : [null]
  const texts = values.filter((text) => text !== null && text.length <= LONGEST_TEXT)
  const told = texts.filter((text) => text !== null && text.trim() !== '')
  return {
    texts: [...new Set(told as string[])].slice(0, MOST_TEXTS),
    // A blank is never a value here.
    isLost: texts.length < values.length || told.length > MOST_TEXTS || !texts.includes(''),
  }
}

/** In its second version, a text may have a label. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.includes('\0') ? null : value
  const { value: text } = (value ?? {}) as { readonly value?: unknown }
  return typeof text === 'string' ? textOf(text) : null
}
