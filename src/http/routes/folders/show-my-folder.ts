import { FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { folderWithChildrenSchema, presentFolder } from '../../presenters/present-folder.ts'

export const showMyFolder = defineRoute(
  {
    method: 'get',
    path: '/folders/mine',
    access: 'user',
    tag: 'folders',
    summary: 'Show the root folder of my enterprise and what lies directly in it',
    responses: { 200: { description: 'The folder', schema: folderWithChildrenSchema } },
    problems: [FolderNotFoundException],
  },
  async ({ actor }, { folders }) => {
    const { root, children } = await folders.mine(actor)
    return { ...presentFolder(root), children: children.map(presentFolder) }
  },
)
