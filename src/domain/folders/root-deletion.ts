import type { JobContext } from '../../jobs/job.ts'
import type { RootDeletionResult } from '../../resources/root-deletion.ts'
import { type Language } from '../../../pipelines/index.ts'

export interface RootDeletionRequest {
  readonly uuid: string
  /** The exact name, typed again by whoever means it. */
  readonly folderName: string
  /** To tell about it in; absent where nobody said. */
  readonly language?: Language | undefined
}

export interface FailedDocuments extends Pick<RootDeletionResult, 'failedDocuments'> {
  /** Of all, also of those that are not named any more. */
  readonly failedDocumentCount: number
}

/** The job tells a second run of the same deletion from another one. */
export type DeletionContext = Pick<JobContext, 'jobUuid' | 'signal' | 'report'>
