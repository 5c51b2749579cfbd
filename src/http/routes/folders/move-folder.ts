import {
  FolderBeingDeletedException,
  FolderMoveConflictException,
  FolderNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { folderSchema, presentFolder } from '../../presenters/present-folder.ts'
import { named, strictObject, uuid, uuidParams } from '../../schemas.ts'

export const moveFolder = defineRoute(
  {
    method: 'post',
    path: '/folders/:uuid/move',
    access: 'super-admin',
    tag: 'folders',
    summary: 'Move a folder below another one of the same enterprise',
    params: uuidParams,
    body: named('FolderMove', strictObject({ parentUuid: uuid('What it lies in from now on') })),
    responses: { 200: { description: 'The folder', schema: folderSchema } },
    problems: [FolderNotFoundException, FolderMoveConflictException, FolderBeingDeletedException],
  },
  async ({ params, body }, { folders }) =>
    presentFolder(await folders.move(params.uuid, body.parentUuid)),
)
