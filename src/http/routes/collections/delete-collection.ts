import { collectionMessages } from '../../../domain/collections/collection-messages.ts'
import { CollectionNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { collectionPath } from '../../presenters/present-collection.ts'
import { message } from '../../schemas.ts'

const DELETED = { message: collectionMessages.removed() }

export const deleteCollection = defineRoute(
  {
    method: 'delete',
    path: '/collections/:uuid',
    access: 'admin',
    tag: 'collections',
    summary: 'End a collection',
    audit: 'collection.remove',
    description: 'Its links are dead at once. The rows that came stay in the table of the source.',
    params: collectionPath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [CollectionNotFoundException],
  },
  async ({ actor, params, record }, { collections }) => {
    await collections.remove(actor, params.uuid, record)
    return DELETED
  },
)
