import type { Pool, PoolClient } from 'pg'

import {
  FolderDeleteConfirmationMismatchException,
  FolderNotFoundException,
  FolderNotRootException,
} from '../../errors/index.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Mailer } from '../../notifications/mailer.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { RootDeletionResult } from '../../resources/root-deletion.ts'
import type { Actor } from '../actor.ts'
import { deleteDocuments } from './delete-documents.ts'
import { deleteEmptyFolders } from './delete-empty-folders.ts'
import { openTally, readTally } from './deletion-tally.ts'
import { findNode, type FolderNode } from './find-folder.ts'
import { notifyOfDeletion } from './notify-of-deletion.ts'
import type { DeletionContext, FailedDocuments, RootDeletionRequest } from './root-deletion.ts'
import { lockForDeletion, unlockAfterDeletion } from './tree-lock.ts'
import { type Language } from '../../../pipelines/index.ts'

interface RootDeletionParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly mailer: Mailer
  readonly logger: Logger
  readonly noticeAfterMs: number
  /** The language of notices, if the request names none. */
  readonly language: Language
  /** If a whole batch fails after this time, the storage does not answer. */
  readonly silentAfterMs?: number
}

const SILENT_AFTER_MS = 10_000

/**
 * Deletes trees permanently. Best effort and resumable: run again, it continues with what is left.
 */
export function createRootDeletion(parts: RootDeletionParts) {
  const { pool, noticeAfterMs } = parts
  return {
    /** Refuses what `run` would refuse, before anything is queued. */
    async check(actor: Actor, request: RootDeletionRequest): Promise<void> {
      await findConfirmed(pool, actor, request)
    },

    async run(
      actor: Actor,
      request: RootDeletionRequest,
      context: DeletionContext,
    ): Promise<RootDeletionResult> {
      const { jobUuid } = context
      const left = await deleteTree(parts, actor, request, context).catch(
        async (error: unknown) => {
          // An earlier run of this job deleted everything, but its worker died before it could
          // report that.
          const begun = error instanceof FolderNotFoundException && (await readTally(pool, jobUuid))
          if (!begun) throw error
          return { folderDeleted: true, failedDocuments: [], failedDocumentCount: 0 }
        },
      )
      const { enterpriseId, durationMs, ...counts } = (await readTally(pool, jobUuid))!
      const told = {
        ...left,
        ...counts,
        enterpriseId,
        durationMs,
        folderName: request.folderName,
        language: request.language ?? parts.language,
      }
      const notified = await notifyOfDeletion(parts, actor, told, noticeAfterMs)
      const { failedDocumentCount, ...result } = left
      const areNamed = failedDocumentCount === result.failedDocuments.length
      return { ...result, ...counts, ...(!areNamed && { failedDocumentCount }), notified }
    },
  }
}

export type RootDeletion = ReturnType<typeof createRootDeletion>

async function deleteTree(
  { pool, store, silentAfterMs = SILENT_AFTER_MS }: RootDeletionParts,
  actor: Actor,
  request: RootDeletionRequest,
  context: DeletionContext,
): Promise<Pick<RootDeletionResult, 'folderDeleted'> & FailedDocuments> {
  const { jobUuid, signal } = context
  const { id: rootId, enterprise_id: enterpriseId } = await findConfirmed(pool, actor, request)
  return withTreeClosed(pool, rootId, async (client) => {
    // Another deletion may have left nothing, or the folder may have been renamed.
    await findConfirmed(client, actor, request)
    const { deletedDocuments: deletedBefore } = await openTally(client, jobUuid, enterpriseId)
    const parts = { ...context, client, store, rootId, deletedBefore, silentAfterMs }
    const failed = await deleteDocuments(parts)
    signal.throwIfAborted()
    return { ...(await deleteEmptyFolders(client, rootId, jobUuid)), ...failed }
  })
}

async function findConfirmed(
  client: Pick<PoolClient, 'query'>,
  actor: Actor,
  { uuid, folderName }: RootDeletionRequest,
): Promise<FolderNode> {
  const folder = await findNode(client, actor, uuid, { orDeleted: true })
  if (folder.parent_id !== null) throw new FolderNotRootException()
  if (folder.name !== folderName) throw new FolderDeleteConfirmationMismatchException()
  return folder
}

/** One connection does all of the work and holds the lock, so both end with the process. */
async function withTreeClosed<R>(
  pool: Pool,
  rootId: number,
  work: (client: PoolClient) => Promise<R>,
): Promise<R> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await lockForDeletion(client, rootId)
    try {
      return await work(client)
    } finally {
      await unlockAfterDeletion(client, rootId).catch((error: Error) => {
        broken = error
      })
    }
  } finally {
    client.release(broken)
  }
}
