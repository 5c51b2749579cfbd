import { CollectionNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  collectionPath,
  collectionSchema,
  presentCollection,
} from '../../presenters/present-collection.ts'

export const showCollection = defineRoute(
  {
    method: 'get',
    path: '/collections/:uuid',
    access: 'admin',
    tag: 'collections',
    summary: 'Show a collection',
    params: collectionPath,
    responses: { 200: { description: 'The collection', schema: collectionSchema } },
    problems: [CollectionNotFoundException],
  },
  async ({ actor, params }, { collections }) =>
    presentCollection(await collections.find(actor, params.uuid)),
)
