import {
  FolderBeingDeletedException,
  FolderNotFoundException,
  FolderRestoreConflictException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { folderPath, folderSchema, presentFolder } from '../../presenters/present-folder.ts'

export const restoreFolder = defineRoute(
  {
    method: 'post',
    path: '/folders/:uuid/restore',
    access: 'super-admin',
    tag: 'folders',
    summary: 'Bring a deleted folder back, with what was deleted together with it',
    audit: 'folder.restore',
    description: 'A folder that is not deleted stays as it is.',
    params: folderPath,
    responses: { 200: { description: 'The folder', schema: folderSchema, shows: ['sub-folder'] } },
    problems: [
      FolderNotFoundException,
      FolderRestoreConflictException,
      FolderBeingDeletedException,
    ],
  },
  async ({ actor, params, record }, { folders }) =>
    presentFolder(await folders.restore(actor, params.uuid, record)),
)
