import { connect } from 'node:net'

import type { Knex } from 'knex'
import type { ClientBase, Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'

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

/** What a server says about a connection when it opens, and needs to hear when asked to cancel. */
interface CancellableClient {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

const CANCEL_REQUEST = 80_877_102
const MESSAGE_BYTES = 16

/**
 * Asks the server to stop what the client is doing once the signal aborts. The protocol requires a
 * connection of its own for this, and the server does not answer: the statement either fails or
 * was already done.
 */
export function cancelWhenAborted(client: ClientBase, signal: AbortSignal): Disposable {
  const cancel = () => askToCancel(client as unknown as CancellableClient)
  if (signal.aborted) cancel()
  else signal.addEventListener('abort', cancel, { once: true })
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', cancel) }
}

/**
 * A caller that left while waiting for a connection asks nothing any more, so the connection is
 * returned unused.
 */
export async function releaseIfAborted(
  signal: AbortSignal | undefined,
  release: () => Promise<void> | void,
): Promise<void> {
  if (signal?.aborted !== true) return
  await release()
  throw signal.reason
}

function askToCancel({ host, port, processID, secretKey }: CancellableClient): void {
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(MESSAGE_BYTES)
  for (const [at, number] of [MESSAGE_BYTES, CANCEL_REQUEST, processID, secretKey].entries()) {
    message.writeInt32BE(number | 0, at * Int32Array.BYTES_PER_ELEMENT)
  }
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port })
  // If the server cannot be reached there is nothing to cancel.
  socket.on('error', () => socket.destroy())
  socket.end(message)
}
