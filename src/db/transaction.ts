import type { Pool, PoolClient } from 'pg'

import {
  DatabaseUnavailableError,
  MaybeCommittedError,
  translateDatabaseError,
} from './database-errors.ts'

/** Commits when the work is done and rolls back when it fails; the connection is returned either way. */
export async function withTransaction<R>(
  pool: Pool,
  work: (client: PoolClient) => Promise<R>,
): Promise<R> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    // The time limit is for statements that only read; a change takes as long as its statements
    // need.
    await client.query('begin; set local statement_timeout = 0')
    const result = await work(client)
    await commit(client)
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query('commit')
  } catch (error) {
    if (!(translateDatabaseError(error) instanceof DatabaseUnavailableError)) throw error
    throw new MaybeCommittedError('The connection was lost at the commit', { cause: error })
  }
}
