import type { Pool, PoolClient } from 'pg'

/**
 * Work whose statement Postgres ends as soon as the signal is aborted, whoever waits for its answer by
 * then. The connection is closed after that: a cancellation that comes late must meet nobody else.
 */
export async function untilAborted<R>(
  { work: pool, cancel }: { readonly work: Pool; readonly cancel: Pool },
  signal: AbortSignal,
  work: (client: PoolClient) => Promise<R>,
): Promise<R> {
  signal.throwIfAborted()
  const client = await pool.connect()
  let broken = true
  const cancelling: Promise<unknown>[] = []
  let onAbort: (() => void) | null = null
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    onAbort = () => {
      // Where the database is away there is nothing left to cancel.
      const { pid } = rows[0]!
      const asked = cancel.query('select pg_cancel_backend($1::integer)', [pid])
      cancelling.push(asked.catch(() => undefined))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    signal.throwIfAborted()
    const result = await work(client)
    broken = false
    return result
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    if (onAbort !== null) signal.removeEventListener('abort', onAbort)
    await Promise.all(cancelling)
    client.release(broken || cancelling.length > 0)
  }
}
