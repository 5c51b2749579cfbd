import type { StoredJob } from './define-job.ts'
import { launchWorkflowJob } from './launch-workflow.ts'

/** Every kind of long work that a worker can take from the queue. */
export const STORED_JOBS: readonly StoredJob[] = [launchWorkflowJob]
