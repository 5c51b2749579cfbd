import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import type { LoadConnection } from '../core/engine.ts'
import { OutcomeUnknownError } from './errors.ts'

const ASK_AGAIN_MS = 250
const ASK_FOR_MS = 10_000

/** A transaction whose outcome can be found out even if the connection breaks at that very moment. */
interface KnownTransaction {
  readonly id: string
}

/** Asks for the transaction's number now, since at its end others may be waiting for its locks. */
export async function begin(client: ClientBase): Promise<KnownTransaction> {
  await client.query('begin')
  const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return { id: rows[0]!.id }
}

/**
 * If the connection breaks, PostgreSQL is asked on another one what became of the transaction:
 * only it knows.
 */
export async function commit(
  client: ClientBase,
  { id }: KnownTransaction,
  connect: () => Promise<LoadConnection>,
  askForMs = ASK_FOR_MS,
): Promise<void> {
  try {
    await client.query('commit')
  } catch (error) {
    if (answeredByPostgres(error)) throw error
    if (await wasCommitted(id, connect, askForMs, error)) return
    throw error
  }
}

/**
 * A refusal has a code of five characters; but so has a backend that is being shut down, which may
 * have committed.
 */
function answeredByPostgres(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57P')
}

async function wasCommitted(
  id: string,
  connect: () => Promise<LoadConnection>,
  askForMs: number,
  cause: unknown,
): Promise<boolean> {
  const deadline = performance.now() + askForMs
  do {
    const status = await transactionStatus(id, connect)
    if (status === 'committed') return true
    if (status === 'aborted') return false
    await delay(Math.min(ASK_AGAIN_MS, askForMs))
  } while (performance.now() < deadline)
  throw new OutcomeUnknownError(id, { cause })
}

async function transactionStatus(
  id: string,
  connect: () => Promise<LoadConnection>,
): Promise<string> {
  let connection: LoadConnection
  try {
    connection = await connect()
  } catch {
    return 'unreachable'
  }
  try {
    const { rows } = await connection.client.query<{ status: string }>(
      'select pg_xact_status($1::xid8) as status',
      [id],
    )
    connection.release()
    return rows[0]!.status
  } catch {
    connection.release(true)
    return 'unreachable'
  }
}
