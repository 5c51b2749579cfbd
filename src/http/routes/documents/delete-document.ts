import { DocumentNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { documentPath } from '../../presenters/present-document.ts'
import { message } from '../../schemas.ts'
import { documentMessages } from '../../../domain/documents/document-messages.ts'

const DELETED = { message: documentMessages.deleted() }

export const deleteDocument = defineRoute(
  {
    method: 'delete',
    path: '/documents/:uuid',
    access: 'user',
    tag: 'documents',
    summary: 'Delete a document of mine and its stored file',
    audit: 'document.remove',
    params: documentPath,
    responses: { 200: { description: 'It is gone', schema: message, example: DELETED } },
    problems: [DocumentNotFoundException],
  },
  async ({ actor, params, record }, { documents }) => {
    await documents.remove(actor, params.uuid, record)
    return DELETED
  },
)
