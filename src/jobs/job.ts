import type { ClientBase } from 'pg'

import type { JobProgress, JobStatus } from '../resources/job.ts'

const FINISHED: readonly JobStatus[] = ['SUCCEEDED', 'FAILED', 'CANCELLED']
export const isFinished = (job: { status: JobStatus }): boolean => FINISHED.includes(job.status)

export const NO_PROGRESS: JobProgress = {
  phase: null,
  bytesRead: 0,
  bytesTotal: null,
  rows: 0,
  rejected: 0,
}

/** What the work itself gets: it reports, and it stops when told to. */
export interface JobContext {
  readonly jobUuid: string
  readonly signal: AbortSignal
  report(progress: Partial<JobProgress>): void
  /**
   * Last in the transaction that makes the work visible: once that is committed nobody can cancel
   * the job any more. Throws where somebody already did.
   */
  seal(client: ClientBase): Promise<void>
}
