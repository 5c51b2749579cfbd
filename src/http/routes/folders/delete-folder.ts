import { FolderBeingDeletedException, FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { folderPath } from '../../presenters/present-folder.ts'
import { message } from '../../schemas.ts'
import { folderMessages } from '../../../domain/folders/folder-messages.ts'

const DELETED = { message: folderMessages.deleted() }

export const deleteFolder = defineRoute(
  {
    method: 'delete',
    path: '/folders/:uuid',
    access: 'super-admin',
    tag: 'folders',
    summary: 'Delete a folder and what lies below it, so that it can be restored',
    audit: 'folder.remove',
    params: folderPath,
    responses: {
      200: { description: 'It has disappeared from every list', schema: message, example: DELETED },
    },
    problems: [FolderNotFoundException, FolderBeingDeletedException],
  },
  async ({ actor, params, record }, { folders }) => {
    await folders.remove(actor, params.uuid, record)
    return DELETED
  },
)
