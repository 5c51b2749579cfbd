import { FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleSubFolder, presentFolder, rootPath } from '../../presenters/present-folder.ts'
import { examplePage, pageQuery, presentPage, strictObject } from '../../schemas.ts'
import { folderList, FOLDERS_ON_A_PAGE } from './list-folders.ts'

export const listChildren = defineRoute(
  {
    method: 'get',
    path: '/folders/:uuid/children',
    access: 'folder-tree',
    tag: 'folders',
    summary: 'List the direct sub-folders of a folder, newest first',
    params: rootPath,
    query: strictObject(pageQuery(FOLDERS_ON_A_PAGE)),
    responses: {
      200: {
        description: 'A page of folders',
        schema: folderList,
        example: examplePage([exampleSubFolder], FOLDERS_ON_A_PAGE),
      },
    },
    problems: [FolderNotFoundException],
  },
  async ({ actor, params, query, signal }, { folders }) =>
    presentPage(await folders.children(actor, params.uuid, query, signal), query, presentFolder),
)
