import type { TSchema } from 'typebox'

/** An integer consists of digits only: `Number` would also accept `0x10`, `1e3`, `Infinity` and blanks. */
const INTEGER = /^-?\d{1,16}$/

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (INTEGER.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/** `filter[Montant TTC]`; the route interprets what is in the brackets. */
const MEMBER = /^(\w+)\[([^]*)\]$/

/**
 * Reads the values of an address as the schema says. A value that cannot be read stays text, which
 * the schema then refuses. For an object in the schema, the members come as `name[member]`.
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
