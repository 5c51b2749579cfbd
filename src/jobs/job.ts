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

/** What the work is given: a way to report progress, and a signal to stop. */
export interface JobContext {
  readonly jobUuid: string
  readonly signal: AbortSignal
  report(progress: Partial<JobProgress>): void
  /**
   * Call it last in the transaction that makes the work visible: after that commit nobody can
   * cancel the job. Throws if it was already cancelled.
   */
  seal(client: ClientBase): Promise<void>
}
