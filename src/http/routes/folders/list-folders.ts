import { Type } from 'typebox'

import { ACCOUNT_TYPES } from '../../../resources/account-types.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleRoot, folderSchema, presentFolder } from '../../presenters/present-folder.ts'
import {
  enterpriseIdField,
  examplePage,
  listOf,
  pageQuery,
  presentPage,
  searchQuery,
  strictObject,
} from '../../schemas.ts'

export const FOLDERS_ON_A_PAGE = 7

export const folderList = listOf('FolderList', folderSchema, FOLDERS_ON_A_PAGE)

export const listFolders = defineRoute(
  {
    method: 'get',
    path: '/folders',
    access: 'super-admin',
    tag: 'folders',
    summary: 'List active folders, or those that can be restored, newest first',
    query: strictObject({
      ...pageQuery(FOLDERS_ON_A_PAGE),
      search: searchQuery,
      accountType: Type.Optional(Type.Enum(ACCOUNT_TYPES)),
      enterpriseId: enterpriseIdField,
      parent: Type.Enum(['root', 'all', 'deleted'], {
        default: 'root',
        description: 'Roots alone, all, or what can be restored',
      }),
    }),
    responses: {
      200: {
        description: 'A page of folders',
        schema: folderList,
        example: examplePage([exampleRoot], FOLDERS_ON_A_PAGE),
      },
    },
  },
  async ({ actor, query, signal }, { folders }) =>
    presentPage(await folders.list(actor, query, signal), query, presentFolder),
)
