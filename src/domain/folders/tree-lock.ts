import type { ClientBase } from 'pg'

import { FolderBeingDeletedException } from '../../errors/index.ts'

type Client = Pick<ClientBase, 'query'>

/** Advisory locks of this service: the first number says what the second one names. */
const TREE = 5_001
const PERMANENT_DELETION = 5_002
const keyOf = (parameter: string) => `(${parameter}::bigint % 2147483647)::integer`

/** Longer than any change of a tree holds its locks. */
const DELETION_WAIT_MS = 5_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Until the end of the transaction. Whoever adds to a tree shares its lock; whoever rearranges it
 * has it alone. Refused at once while the tree is being deleted for good.
 */
export async function lockTree(
  client: Client,
  rootId: number,
  mode: 'to-add' | 'to-rearrange',
): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock_shared(${PERMANENT_DELETION}, ${keyOf('$1')}) as free`,
    [rootId],
  )
  if (!rows[0]?.free) throw new FolderBeingDeletedException()
  const lock = mode === 'to-add' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await client.query(`select ${lock}(${TREE}, ${keyOf('$1')})`, [rootId])
}

/**
 * Keeps every change of the tree out until `release`, or until the process dies. Waits for changes
 * under way; when another deletion has the tree, it is refused.
 */
export async function lockForDeletion(client: Client, rootId: number): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${DELETION_WAIT_MS}`)
    await client.query(`select pg_advisory_lock(${PERMANENT_DELETION}, ${keyOf('$1')})`, [rootId])
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new FolderBeingDeletedException(undefined, { cause: error })
  } finally {
    await client.query('reset lock_timeout')
  }
}

export async function unlockAfterDeletion(client: Client, rootId: number): Promise<void> {
  await client.query(`select pg_advisory_unlock(${PERMANENT_DELETION}, ${keyOf('$1')})`, [rootId])
}
