import { DocumentNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { documentPath, documentSchema, presentDocument } from '../../presenters/present-document.ts'

export const showDocument = defineRoute(
  {
    method: 'get',
    path: '/documents/:uuid',
    access: 'user',
    tag: 'documents',
    summary: 'Show a document of mine',
    params: documentPath,
    responses: { 200: { description: 'The document', schema: documentSchema } },
    problems: [DocumentNotFoundException],
  },
  async ({ actor, params }, { documents }) =>
    presentDocument(await documents.show(actor, params.uuid)),
)
