import { DocumentNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { documentSchema, presentDocument } from '../../presenters/present-document.ts'
import { uuidParams } from '../../schemas.ts'

export const showDocument = defineRoute(
  {
    method: 'get',
    path: '/documents/:uuid',
    access: 'user',
    tag: 'documents',
    summary: 'Show a document of mine',
    params: uuidParams,
    responses: { 200: { description: 'The document', schema: documentSchema } },
    problems: [DocumentNotFoundException],
  },
  async ({ actor, params }, { documents }) =>
    presentDocument(await documents.show(actor, params.uuid)),
)
