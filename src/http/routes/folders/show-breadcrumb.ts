import { FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { breadcrumbSchema, folderPath } from '../../presenters/present-folder.ts'

export const showBreadcrumb = defineRoute(
  {
    method: 'get',
    path: '/folders/:uuid/breadcrumb',
    access: 'folder-tree',
    tag: 'folders',
    summary: 'Show the path from the root down to a folder',
    params: folderPath,
    responses: { 200: { description: 'Root first, the folder last', schema: breadcrumbSchema } },
    problems: [FolderNotFoundException],
  },
  async ({ actor, params }, { folders }) => {
    const path = await folders.breadcrumb(actor, params.uuid)
    return { items: path.map(({ uuid, name }) => ({ uuid, name })) }
  },
)
