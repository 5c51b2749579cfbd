import { UploadNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { uploadPath } from '../../presenters/present-document.ts'
import { message } from '../../schemas.ts'
import { documentMessages } from '../../../domain/documents/document-messages.ts'

export const UPLOAD_ABORTED = { message: documentMessages.uploadAborted() }

export const abortUpload = defineRoute(
  {
    method: 'delete',
    path: '/documents/uploads/:uuid',
    access: 'user',
    tag: 'documents',
    summary: 'Give up an upload in parts',
    audit: 'upload.abort',
    params: uploadPath,
    responses: {
      200: { description: 'Its parts are gone', schema: message, example: UPLOAD_ABORTED },
    },
    problems: [UploadNotFoundException],
  },
  async ({ actor, params }, { documents }) => {
    await documents.abortDirectUpload(actor, params.uuid)
    return UPLOAD_ABORTED
  },
)
