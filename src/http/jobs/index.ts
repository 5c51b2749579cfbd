import { createSourceJob } from './create-source.ts'
import type { StoredJob } from './define-job.ts'
import { deleteRootFolderJob } from './delete-root-folder.ts'
import { launchWorkflowJob } from './launch-workflow.ts'
import { publishLoadJob } from './publish-load.ts'
import { reloadSourceJob, takeMendedJob } from './reload-source.ts'
import { rollBackJob } from './roll-back.ts'

/** Every kind of long work that a worker can take from the queue. */
export const STORED_JOBS: readonly StoredJob[] = [
  createSourceJob,
  reloadSourceJob,
  takeMendedJob,
  publishLoadJob,
  rollBackJob,
  deleteRootFolderJob,
  launchWorkflowJob,
]
