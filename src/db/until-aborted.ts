import type { Knex } from 'knex'
import type { ClientBase, Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'

import { cancelWhenAborted, releaseIfAborted } from './cancel.ts'

/** Runs work on a connection of its own; when the caller leaves, the database cancels its statement. */
export async function untilAborted<R>(
  pool: Pool,
  signal: AbortSignal,
  work: (client: PoolClient) => Promise<R>,
): Promise<R> {
  signal.throwIfAborted()
  const client = await pool.connect()
  return onConnection({ client, release: (broken) => client.release(broken) }, signal, () =>
    work(client),
  )
}

/** The same for a single query. */
export async function queryUntilAborted<R extends QueryResultRow>(
  pool: Pool,
  query: QueryConfig,
  signal: AbortSignal,
): Promise<QueryResult<R>> {
  return untilAborted(pool, signal, (client) => client.query<R>(query))
}

/** The same for a query on a connection of Knex. */
export async function rawUntilAborted<R>(
  { client: pool }: Knex,
  query: Knex.Raw<R>,
  signal: AbortSignal,
): Promise<R> {
  signal.throwIfAborted()
  const connections = pool as KnexConnections
  const client = await connections.acquireConnection()
  const release = async (broken: boolean) => {
    // A cancelled connection is taken out of the pool.
    if (broken) await client.end().catch(() => undefined)
    await connections.releaseConnection(client)
  }
  return onConnection({ client, release }, signal, async () => {
    const result: unknown = await query.connection(client)
    return result as R
  })
}

/** Knex's functions for running a statement oneself; its types leave them out. */
interface KnexConnections {
  acquireConnection(): Promise<ClientBase & { end(): Promise<void> }>
  releaseConnection(client: ClientBase): Promise<void>
}

interface Borrowed {
  readonly client: ClientBase
  release(broken: boolean): Promise<void> | void
}

async function onConnection<R>(
  { client, release }: Borrowed,
  signal: AbortSignal,
  work: () => Promise<R>,
): Promise<R> {
  await releaseIfAborted(signal, () => release(false))
  let broken = true
  using _cancelling = cancelWhenAborted(client, signal)
  try {
    const result = await work()
    broken = false
    return result
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    // A late cancellation must not hit anybody else's statement.
    await release(broken || signal.aborted)
  }
}
