import {
  FolderBeingDeletedException,
  FolderMoveConflictException,
  FolderNotFoundException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  exampleRoot,
  folderPath,
  folderSchema,
  presentFolder,
} from '../../presenters/present-folder.ts'
import { named, strictObject, uuid } from '../../schemas.ts'

export const moveFolder = defineRoute(
  {
    method: 'post',
    path: '/folders/:uuid/move',
    access: 'super-admin',
    tag: 'folders',
    summary: 'Move a folder below another one of the same enterprise',
    audit: 'folder.move',
    params: folderPath,
    body: named('FolderMove', strictObject({ parentUuid: uuid('What it lies in from now on') }), {
      'below-the-root': { parentUuid: exampleRoot.uuid },
    }),
    responses: { 200: { description: 'The folder', schema: folderSchema, shows: ['sub-folder'] } },
    problems: [FolderNotFoundException, FolderMoveConflictException, FolderBeingDeletedException],
  },
  async ({ actor, params, body, record }, { folders }) =>
    presentFolder(await folders.move(actor, params.uuid, body.parentUuid, record)),
)
