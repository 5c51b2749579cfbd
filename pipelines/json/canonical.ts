/** What a string may hold that no text of a database can. */
export type TextFault = 'nul' | 'lone-surrogate'

export interface CanonicalOptions {
  /** Containers inside one another; more throw `JsonTooDeep`, and so does a cycle. */
  readonly depth: number
  /** Told of every string that cannot be stored; it is written with U+FFFD in its place. */
  onFault?(fault: TextFault): void
  /** What is written in the place of an object, itself if nothing else. */
  instead?(value: object): object
}

/** What JSON escapes and what cannot be stored; nearly no text has any of it. */
const NEEDS_A_LOOK = /["\\\p{Cc}\p{Cs}]/u

export class JsonTooDeep extends Error {
  override readonly name = 'JsonTooDeep'
}

/**
 * One text for one value, whatever the order in which its keys were written: no white space, keys
 * sorted by code unit, and otherwise what `JSON.stringify` writes, dates in ISO 8601 included. A
 * bigint is written with all its digits. What JSON cannot say (undefined, functions, NaN) is null
 * in an array and absent in an object.
 */
export function canonicalJson(value: unknown, options: CanonicalOptions): string {
  return write(value, '', options, 0) ?? 'null'
}

function write(
  given: unknown,
  key: string | number,
  options: CanonicalOptions,
  depth: number,
): string | null {
  const value = plain(given, key)
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return quoted(value, options)
    case 'number':
    case 'boolean':
      return JSON.stringify(value)
    case 'bigint':
      return value.toString()
    case 'object':
      if (depth >= options.depth) throw new JsonTooDeep(`nested more than ${options.depth} deep`)
      return Array.isArray(value)
        ? writeArray(value, options, depth + 1)
        : writeObject(options.instead?.(value) ?? value, options, depth + 1)
    default:
      return null
  }
}

function writeArray(items: readonly unknown[], options: CanonicalOptions, depth: number): string {
  let text = '['
  // By index: a hole is null, as an iterator would have it too.
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ','
    text += write(items[index], index, options, depth) ?? 'null'
  }
  return `${text}]`
}

function writeObject(given: object, options: CanonicalOptions, depth: number): string {
  const object = given as Readonly<Record<string, unknown>>
  let text = '{'
  // The default order of sort is that of UTF-16 code units.
  for (const key of Object.keys(object).toSorted()) {
    const value = write(object[key], key, options, depth)
    if (value === null) continue
    if (text.length > 1) text += ','
    text += `${quoted(key, options)}:${value}`
  }
  return `${text}}`
}

/** What `JSON.stringify` would look at: dates, above all, say themselves what they are in JSON. */
function plain(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON(String(key))
  return value
}

function quoted(text: string, options: CanonicalOptions): string {
  if (!NEEDS_A_LOOK.test(text)) return `"${text}"`
  const fault = textFault(text)
  if (fault === null) return JSON.stringify(text)
  options.onFault?.(fault)
  return JSON.stringify(withoutFaults(text))
}

export function textFault(text: string): TextFault | null {
  if (text.includes('\0')) return 'nul'
  return text.isWellFormed() ? null : 'lone-surrogate'
}

export function withoutFaults(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** The same words in every reader. */
export const TEXT_FAULT_MESSAGES: Readonly<Record<TextFault, string>> = {
  nul: 'a string holds the character NUL (\\u0000), which cannot be stored',
  'lone-surrogate': 'a string holds half of a surrogate pair, which is no character',
}
