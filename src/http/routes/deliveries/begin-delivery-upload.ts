import {
  PayloadTooLargeException,
  SlotNotFoundException,
  TooManyRequestsException,
  UploadQuotaExceededException,
} from '../../../errors/index.ts'
import { checkedFileName } from '../../body/file-names.ts'
import { defineRoute } from '../../define-route.ts'
import { deliveryPath } from '../../presenters/present-delivery.ts'
import { directUploadSchema, presentDirectUpload } from '../../presenters/present-document.ts'
import { announcedFile, exampleAnnouncedFile } from '../documents/begin-upload.ts'
import { named, strictObject } from '../../schemas.ts'

const newUpload = named('NewDeliveryUpload', strictObject(announcedFile), {
  'large-file': exampleAnnouncedFile,
})

export const beginDeliveryUpload = defineRoute(
  {
    method: 'post',
    path: '/deliveries/:slot/uploads',
    access: 'holder',
    tag: 'deliveries',
    summary: 'Begin to send a large file in parts',
    description:
      'Each part is sent with a PUT to its own temporary address, in any order and as often as ' +
      'needed; then the upload is completed, and checked or sent into the slot by its `uploadUuid`. ' +
      'It ends with the link, and after a day. A link has at most 10 of them under way, and begins ' +
      'at most 30 an hour.',
    params: deliveryPath,
    body: newUpload,
    responses: { 201: { description: 'Where the parts go', schema: directUploadSchema } },
    problems: [
      SlotNotFoundException,
      PayloadTooLargeException,
      TooManyRequestsException,
      UploadQuotaExceededException,
    ],
  },
  async ({ holder, params, body }, { deliveryUploads }) => {
    const upload = await deliveryUploads.begin(holder, params.slot, {
      filename: checkedFileName(body.filename, '/filename'),
      contentType: body.contentType,
      size: body.size,
    })
    return presentDirectUpload(upload)
  },
)
