import { DocumentNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { message, uuidParams } from '../../schemas.ts'

export const deleteDocument = defineRoute(
  {
    method: 'delete',
    path: '/documents/:uuid',
    access: 'user',
    tag: 'documents',
    summary: 'Delete a document of mine and its stored file',
    params: uuidParams,
    responses: { 200: { description: 'It is gone', schema: message } },
    problems: [DocumentNotFoundException],
  },
  async ({ actor, params }, { documents }) => {
    await documents.remove(actor, params.uuid)
    return { message: 'The document was deleted' }
  },
)
