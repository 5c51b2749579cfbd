import { SlotNotFoundException, UploadNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { deliveryUploadPath } from '../../presenters/present-delivery.ts'
import { message } from '../../schemas.ts'
import { UPLOAD_ABORTED } from '../documents/abort-upload.ts'

export const abortDeliveryUpload = defineRoute(
  {
    method: 'delete',
    path: '/deliveries/:slot/uploads/:upload',
    access: 'holder',
    tag: 'deliveries',
    summary: 'Give up an upload in parts',
    params: deliveryUploadPath,
    responses: {
      200: { description: 'Its parts are gone', schema: message, example: UPLOAD_ABORTED },
    },
    problems: [SlotNotFoundException, UploadNotFoundException],
  },
  async ({ holder, params }, { deliveryUploads }) => {
    await deliveryUploads.abort(holder, params.slot, params.upload)
    return UPLOAD_ABORTED
  },
)
