import type { RootDeletionRequest } from '../../domain/folders/root-deletion.ts'
import { presentRootDeletion } from '../presenters/present-folder.ts'
import { defineJob } from './define-job.ts'

export const deleteRootFolderJob = defineJob<RootDeletionRequest>({
  kind: 'folder.delete-root',
  run: async (input, actor, context, { rootDeletion }) =>
    presentRootDeletion(await rootDeletion.run(actor, input, context)),
})
