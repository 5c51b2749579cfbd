import type { TSchema } from 'typebox'

/** Only digits make an integer: `Number` would take `0x10`, `1e3`, `Infinity` and blanks, too. */
const INTEGER = /^-?\d{1,16}$/

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (INTEGER.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/** `filter[Montant TTC]`; what stands in the brackets is for the route to read. */
const MEMBER = /^(\w+)\[([^]*)\]$/

/**
 * The values of an address, each read as its schema says; what cannot be read stays text, which the
 * schema refuses then. Where the schema has an object, its members come as `name[member]`.
 */
export function readTextValues(schema: TSchema, values: object): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, { type?: unknown }> }).properties
  const read = (name: string, value: unknown) => {
    const reader = READERS[String(properties?.[name]?.type)]
    return reader && typeof value === 'string' ? reader(value) : value
  }
  const result = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(values)) {
    const [, object, member] = (name.endsWith(']') && MEMBER.exec(name)) || []
    const isMember = object !== undefined && properties?.[object]?.type === 'object'
    // Text under the name of an object is left for the schema to refuse.
    if (isMember && typeof result[object] !== 'string') {
      const members = (result[object] ??= Object.create(null)) as Record<string, unknown>
      members[member!] = value
    } else {
      result[name] = read(name, value)
    }
  }
  return result
}
