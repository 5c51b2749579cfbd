import { defineRoute } from '../../define-route.ts'
import { collectionSchema, presentCollection } from '../../presenters/present-collection.ts'
import { listOf, pageQuery, presentPage, searchQuery, strictObject } from '../../schemas.ts'

export const listCollections = defineRoute(
  {
    method: 'get',
    path: '/collections',
    access: 'admin',
    tag: 'collections',
    summary: 'List collections, newest first',
    description: 'Searches the name.',
    query: strictObject({ ...pageQuery(20), search: searchQuery }),
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
