import { Type } from 'typebox'

import { defineRoute } from '../../define-route.ts'
import {
  documentSchema,
  exampleDocument,
  presentDocument,
} from '../../presenters/present-document.ts'
import {
  examplePage,
  named,
  pageQuery,
  presentPage,
  searchQuery,
  strictObject,
} from '../../schemas.ts'

const DEFAULT_LIMIT = 6

const documentList = named(
  'DocumentList',
  strictObject({
    items: Type.Array(documentSchema),
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    limit: Type.Integer({ minimum: 1 }),
    totalPages: Type.Integer({ minimum: 0 }),
  }),
  { page: { ...examplePage([exampleDocument], DEFAULT_LIMIT), totalPages: 1 } },
)

export const listDocuments = defineRoute(
  {
    method: 'get',
    path: '/documents',
    access: 'user',
    tag: 'documents',
    summary: 'List my documents, newest first',
    description: 'What the caller uploaded, whatever their role.',
    query: strictObject({ ...pageQuery(DEFAULT_LIMIT), search: searchQuery }),
    responses: { 200: { description: 'A page of documents', schema: documentList } },
  },
  async ({ actor, query, signal }, { documents }) => {
    const page = presentPage(await documents.list(actor, query, signal), query, presentDocument)
    return { ...page, totalPages: Math.ceil(page.total / page.limit) }
  },
)
