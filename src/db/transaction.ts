import type { Pool, PoolClient } from 'pg'

/** Commits when the work is done, rolls back when it fails; the connection comes back either way. */
export async function withTransaction<R>(
  pool: Pool,
  work: (client: PoolClient) => Promise<R>,
): Promise<R> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    // The limit is for questions; a change ends with its last statement.
    await client.query('begin; set local statement_timeout = 0')
    const result = await work(client)
    await client.query('commit')
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
