import type { MadeLink } from '../../../domain/collections/senders.ts'
import { CollectionNotFoundException, SlotNotFoundException } from '../../../errors/index.ts'
import { answerWith, defineRoute } from '../../define-route.ts'
import { answerMadeLink, madeLinkSchema, slotPath } from '../../presenters/present-collection.ts'

export const renewLink = defineRoute(
  {
    method: 'post',
    path: '/collections/:uuid/slots/:slot/link',
    access: 'admin',
    tag: 'collections',
    summary: 'Give the sender of a slot a new link',
    audit: 'collection.renew-link',
    description:
      'It is for all of their slots, and shown this once. All other links of theirs are dead.',
    params: slotPath,
    responses: { 200: { description: 'The link', schema: madeLinkSchema } },
    problems: [CollectionNotFoundException, SlotNotFoundException],
  },
  async (request, { collections }) => {
    const { actor, params, baseUrl } = request
    const answer = (made: MadeLink) => answerMadeLink({ baseUrl }, made)
    const alongside = answerWith(request, answer, () => params.slot)
    return answer(await collections.renewLink(actor, params.uuid, params.slot, alongside))
  },
)
