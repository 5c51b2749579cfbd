import {
  CollectionNotFoundException,
  ReminderConflictException,
  SlotNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSlot, slotPath, slotSchema } from '../../presenters/present-collection.ts'

export const remindSender = defineRoute(
  {
    method: 'post',
    path: '/collections/:uuid/slots/:slot/remind',
    access: 'admin',
    tag: 'collections',
    summary: 'Remind the sender of a slot',
    audit: 'collection.remind',
    description:
      'They get a mail that names everything that is still awaited of them, with a link. Nobody is reminded more than ' +
      'once a day, by this or by `remind` of the collection.',
    params: slotPath,
    responses: { 200: { description: 'The slot', schema: slotSchema } },
    problems: [CollectionNotFoundException, SlotNotFoundException, ReminderConflictException],
  },
  async ({ actor, params, record }, { collections }) =>
    presentSlot(await collections.remind(actor, params.uuid, params.slot, record)),
)
