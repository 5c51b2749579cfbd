import { type Static, Type, type TObject, type TSchema, type TString } from 'typebox'

import type { StoredMessage } from '../../pipelines/index.ts'

/** A named schema becomes a component of the OpenAPI document. */
export const SCHEMA_NAME = 'x-schema-name'
/** Realistic examples, each under a word for what it shows; the OpenAPI document refers to them. */
export const SCHEMA_EXAMPLES = 'x-schema-examples'

/** Known fields that can never be changed: a request that contains one is told so. */
export const SCHEMA_FIXED = 'x-schema-fixed'

export const fixed = (...fields: readonly string[]) => ({ [SCHEMA_FIXED]: fields })

/** What the document says beyond the schema itself; the service checks it in code. */
export const SCHEMA_DOCUMENTED = 'x-schema-documented'

export const documented = <T extends TSchema>(schema: T, besides: Record<string, unknown>): T =>
  Object.assign(schema, { [SCHEMA_DOCUMENTED]: besides })

export type Examples<T extends TSchema> = Readonly<Record<string, Static<T>>>

export function named<T extends TSchema>(
  name: string,
  schema: T,
  examples?: Examples<NoInfer<T>>,
): T {
  return Object.assign(schema, { [SCHEMA_NAME]: name, [SCHEMA_EXAMPLES]: examples ?? {} })
}

/** Adds examples to a schema that was named elsewhere. */
export const exemplified = <T extends TSchema>(schema: T, examples: Examples<NoInfer<T>>): T =>
  Object.assign(schema, { [SCHEMA_EXAMPLES]: examples })

export const examplesOf = <T extends TSchema>(schema: T): Examples<T> =>
  (schema as { [SCHEMA_EXAMPLES]?: Examples<T> })[SCHEMA_EXAMPLES] ?? {}

export const strictObject = <P extends Record<string, TSchema>>(
  properties: P,
  options: Record<string, unknown> = {},
) => Type.Object(properties, { additionalProperties: false, ...options })

/**
 * One of several objects, distinguished by the constant in `tag`. A request is checked against the
 * variant that it names, so that all errors refer to that one.
 */
export function variants<T extends readonly TObject[]>(tag: string, ...alternatives: T) {
  const values = alternatives.map(
    ({ properties }) => (properties[tag] as { const?: unknown }).const,
  )
  return Type.Unsafe<Static<T[number]>>({
    type: 'object',
    required: [tag],
    properties: { [tag]: { enum: values } },
    discriminator: { propertyName: tag },
    oneOf: alternatives,
  })
}

/** A message of the service, shown in the language of the reader. */
export const spoken = (description?: string) =>
  Type.Unsafe<string | StoredMessage>(Type.String({ ...(description && { description }) }))

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const uuid = (description?: string, example?: string) =>
  Type.String({
    format: 'uuid',
    ...(description && { description }),
    ...(example && { examples: [example] }),
  })

/** Inside the service an instant is a Date; it is shown as ISO 8601 in UTC with milliseconds. */
export interface Timestamp extends TString {
  readonly '~instant': true
}

export const timestamp = () =>
  Type.String({
    format: INSTANT_FORMAT,
    examples: ['2026-01-31T09:30:00.000Z'],
  }) as unknown as Timestamp

export const INSTANT_FORMAT = 'date-time'
