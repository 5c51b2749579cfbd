import { type Static, Type, type TObject, type TSchema } from 'typebox'

/** Schemas that many routes share. A named one becomes a component of the OpenAPI document. */
export const SCHEMA_NAME = 'x-schema-name'
/** Its believable values, each under a word for what it shows; the document refers to them. */
export const SCHEMA_EXAMPLES = 'x-schema-examples'

export type Examples<T extends TSchema> = Readonly<Record<string, Static<T>>>

export function named<T extends TSchema>(
  name: string,
  schema: T,
  examples?: Examples<NoInfer<T>>,
): T {
  return Object.assign(schema, { [SCHEMA_NAME]: name, [SCHEMA_EXAMPLES]: examples ?? {} })
}

export const examplesOf = <T extends TSchema>(schema: T): Examples<T> =>
  (schema as { [SCHEMA_EXAMPLES]?: Examples<T> })[SCHEMA_EXAMPLES] ?? {}

export const strictObject = <P extends Record<string, TSchema>>(
  properties: P,
  options: Record<string, unknown> = {},
) => Type.Object(properties, { additionalProperties: false, ...options })

/**
 * One of several objects, told apart by the constant in `tag`. A request is held to the variant that
 * it names, so that its errors are about that one alone.
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

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const uuid = (description?: string, example?: string) =>
  Type.String({
    format: 'uuid',
    ...(description && { description }),
    ...(example && { examples: [example] }),
  })

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = () =>
  Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] })

/** 1 to 255 characters after trimming; the server trims. */
export const trimmedName = (description: string, example?: string) =>
  Type.String({ description, format: 'trimmed-name', ...(example && { examples: [example] }) })

/** The path to one thing of a kind. */
export const uuidPath = (example: string) => strictObject({ uuid: uuid(undefined, example) })

export const message = named('Message', strictObject({ message: Type.String() }))

export const pageQuery = (defaultLimit: number, maximumLimit = 100) => ({
  page: Type.Integer({ minimum: 1, maximum: 2 ** 40, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: maximumLimit, default: defaultLimit }),
})

export interface PageRequest {
  readonly page: number
  readonly limit: number
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

const envelope = {
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  limit: Type.Integer({ minimum: 1 }),
}

/** A page shows what its items do; `limit` is the one that it has unless another is asked for. */
export function listOf<T extends TSchema>(name: string, item: T, limit = 20) {
  const schema = strictObject({ items: Type.Array(item), ...envelope })
  const page = examplePage(Object.values(examplesOf(item)), limit)
  return named(name, schema, { page } as Examples<typeof schema>)
}

export const examplePage = <T>(items: readonly T[], limit: number) => ({
  items: [...items],
  total: items.length,
  page: 1,
  limit,
})

/** The envelope of every list. */
export function presentPage<T, R>(
  { items, total }: Page<T>,
  { page, limit }: PageRequest,
  present: (item: T) => R,
) {
  return { items: items.map(present), total, page, limit }
}

export const searchQuery = Type.Optional(
  Type.String({
    maxLength: 255,
    format: 'without-nul',
    description: 'Ignores case and accents; % and _ are ordinary',
    examples: ['lumiere'],
  }),
)

/** For a super-admin, who names the enterprise that something will belong to. */
export const enterpriseIdField = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description: 'Id of the enterprise',
    examples: [1],
  }),
)
