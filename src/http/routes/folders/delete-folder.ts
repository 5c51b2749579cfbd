import { FolderBeingDeletedException, FolderNotFoundException } from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { message, uuidParams } from '../../schemas.ts'

export const deleteFolder = defineRoute(
  {
    method: 'delete',
    path: '/folders/:uuid',
    access: 'super-admin',
    tag: 'folders',
    summary: 'Delete a folder and what lies below it, so that it can be restored',
    params: uuidParams,
    responses: { 200: { description: 'It has disappeared from every list', schema: message } },
    problems: [FolderNotFoundException, FolderBeingDeletedException],
  },
  async ({ params }, { folders }) => {
    await folders.remove(params.uuid)
    return { message: 'The folder was deleted' }
  },
)
