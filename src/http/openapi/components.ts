import type { TSchema } from 'typebox'

import { SCHEMA_NAME } from '../schemas.ts'

type Json = Record<string, unknown>

/** Collects named schemas, so that each stands once in the document and is referred to. */
export class Components {
  readonly #schemas = new Map<string, Json>()
  readonly #origins = new Map<string, TSchema>()

  /** The schema as it stands in the document: a reference when it has a name. */
  refer(schema: TSchema): Json {
    return this.#convert(schema) as Json
  }

  schemas(): Json {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#convert(item))
    if (value === null || typeof value !== 'object') return value
    const { [SCHEMA_NAME]: name, ...rest } = value as Json
    if (typeof name !== 'string') return this.#convertMembers(rest)
    this.#define(name, value, rest)
    return { $ref: `#/components/schemas/${name}` }
  }

  #define(name: string, origin: TSchema, schema: Json): void {
    const known = this.#origins.get(name)
    if (known === origin) return
    if (known) throw new Error(`Two different schemas are named ${name}`)
    this.#origins.set(name, origin)
    this.#schemas.set(name, this.#convertMembers(schema))
  }

  #convertMembers(members: Json): Json {
    const converted = Object.fromEntries(
      Object.entries(members).map(([key, member]) => [key, this.#convert(member)]),
    )
    // The service's own format: what it means is told in words that any client understands.
    if (converted['format'] === 'trimmed-name') {
      const { format: _own, ...rest } = converted
      return { ...rest, minLength: 1, pattern: '\\S' }
    }
    return converted
  }
}
