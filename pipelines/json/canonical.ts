/** What a string may hold that no text of a database can. */
export type TextFault = 'nul' | 'lone-surrogate'

export interface CanonicalOptions {
  /** Containers inside one another; more throw `JsonTooDeep`, and so does a cycle. */
  readonly depth: number
  /** Told of every string that cannot be stored; it is written with U+FFFD in its place. */
  onFault?(fault: TextFault): void
}

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
  key: string,
  options: CanonicalOptions,
  depth: number,
): string | null {
  const value = plain(given, key)
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return JSON.stringify(storable(value, options))
    case 'number':
    case 'boolean':
      return JSON.stringify(value)
    case 'bigint':
      return value.toString()
    case 'object':
      if (depth >= options.depth) throw new JsonTooDeep(`nested more than ${options.depth} deep`)
      return Array.isArray(value)
        ? writeArray(value, options, depth + 1)
        : writeObject(value as Record<string, unknown>, options, depth + 1)
    default:
      return null
  }
}

function writeArray(items: readonly unknown[], options: CanonicalOptions, depth: number): string {
  const written = Array.from(
    items,
    (item, index) => write(item, String(index), options, depth) ?? 'null',
  )
  return `[${written.join(',')}]`
}

function writeObject(
  object: Readonly<Record<string, unknown>>,
  options: CanonicalOptions,
  depth: number,
): string {
  const members: string[] = []
  // The default order of sort is that of UTF-16 code units.
  for (const key of Object.keys(object).toSorted()) {
    const value = write(object[key], key, options, depth)
    if (value !== null) members.push(`${JSON.stringify(storable(key, options))}:${value}`)
  }
  return `{${members.join(',')}}`
}

/** What `JSON.stringify` would look at: dates, above all, say themselves what they are in JSON. */
function plain(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON(key)
  return value
}

function storable(text: string, options: CanonicalOptions): string {
  const fault = textFault(text)
  if (fault === null) return text
  options.onFault?.(fault)
  return withoutFaults(text)
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
