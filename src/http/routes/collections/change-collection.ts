import { CollectionNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  collectionPath,
  collectionSchema,
  presentCollection,
} from '../../presenters/present-collection.ts'
import { collectionChange } from './collection-body.ts'

export const changeCollection = defineRoute(
  {
    method: 'patch',
    path: '/collections/:uuid',
    access: 'admin',
    tag: 'collections',
    summary: 'Change a collection',
    audit: 'collection.change',
    description:
      'Null ends the deadline or the message. Senders and periods have routes of their own.',
    params: collectionPath,
    body: collectionChange,
    responses: { 200: { description: 'The collection', schema: collectionSchema } },
    problems: [CollectionNotFoundException],
  },
  async ({ actor, params, body: { deadline, ...given } }, { collections }) => {
    const change = {
      ...given,
      ...(deadline !== undefined && { deadline: deadline === null ? null : new Date(deadline) }),
    }
    return presentCollection(await collections.change(actor, params.uuid, change))
  },
)
