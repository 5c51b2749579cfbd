import { FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { presentFolder } from '../../presenters/present-folder.ts'
import { pageQuery, presentPage, strictObject, uuidParams } from '../../schemas.ts'
import { folderList, FOLDERS_ON_A_PAGE } from './list-folders.ts'

export const listChildren = defineRoute(
  {
    method: 'get',
    path: '/folders/:uuid/children',
    access: 'folder-tree',
    tag: 'folders',
    summary: 'List the direct sub-folders of a folder, newest first',
    params: uuidParams,
    query: strictObject(pageQuery(FOLDERS_ON_A_PAGE)),
    responses: { 200: { description: 'A page of folders', schema: folderList } },
    problems: [FolderNotFoundException],
  },
  async ({ actor, params, query }, { folders }) =>
    presentPage(await folders.children(actor, params.uuid, query), query, presentFolder),
)
