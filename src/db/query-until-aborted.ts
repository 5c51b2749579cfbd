import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg'

import { cancelWhenAborted } from './cancel.ts'

/** A query that the database ends once whoever asked has left. */
export async function queryUntilAborted<R extends QueryResultRow>(
  pool: Pool,
  query: QueryConfig,
  signal: AbortSignal,
): Promise<QueryResult<R>> {
  signal.throwIfAborted()
  const client = await pool.connect()
  let broken = true
  using _cancelling = cancelWhenAborted(client, signal)
  try {
    const result = await client.query<R>(query)
    broken = false
    return result
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    // A cancellation that comes late must meet nobody else.
    client.release(broken || signal.aborted)
  }
}
