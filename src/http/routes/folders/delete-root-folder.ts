import { Type } from 'typebox'

import { ACCESS_TO_WORK } from '../../../domain/long-work.ts'
import {
  FolderBeingDeletedException,
  FolderDeleteConfirmationMismatchException,
  FolderNotFoundException,
  FolderNotRootException,
} from '../../../errors/index.ts'
import { defineRoute } from '../../define-route.ts'
import { exampleRoot, rootDeletionSchema, rootPath } from '../../presenters/present-folder.ts'
import { prefersAsync, respondAsJob } from '../../respond-as-job.ts'
import { named, strictObject } from '../../schemas.ts'

const confirmation = named(
  'RootDeletionConfirmation',
  strictObject({
    folderName: Type.String({ description: 'The name of the folder, exactly as it stands' }),
  }),
  { 'by-name': { folderName: exampleRoot.name } },
)

export const deleteRootFolder = defineRoute(
  {
    method: 'delete',
    path: '/folders/:uuid/root',
    access: ACCESS_TO_WORK['folder.delete-root'],
    tag: 'folders',
    summary: 'Delete a root folder for good, with its tree, documents and stored files',
    audit: 'folder.delete-root',
    description:
      'Best effort: documents whose file cannot be deleted stay, with their folders, and the same ' +
      'call again goes on with them. A mail tells about large and long deletions.',
    params: rootPath,
    body: confirmation,
    responses: { 200: { description: 'What became of the tree', schema: rootDeletionSchema } },
    problems: [
      FolderNotFoundException,
      FolderNotRootException,
      FolderDeleteConfirmationMismatchException,
      FolderBeingDeletedException,
    ],
    longRunning: 'folder.delete-root',
  },
  async (request, services) => {
    const { language, params, body } = request
    const input = { uuid: params.uuid, folderName: body.folderName, language }
    await services.rootDeletion.check(request.actor, input)
    // What was deleted before a failure stays deleted, so it is written down before it begins.
    if (!prefersAsync(request.header('prefer'))) await request.record(null)
    return respondAsJob(request, services, 'folder.delete-root', input)
  },
)
