import type { JobContext } from '../../jobs/job.ts'
import type { Actor } from '../actor.ts'

export interface RootDeletionRequest {
  readonly uuid: string
  /** The exact name, typed again by whoever means it. */
  readonly folderName: string
}

export interface FailedDocument {
  readonly uuid: string
  readonly reason: string
}

/** A storage that refuses everything may refuse millions; these many are named. */
export const MOST_FAILED_NAMED = 20_000

export interface FailedDocuments {
  readonly failedDocuments: readonly FailedDocument[]
  /** Of all, also of those that are not named any more. */
  readonly failedDocumentCount: number
}

export interface RootDeletionResult extends FailedDocuments {
  /** False while documents are left whose file could not be deleted. */
  readonly folderDeleted: boolean
  readonly deletedFolders: number
  readonly deletedDocuments: number
  readonly notified: boolean
}

/** The job tells a second run of the same deletion from another one. */
export type DeletionContext = Pick<JobContext, 'jobUuid' | 'signal' | 'report'>

/** Deletes trees for good. Best effort and resumable: run again, it goes on with what is left. */
export interface RootDeletion {
  /** Refuses what `run` would refuse, before anything is queued. */
  check(actor: Actor, request: RootDeletionRequest): Promise<void>
  run(
    actor: Actor,
    request: RootDeletionRequest,
    context: DeletionContext,
  ): Promise<RootDeletionResult>
}
