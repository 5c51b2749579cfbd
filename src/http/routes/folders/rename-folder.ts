import { FolderBeingDeletedException, FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import {
  exampleSubFolder,
  folderPath,
  folderSchema,
  presentFolder,
} from '../../presenters/present-folder.ts'
import { named, strictObject, trimmedName } from '../../schemas.ts'

export const renameFolder = defineRoute(
  {
    method: 'patch',
    path: '/folders/:uuid',
    access: 'super-admin',
    tag: 'folders',
    summary: 'Rename a folder',
    audit: 'folder.rename',
    params: folderPath,
    body: named('FolderPatch', strictObject({ name: trimmedName('The new name') }), {
      rename: { name: exampleSubFolder.name },
    }),
    responses: { 200: { description: 'The folder', schema: folderSchema, shows: ['sub-folder'] } },
    problems: [FolderNotFoundException, FolderBeingDeletedException],
  },
  async ({ actor, params, body, record }, { folders }) =>
    presentFolder(await folders.rename(actor, params.uuid, body.name, record)),
)
