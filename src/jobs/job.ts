import type { ClientBase } from 'pg'

import type { Queries } from '../db/in-turn.ts'
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
   * cancel the job. Throws if it was already cancelled, or if its owner may no longer change what
   * is of this enterprise, if it is of one. `made`: the uuid of the thing that the work makes.
   */
  seal(client: ClientBase, enterpriseId: number | null, made?: string): Promise<void>
  /**
   * For work that takes effect before its end: throws if the owner has lost the rights to it. In a
   * transaction they cannot lose them before its end.
   */
  requireRights(client: Queries): Promise<void>
}
