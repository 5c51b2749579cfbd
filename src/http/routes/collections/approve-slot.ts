import {
  CollectionNotFoundException,
  SlotConflictException,
  SlotNotFoundException,
  SourceBusyException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentSlot, slotPath, slotSchema } from '../../presenters/present-collection.ts'
import { exampleLoad } from '../../presenters/present-load.ts'
import { named, strictObject } from '../../schemas.ts'
import { seenLoad } from './collection-body.ts'
import { IN_USE_PROBLEMS } from '../sources/source-problems.ts'

export const approveSlot = defineRoute(
  {
    method: 'post',
    path: '/collections/:uuid/slots/:slot/approve',
    access: 'admin',
    tag: 'collections',
    summary: 'Approve what waits in a slot',
    audit: 'collection.approve',
    description:
      'Its rows are shown, in the place of those that the slot held, and its sender gets the receipt. ' +
      '`GET /sources/{uuid}/changes` with the load of the slot as `to` shows what will change. With ' +
      '`loadUuid`, nothing but what was looked at is approved.',
    params: slotPath,
    body: named('SlotApproval', strictObject({ loadUuid: seenLoad }), {
      seen: { loadUuid: exampleLoad.uuid },
      whatever: {},
    }),
    bodyRequired: false,
    responses: { 200: { description: 'The slot', schema: slotSchema, shows: ['accepted'] } },
    problems: [
      CollectionNotFoundException,
      SlotNotFoundException,
      SlotConflictException,
      SourceBusyException,
      ...IN_USE_PROBLEMS,
    ],
  },
  async ({ actor, params, body: { loadUuid }, signal, record }, { collections }) =>
    presentSlot(
      await collections.approve(actor, params.uuid, params.slot, { loadUuid, signal, record }),
    ),
)
