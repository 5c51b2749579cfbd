import type { Knex } from 'knex'
import type { QueryBuilderType } from 'objection'
import type { Pool, PoolClient } from 'pg'

import { inTransaction } from '../../db/transaction.ts'
import {
  FolderDeleteConfirmationMismatchException,
  FolderNotFoundException,
  FolderNotRootException,
} from '../../errors/index.ts'
import { FolderModel } from '../../models/folder.ts'
import { folderDeletionNotice } from '../../notifications/folder-deletion-notice.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Mailer } from '../../notifications/mailer.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import type { RootDeletionResult } from '../../resources/root-deletion.ts'
import type { Actor } from '../actor.ts'
import {
  deleteDocuments,
  deleteEmptyFolders,
  type DeletionContext,
  type FailedDocuments,
  openTally,
  readTally,
} from './delete-tree.ts'
import { findNode, type FolderNode } from './find-folder.ts'
import { lockForDeletion, unlockAfterDeletion } from './tree-lock.ts'
import { type Language } from '../../../pipelines/index.ts'

export interface RootDeletionRequest {
  readonly uuid: string
  /** The exact name, typed again as a confirmation. */
  readonly folderName: string
  /** The language of the notice; absent if none was requested. */
  readonly language?: Language | undefined
}

interface RootDeletionParts {
  readonly pool: Pool
  readonly knex: Knex
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
const MANY_FILES = 1000

/**
 * Deletes trees permanently. Best effort and resumable: run again, it continues with what is left.
 */
export function createRootDeletion(parts: RootDeletionParts) {
  const { pool } = parts
  return {
    /** Refuses what `run` would refuse, before anything is queued. */
    async check(actor: Actor, request: RootDeletionRequest): Promise<void> {
      await findConfirmed(FolderModel.query(parts.knex), actor, request)
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
      const notified = await notifyOfDeletion(parts, actor, told)
      const { failedDocumentCount, ...result } = left
      const areNamed = failedDocumentCount === result.failedDocuments.length
      return { ...result, ...counts, ...(!areNamed && { failedDocumentCount }), notified }
    },
  }
}

export type RootDeletion = ReturnType<typeof createRootDeletion>

async function deleteTree(
  { pool, knex, store, silentAfterMs = SILENT_AFTER_MS }: RootDeletionParts,
  actor: Actor,
  request: RootDeletionRequest,
  context: DeletionContext,
): Promise<Pick<RootDeletionResult, 'folderDeleted'> & FailedDocuments> {
  const { jobUuid, signal } = context
  const { id: rootId, enterprise_id: enterpriseId } = await findConfirmed(
    FolderModel.query(knex),
    actor,
    request,
  )
  return withTreeClosed(pool, rootId, async (client, onBroken) => {
    // Another deletion may have left nothing, or the folder may have been renamed.
    await findConfirmed(FolderModel.query(knex).on(client), actor, request)
    const { deletedDocuments: deletedBefore } = await openTally(client, jobUuid, enterpriseId)
    const parts = { ...context, client, store, rootId, deletedBefore, silentAfterMs }
    const failed = await deleteDocuments(parts)
    signal.throwIfAborted()
    const folders = await inTransaction(
      client,
      async () => {
        await context.requireRights(client)
        return deleteEmptyFolders(client, rootId, jobUuid)
      },
      { onBroken },
    )
    return { ...folders, ...failed }
  })
}

async function findConfirmed(
  folders: QueryBuilderType<FolderModel>,
  actor: Actor,
  { uuid, folderName }: RootDeletionRequest,
): Promise<FolderNode> {
  const folder = await findNode(folders, actor, uuid, { orDeleted: true })
  if (folder.parent_id !== null) throw new FolderNotRootException()
  if (folder.name !== folderName) throw new FolderDeleteConfirmationMismatchException()
  return folder
}

/** One connection does all of the work and holds the lock, so both end with the process. */
async function withTreeClosed<R>(
  pool: Pool,
  rootId: number,
  work: (client: PoolClient, onBroken: (failure: Error) => void) => Promise<R>,
): Promise<R> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onBroken = (failure: Error) => {
    broken = failure
  }
  try {
    await lockForDeletion(client, rootId)
    try {
      return await work(client, onBroken)
    } finally {
      await unlockAfterDeletion(client, rootId).catch(onBroken)
    }
  } finally {
    client.release(broken)
  }
}

interface FinishedDeletion
  extends FailedDocuments, Omit<RootDeletionResult, 'notified' | keyof FailedDocuments> {
  readonly folderName: string
  readonly language: Language
  readonly enterpriseId: number
  readonly durationMs: number
}

/**
 * Notifies the person who began a deletion that was large or long. Nothing else depends on the
 * mail.
 */
async function notifyOfDeletion(
  { pool, mailer, logger, noticeAfterMs }: RootDeletionParts,
  actor: Actor,
  deletion: FinishedDeletion,
): Promise<boolean> {
  const failed = deletion.failedDocumentCount
  const isLarge = deletion.deletedDocuments + failed > MANY_FILES
  if (!isLarge && deletion.durationMs <= noticeAfterMs) return false
  try {
    const { rows } = await pool.query<{ name: string }>(
      'select name from enterprises where id = $1',
      [deletion.enterpriseId],
    )
    const told = { ...deletion, failedDocuments: failed, enterpriseName: rows[0]?.name ?? '' }
    const notice = folderDeletionNotice(told, deletion.language)
    await mailer.send({ to: actor.email, ...notice })
    return true
  } catch (error) {
    logger.warn(
      { err: error, folder: deletion.folderName },
      'the notice of a deletion could not be sent',
    )
    return false
  }
}
