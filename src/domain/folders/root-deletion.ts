import type { JobContext } from '../../jobs/job.ts'
import type { RootDeletionResult } from '../../resources/root-deletion.ts'
import { type Language } from '../../../pipelines/index.ts'

export interface RootDeletionRequest {
  readonly uuid: string
  /** The exact name, typed again as a confirmation. */
  readonly folderName: string
  /** The language of the notice; absent if none was requested. */
  readonly language?: Language | undefined
}

export interface FailedDocuments extends Pick<RootDeletionResult, 'failedDocuments'> {
  /** Counts all of them, including those that are no longer listed. */
  readonly failedDocumentCount: number
}

/** The job distinguishes another run of the same deletion from a different one. */
export type DeletionContext = Pick<JobContext, 'jobUuid' | 'signal' | 'report'>
