import type { ClientBase } from 'pg'

import type { ProblemDocument } from '../errors/index.ts'

export const JOB_STATUSES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

const FINISHED: readonly JobStatus[] = ['SUCCEEDED', 'FAILED', 'CANCELLED']
export const isFinished = (job: { status: JobStatus }): boolean => FINISHED.includes(job.status)

/** The record that is kept of every long call, whichever way it was answered. */
export interface Job {
  readonly uuid: string
  readonly kind: string
  readonly ownerId: number
  readonly status: JobStatus
  readonly progress: JobProgress
  readonly result: unknown
  readonly error: ProblemDocument | null
  /** Grows with every change. */
  readonly version: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
}

export interface JobProgress {
  readonly phase: string | null
  readonly bytesRead: number
  readonly bytesTotal: number | null
  readonly rows: number
  readonly rejected: number
}

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
