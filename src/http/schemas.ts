import { Type, type TSchema } from 'typebox'

import { ORDERS, type Page, type PageRequest, SORTED_BY } from '../resources/page.ts'
import {
  type Examples,
  examplesOf,
  named,
  spoken,
  strictObject,
  uuid,
} from '../resources/schema.ts'

export {
  documented,
  fixed,
  named,
  nullable,
  spoken,
  strictObject,
  timestamp,
  uuid,
  variants,
} from '../resources/schema.ts'

/** 1 to 255 characters after trimming; the server trims. */
export const trimmedName = (description: string, example?: string) =>
  Type.String({ description, format: 'trimmed-name', ...(example && { examples: [example] }) })

/** The path of one thing of a kind. */
export const uuidPath = (example: string) => strictObject({ uuid: uuid(undefined, example) })

export const message = named('Message', strictObject({ message: spoken() }))

export const pageQuery = (defaultLimit: number, maximumLimit = 100) => ({
  page: Type.Integer({ minimum: 1, maximum: 2 ** 40, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: maximumLimit, default: defaultLimit }),
})

const envelope = {
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  limit: Type.Integer({ minimum: 1 }),
}

/** A page has the examples of its items; `limit` is the default number of items. */
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

/** Of a list of named things. */
export const namedListQuery = {
  ...pageQuery(20),
  sort: Type.Optional(
    Type.Enum(SORTED_BY, { description: 'Default: createdAt. Names ignore case and accents' }),
  ),
  order: Type.Optional(
    Type.Enum(ORDERS, { description: 'Default: the newest first, and names from A to Z' }),
  ),
  search: searchQuery,
}

/** For a super-admin, who names the enterprise that the new thing belongs to. */
export const enterpriseIdField = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description: 'Id of the enterprise',
    examples: [1],
  }),
)
