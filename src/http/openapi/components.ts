import { isDeepStrictEqual } from 'node:util'

import type { TSchema } from 'typebox'

import type { HeaderSpec } from '../define-route.ts'
import {
  examplesOf,
  SCHEMA_DOCUMENTED,
  SCHEMA_FIXED,
  SCHEMA_EXAMPLES,
  SCHEMA_NAME,
} from '../../resources/schema.ts'
import { TEXT_FORMATS, WITHOUT_NUL } from '../text-formats.ts'

export type Json = Record<string, unknown>

/**
 * Collects everything that has a name, so that it appears once in the document and is referred to
 * elsewhere.
 */
export class Components {
  readonly #schemas = new Map<string, Json>()
  readonly #origins = new Map<string, TSchema>()
  readonly #examples = new Map<string, Json>()
  readonly #responses = new Map<string, Json>()
  readonly #headers = new Map<string, HeaderSpec>()

  /** The schema as it appears in the document: a reference if it has a name. */
  refer(schema: TSchema): Json {
    return this.#convert(schema, false) as Json
  }

  /** For a body that the service reads: no text in it may contain U+0000. */
  referRead(schema: TSchema): Json {
    return this.#convert(schema, true) as Json
  }

  /** The examples of a named schema, or of all members of a union, by what they show. */
  referExamples(schema: TSchema): Record<string, Json> {
    const { [SCHEMA_NAME]: name, anyOf = [] } = schema as {
      [SCHEMA_NAME]?: string
      anyOf?: readonly TSchema[]
    }
    if (name === undefined) {
      return Object.assign({}, ...anyOf.map((member) => this.referExamples(member))) as Record<
        string,
        Json
      >
    }
    return Object.fromEntries(
      Object.entries(examplesOf(schema)).map(([shows, value]) => [
        shows,
        this.referExample(`${name}.${shows}`, value),
      ]),
    )
  }

  referExample(name: string, value: unknown): Json {
    this.#examples.set(name, { value })
    return { $ref: `#/components/examples/${name}` }
  }

  referResponse(name: string, response: Json): Json {
    this.#responses.set(name, response)
    return { $ref: `#/components/responses/${name}` }
  }

  /** A header of answers; it means the same wherever it is sent. */
  referHeader(name: string, header: HeaderSpec): Json {
    const known = this.#headers.get(name) ?? header
    if (known !== header) throw new Error(`The header ${name} is described twice`)
    this.#headers.set(name, header)
    return { $ref: `#/components/headers/${name}` }
  }

  written(): Json {
    const headers = [...this.#headers].map(([name, { description, example }]): [string, Json] => [
      name,
      { description, schema: { type: 'string' }, example },
    ])
    return {
      schemas: sorted([...this.#schemas]),
      responses: sorted([...this.#responses]),
      examples: sorted([...this.#examples]),
      headers: sorted(headers),
    }
  }

  #convert(value: unknown, isRead: boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#convert(item, isRead))
    if (value === null || typeof value !== 'object') return value
    const {
      [SCHEMA_NAME]: name,
      [SCHEMA_EXAMPLES]: _referredTo,
      [SCHEMA_DOCUMENTED]: besides,
      [SCHEMA_FIXED]: _unknownToo,
      // In OpenAPI its values would have to be names of schemas; the constant in each variant says
      // as much.
      discriminator: _constants,
      ...rest
    } = value as Json
    const members = { ...rest, ...(besides as Json | undefined) }
    if (typeof name !== 'string') return this.#convertMembers(members, isRead)
    this.#define(name, value, members, isRead)
    return { $ref: `#/components/schemas/${name}` }
  }

  #define(name: string, origin: TSchema, schema: Json, isRead: boolean): void {
    const known = this.#origins.get(name)
    // An optional property has a copy of its own.
    if (known === origin || isDeepStrictEqual(known, origin)) return
    if (known) throw new Error(`Two different schemas are named ${name}`)
    this.#origins.set(name, origin)
    this.#schemas.set(name, this.#convertMembers(schema, isRead))
  }

  #convertMembers(members: Json, isRead: boolean): Json {
    const converted = Object.fromEntries(
      Object.entries(members).map(([key, member]) => [key, this.#convert(member, isRead)]),
    )
    const values = converted['enum']
    // Client generators take a schema without a type as `any`.
    if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
      return { type: 'string', ...converted }
    }
    const { format, ...rest } = converted
    const own = typeof format === 'string' ? TEXT_FORMATS[format] : undefined
    if (own) return { ...rest, ...own.documented }
    const isFree =
      converted['type'] === 'string' && !format && !('pattern' in converted || 'const' in converted)
    return isRead && isFree ? { ...converted, pattern: WITHOUT_NUL } : converted
  }
}

const sorted = (named: readonly (readonly [string, Json])[]): Json =>
  Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)))
