import type { MadeCollection } from '../../../domain/collections/create-collections.ts'
import {
  SourceBusyException,
  SourceColumnInUseException,
  SourceNotFoundException,
} from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import {
  answerMadeCollection,
  LINKS_CSV,
  madeCollectionSchema,
} from '../../presenters/present-collection.ts'
import { newCollection } from './collection-body.ts'

const uuidOf = ({ collection }: MadeCollection) => collection.uuid

export const createCollection = defineRoute(
  {
    method: 'post',
    path: '/collections',
    access: 'admin',
    tag: 'collections',
    summary: 'Collect files from many senders into one table',
    audit: 'collection.create',
    description:
      'Every sender has a slot in every period, and a link that lets them in without an account. The ' +
      'links are shown this once: as JSON, or with `Accept: text/csv` as a CSV. The service keeps ' +
      'hashes of them.',
    body: newCollection,
    responses: {
      201: {
        description: 'The collection, and the links',
        schema: madeCollectionSchema,
        files: LINKS_CSV,
      },
    },
    problems: [SourceNotFoundException, SourceBusyException, SourceColumnInUseException],
  },
  async (request, { collections }) => {
    const { actor, body, baseUrl, header } = request
    const { deadline, ...given } = body
    const answer = (made: MadeCollection) => answerMadeCollection({ baseUrl, header }, made)
    const wanted = { ...given, ...(deadline !== undefined && { deadline: new Date(deadline) }) }
    return answer(await collections.create(actor, wanted, answerWith(request, answer, uuidOf)))
  },
)
