import { Type } from 'typebox'

import { DocumentNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { documentPath, exampleDocument } from '../../presenters/present-document.ts'
import { named, strictObject } from '../../schemas.ts'

const downloadLink = named(
  'DownloadLink',
  strictObject({
    url: Type.String({ format: 'uri', description: 'Temporary; answers with an attachment' }),
    filename: Type.String({ description: 'The name it was uploaded under' }),
  }),
  {
    temporary: {
      url: 'https://files.example.com/documents/5b/5bf82512?expires=1775028600&signature=b0e20bf7eb62d03c',
      filename: exampleDocument.filename,
    },
  },
)

export const downloadDocument = defineRoute(
  {
    method: 'get',
    path: '/documents/:uuid/download',
    access: 'user',
    tag: 'documents',
    summary: 'Get a temporary download link of a document of mine',
    params: documentPath,
    responses: { 200: { description: 'The link', schema: downloadLink } },
    problems: [DocumentNotFoundException],
  },
  async ({ actor, params }, { documents }) => {
    const { url, filename } = await documents.downloadLink(actor, params.uuid)
    return { url, filename }
  },
)
