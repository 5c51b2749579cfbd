import { UploadNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { message, uuidParams } from '../../schemas.ts'

export const abortUpload = defineRoute(
  {
    method: 'delete',
    path: '/documents/uploads/:uuid',
    access: 'user',
    tag: 'documents',
    summary: 'Give up an upload in parts',
    params: uuidParams,
    responses: { 200: { description: 'Its parts are gone', schema: message } },
    problems: [UploadNotFoundException],
  },
  async ({ actor, params }, { documents }) => {
    await documents.abortDirectUpload(actor, params.uuid)
    return { message: 'The upload was aborted' }
  },
)
