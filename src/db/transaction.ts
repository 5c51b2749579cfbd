import type { Pool, PoolClient } from 'pg'

import {
  DatabaseUnavailableError,
  MaybeCommittedError,
  translateDatabaseError,
} from './database-errors.ts'
import type { Queries } from './in-turn.ts'

/** Commits when the work is done and rolls back when it fails; the connection is returned either way. */
export async function withTransaction<R>(
  pool: Pool,
  work: (client: PoolClient) => Promise<R>,
): Promise<R> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await inTransaction(client, () => work(client), {
      onBroken(failure) {
        broken = failure
      },
    })
  } finally {
    client.release(broken)
  }
}

interface HeldConnection {
  /** The connection cannot even roll back. Absent: after any failure, its holder closes it. */
  onBroken?(failure: Error): void
}

/** The same on a connection that the caller keeps afterwards. */
export async function inTransaction<R>(
  client: Queries,
  work: () => Promise<R>,
  { onBroken = () => undefined }: HeldConnection = {},
): Promise<R> {
  try {
    // The time limit is for statements that only read; a change takes as long as its statements
    // need.
    await client.query('begin; set local statement_timeout = 0')
    const result = await work()
    await commit(client)
    return result
  } catch (error) {
    await client.query('rollback').catch(onBroken)
    throw error
  }
}

async function commit(client: Queries): Promise<void> {
  try {
    await client.query('commit')
  } catch (error) {
    if (!(translateDatabaseError(error) instanceof DatabaseUnavailableError)) throw error
    throw new MaybeCommittedError('The connection was lost at the commit', { cause: error })
  }
}
