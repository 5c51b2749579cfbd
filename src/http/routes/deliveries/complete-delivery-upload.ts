import {
  SlotNotFoundException,
  UploadIncompleteException,
  UploadNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  completedUploadSchema,
  deliveryUploadPath,
  presentCompletedUpload,
} from '../../presenters/present-delivery.ts'

export const completeDeliveryUpload = defineRoute(
  {
    method: 'post',
    path: '/deliveries/:slot/uploads/:upload/complete',
    access: 'holder',
    tag: 'deliveries',
    summary: 'Join the parts that were sent',
    description:
      'Afterwards the file can be checked and sent into the slot. Completing an upload again answers ' +
      'the same.',
    params: deliveryUploadPath,
    responses: { 200: { description: 'The file', schema: completedUploadSchema } },
    problems: [SlotNotFoundException, UploadNotFoundException, UploadIncompleteException],
    place: 'uploads',
  },
  async ({ holder, params, signal }, { deliveryUploads }) =>
    presentCompletedUpload(
      await deliveryUploads.complete(holder, params.slot, params.upload, signal),
    ),
)
