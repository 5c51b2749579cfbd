import { collectionMessages } from '../../../domain/collections/collection-messages.ts'
import { CollectionNotFoundException, SenderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { senderPath } from '../../presenters/present-collection.ts'
import { message } from '../../schemas.ts'

const DELETED = { message: collectionMessages.senderRemoved() }

export const deleteSender = defineRoute(
  {
    method: 'delete',
    path: '/collections/:uuid/senders/:sender',
    access: 'admin',
    tag: 'collections',
    summary: 'Delete a sender',
    audit: 'sender.remove',
    description:
      'Their links are dead at once, and their slots go. The rows that they sent stay until their ' +
      'loads are deleted.',
    params: senderPath,
    responses: { 200: { description: 'They are gone', schema: message, example: DELETED } },
    problems: [CollectionNotFoundException, SenderNotFoundException],
  },
  async ({ actor, params, record }, { collections }) => {
    await collections.removeSender(actor, params.uuid, params.sender, record)
    return DELETED
  },
)
