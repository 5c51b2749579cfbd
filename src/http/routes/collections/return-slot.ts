import { Type } from 'typebox'

import {
  CollectionNotFoundException,
  SlotConflictException,
  SlotNotFoundException,
  SourceBusyException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSlot, slotPath, slotSchema } from '../../presenters/present-collection.ts'
import { named, strictObject } from '../../schemas.ts'
import { exampleLoad } from '../../presenters/present-load.ts'
import { seenLoad } from './collection-body.ts'
import { IN_USE_PROBLEMS } from '../sources/source-problems.ts'

export const returnSlot = defineRoute(
  {
    method: 'post',
    path: '/collections/:uuid/slots/:slot/return',
    access: 'admin',
    tag: 'collections',
    summary: 'Return what came into a slot',
    audit: 'collection.return',
    description:
      'Its rows leave the table, and the slot awaits another file. The message is for the sender. With ' +
      '`loadUuid` and `state`, nothing but what was looked at is returned, as it was then.',
    params: slotPath,
    body: named(
      'SlotReturn',
      strictObject({
        message: Type.String({ maxLength: 5000, format: 'not-blank' }),
        loadUuid: seenLoad,
        state: Type.Optional(
          Type.Enum(['received', 'accepted'], {
            description:
              'How it was when it was looked at; where somebody has approved it since, the answer is 409',
          }),
        ),
      }),
      {
        'last-month': { message: 'C’est le tableau de septembre.' },
        seen: {
          message: 'C’est le tableau de septembre.',
          loadUuid: exampleLoad.uuid,
          state: 'received',
        },
      },
    ),
    responses: { 200: { description: 'The slot', schema: slotSchema, shows: ['awaited'] } },
    problems: [
      CollectionNotFoundException,
      SlotNotFoundException,
      SlotConflictException,
      SourceBusyException,
      ...IN_USE_PROBLEMS,
    ],
  },
  async ({ actor, params, body, signal, record }, { collections }) =>
    presentSlot(
      await collections.returnSlot(actor, params.uuid, params.slot, { ...body, signal, record }),
    ),
)
