import type { Queries } from '../../db/in-turn.ts'
import { LockTimeoutError, translateDatabaseError } from '../../db/database-errors.ts'
import {
  LOCKS,
  lockUntilCommit,
  lockUntilCommitIfFree,
  lockUntilUnlocked,
  unlock,
} from '../../db/locks.ts'
import { FolderBeingDeletedException } from '../../errors/index.ts'

/** Longer than any change of a tree holds its locks. */
const DELETION_WAIT_MS = 5_000

/**
 * Locks the tree until the end of the transaction. Additions to a tree share the lock; rearranging
 * it requires an exclusive one. Refused at once while the tree is being permanently deleted.
 */
export async function lockTree(
  client: Queries,
  rootId: number,
  mode: 'to-add' | 'to-rearrange',
): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    lockUntilCommitIfFree(LOCKS.treeDeletion(rootId), 'shared'),
  )
  if (!rows[0]?.locked) throw new FolderBeingDeletedException()
  await client.query(
    lockUntilCommit(LOCKS.folderTree(rootId), mode === 'to-add' ? 'shared' : 'alone'),
  )
}

/**
 * Prevents all changes of the tree until `unlockAfterDeletion`, or until the process dies. Waits
 * for changes in progress; refused if another deletion holds the tree.
 */
export async function lockForDeletion(client: Queries, rootId: number): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${DELETION_WAIT_MS}`)
    await client.query(lockUntilUnlocked(LOCKS.treeDeletion(rootId)))
  } catch (error) {
    if (!(translateDatabaseError(error) instanceof LockTimeoutError)) throw error
    throw new FolderBeingDeletedException(undefined, { cause: error })
  } finally {
    await client.query('reset lock_timeout')
  }
}

export async function unlockAfterDeletion(client: Queries, rootId: number): Promise<void> {
  await client.query(unlock(LOCKS.treeDeletion(rootId)))
}
