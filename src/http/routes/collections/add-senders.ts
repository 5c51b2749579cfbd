import type { MadeCollection } from '../../../domain/collections/create-collections.ts'
import { CollectionNotFoundException } from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import {
  answerMadeCollection,
  collectionPath,
  LINKS_CSV,
  madeCollectionSchema,
} from '../../presenters/present-collection.ts'
import { newSenders } from './collection-body.ts'

export const addSenders = defineRoute(
  {
    method: 'post',
    path: '/collections/:uuid/senders',
    access: 'admin',
    tag: 'collections',
    summary: 'Add senders',
    audit: 'collection.add-senders',
    description:
      'Each gets a slot in every period, and a link, which is shown this once: as JSON, or with ' +
      '`Accept: text/csv` as a CSV.',
    params: collectionPath,
    body: newSenders,
    responses: {
      201: {
        description: 'The collection, and the new links',
        schema: madeCollectionSchema,
        files: LINKS_CSV,
      },
    },
    problems: [CollectionNotFoundException],
  },
  async (request, { collections }) => {
    const { actor, params, body, baseUrl, header } = request
    const answer = (made: MadeCollection) => answerMadeCollection({ baseUrl, header }, made)
    const alongside = answerWith(request, answer, () => params.uuid)
    return answer(await collections.addSenders(actor, params.uuid, body.senders, alongside))
  },
)
