import { Type } from 'typebox'

import { CollectionNotFoundException } from '../../../errors/index.ts'
import { SLOT_STATES } from '../../../resources/collection.ts'
import { defineRoute } from '../../define-route.ts'
import { collectionPath, presentSlot, slotSchema } from '../../presenters/present-collection.ts'
import { listOf, pageQuery, presentPage, searchQuery, strictObject } from '../../schemas.ts'

export const listSlots = defineRoute(
  {
    method: 'get',
    path: '/collections/:uuid/slots',
    access: 'admin',
    tag: 'collections',
    summary: 'List who has sent what, and who has not',
    description: 'Searches key, name and e-mail address of the sender.',
    params: collectionPath,
    query: strictObject({
      ...pageQuery(20),
      search: searchQuery,
      state: Type.Optional(Type.Enum(SLOT_STATES)),
    }),
    responses: { 200: { description: 'A page of slots', schema: listOf('SlotList', slotSchema) } },
    problems: [CollectionNotFoundException],
  },
  async ({ actor, params, query, signal }, { collections }) =>
    presentPage(await collections.slots(actor, params.uuid, query, signal), query, presentSlot),
)
