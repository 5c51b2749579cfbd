import { FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { filedDocumentSchema, presentFiledDocument } from '../../presenters/present-document.ts'
import { folderPath } from '../../presenters/present-folder.ts'
import { listOf, pageQuery, presentPage, searchQuery, strictObject } from '../../schemas.ts'

export const listFolderDocuments = defineRoute(
  {
    method: 'get',
    path: '/folders/:uuid/documents',
    access: 'folder-tree',
    tag: 'folders',
    summary: 'List the documents that lie directly in a folder, newest first',
    description: 'Clients are shown those that they uploaded, admins and super-admins all of them.',
    params: folderPath,
    query: strictObject({ ...pageQuery(20), search: searchQuery }),
    responses: {
      200: {
        description: 'A page of documents',
        schema: listOf('FiledDocumentList', filedDocumentSchema),
      },
    },
    problems: [FolderNotFoundException],
  },
  async ({ actor, params, query, signal }, { documents }) =>
    presentPage(
      await documents.inFolder(actor, params.uuid, query, signal),
      query,
      presentFiledDocument,
    ),
)
