import type { MadeCollection } from '../../../domain/collections/create-collections.ts'
import { CollectionNotFoundException } from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import {
  collectionPath,
  collectionSchema,
  presentCollection,
} from '../../presenters/present-collection.ts'
import { newPeriods } from './collection-body.ts'

export const addPeriods = defineRoute(
  {
    method: 'post',
    path: '/collections/:uuid/periods',
    access: 'admin',
    tag: 'collections',
    summary: 'Add periods',
    audit: 'collection.add-periods',
    description:
      'Every sender gets a slot in each of them. With the first periods, the slots without a period ' +
      'go, unless something came there.',
    params: collectionPath,
    body: newPeriods,
    responses: { 201: { description: 'The collection', schema: collectionSchema } },
    problems: [CollectionNotFoundException],
  },
  async (request, { collections }) => {
    const { actor, params, body } = request
    const show = ({ collection }: MadeCollection) => presentCollection(collection)
    const alongside = answerWith(request, show)
    return show(await collections.addPeriods(actor, params.uuid, body.periods, alongside))
  },
)
