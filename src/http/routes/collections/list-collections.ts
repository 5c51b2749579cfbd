import { defineRoute } from '../../define-route.ts'
import { collectionSchema, presentCollection } from '../../presenters/present-collection.ts'
import { listOf, namedListQuery, presentPage, strictObject } from '../../schemas.ts'

export const listCollections = defineRoute(
  {
    method: 'get',
    path: '/collections',
    access: 'admin',
    tag: 'collections',
    summary: 'List collections in the order of their names or of their creation',
    description: 'Searches the name.',
    query: strictObject(namedListQuery),
    responses: {
      200: {
        description: 'A page of collections',
        schema: listOf('CollectionList', collectionSchema),
      },
    },
  },
  async ({ actor, query, signal }, { collections }) =>
    presentPage(await collections.list(actor, query, signal), query, presentCollection),
)
