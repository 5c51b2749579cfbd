import type { Pool, PoolClient } from 'pg'

import {
  FolderDeleteConfirmationMismatchException,
  FolderNotRootException,
} from '../../errors/index.ts'
import type { Logger } from '../../observability/logger.ts'
import type { Mailer } from '../../notifications/mailer.ts'
import type { ObjectStore } from '../../storage/object-store.ts'
import { deleteDocuments } from './delete-documents.ts'
import { deleteEmptyFolders } from './delete-empty-folders.ts'
import { findNode, type FolderNode } from './find-folder.ts'
import { notifyOfDeletion } from './notify-of-deletion.ts'
import type { RootDeletion, RootDeletionRequest } from './root-deletion.ts'
import { lockForDeletion, unlockAfterDeletion } from './tree-lock.ts'

export interface RootDeletionParts {
  readonly pool: Pool
  readonly store: ObjectStore
  readonly mailer: Mailer
  readonly logger: Logger
  readonly noticeAfterMs: number
}

export function createRootDeletion(parts: RootDeletionParts): RootDeletion {
  const { pool, store, noticeAfterMs } = parts
  return {
    async check(request) {
      await findConfirmed(pool, request)
    },

    async run(actor, request, { signal, report }) {
      const begunMs = performance.now()
      const root = await findConfirmed(pool, request)
      const done = await withTreeClosed(pool, root.id, async (client) => {
        // A deletion that was first may have left nothing, or a rename another name.
        await findConfirmed(client, request)
        const documents = await deleteDocuments({ client, store, rootId: root.id, signal, report })
        signal.throwIfAborted()
        return { ...documents, ...(await deleteEmptyFolders(client, root.id)) }
      })
      const durationMs = performance.now() - begunMs
      const notified = await notifyOfDeletion(
        parts,
        actor,
        root,
        { ...done, durationMs },
        noticeAfterMs,
      )
      return { ...done, notified }
    },
  }
}

async function findConfirmed(
  client: Pick<PoolClient, 'query'>,
  { uuid, folderName }: RootDeletionRequest,
): Promise<FolderNode> {
  const folder = await findNode(client, uuid, { enterpriseScope: null, orDeleted: true })
  if (folder.parent_id !== null) throw new FolderNotRootException()
  if (folder.name !== folderName) throw new FolderDeleteConfirmationMismatchException()
  return folder
}

/** One connection does all of the work and holds the lock; with the process both are gone. */
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
