import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import type { LoadConnection } from '../core/engine.ts'
import { SinkError, sinkStep, OutcomeUnknownError } from './errors.ts'

/** One more stream is worth only a short wait. */
const EXTRA_CONNECTION_MS = 1000
const CANCEL_AGAIN_MS = 250
const TERMINATION_MS = 1000

interface Backend {
  readonly connection: LoadConnection
  readonly pid: number
}

/**
 * The connections of one load, or of one change to a table. The first also does everything that is not COPY; more are added as
 * they become available, so loads that wait for each other's connections cannot deadlock.
 */
export class LoadSession implements Disposable {
  readonly #connect: () => Promise<LoadConnection>
  readonly #backends: Backend[] = []
  #broken = false

  private constructor(connect: () => Promise<LoadConnection>) {
    this.#connect = connect
  }

  static open(connect: () => Promise<LoadConnection>): Promise<LoadSession> {
    return sinkStep('connecting', async () => {
      const session = new LoadSession(connect)
      await session.#adopt(await connect())
      return session
    })
  }

  /** The connection that creates, publishes and drops. */
  get client(): ClientBase {
    return this.#backends[0]!.connection.client
  }

  get clients(): readonly ClientBase[] {
    return this.#backends.map(({ connection }) => connection.client)
  }

  /** Tries to get `count` connections; one that arrives too late is returned at once. */
  async grow(count: number): Promise<void> {
    const wanted = Array.from({ length: count - this.#backends.length }, () => this.#tryConnect())
    for (const connection of await Promise.all(wanted)) {
      if (connection !== null) await this.#adopt(connection)
    }
  }

  /** Runs statements that PostgreSQL cancels on an abort, however long they take. */
  async cancellable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    let settled = false
    let cancelling: Promise<void> = Promise.resolve()
    const cancel = () => {
      cancelling = this.#signalBackends('pg_cancel_backend(pid)', () => settled)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      settled = true
      signal.removeEventListener('abort', cancel)
      await cancelling
    }
  }

  /**
   * All of the work is done, or nothing. If the connection breaks at the very end, another one is
   * asked what became of it.
   */
  async transaction<R>(signal: AbortSignal, work: (client: ClientBase) => Promise<R>): Promise<R> {
    const { client } = this
    const transaction = await sinkStep('publishing the rows', () => begin(client))
    let result: R
    try {
      result = await this.cancellable(signal, () => work(client))
      signal.throwIfAborted()
    } catch (error) {
      await client.query('rollback').catch(() => this.markBroken())
      throw error
    }
    await sinkStep('committing', () => commit(client, transaction, this.#connect)).catch(
      (error: unknown) => {
        this.markBroken()
        throw error
      },
    )
    return result
  }

  /** For backends that no longer answer; waits for their end. */
  async terminate(): Promise<void> {
    this.#broken = true
    await this.#signalBackends(`pg_terminate_backend(pid, ${TERMINATION_MS})`, () => true)
  }

  markBroken(): void {
    this.#broken = true
  }

  [Symbol.dispose](): void {
    for (const { connection } of this.#backends.splice(0)) {
      // A broken connection may report an error once more while it closes.
      if (!this.#broken) connection.client.off('error', noteBroken)
      connection.release(this.#broken)
    }
  }

  async #adopt(connection: LoadConnection): Promise<void> {
    try {
      const { rows } = await connection.client.query<{ pid: number }>(
        'select pg_backend_pid() as pid',
      )
      connection.client.on('error', noteBroken)
      this.#backends.push({ connection, pid: rows[0]!.pid })
    } catch (error) {
      connection.release(true)
      throw new SinkError('The database connection broke before the load began', { cause: error })
    }
  }

  async #tryConnect(): Promise<LoadConnection | null> {
    const late = Symbol('late')
    const connecting = this.#connect()
    const timer = Promise.withResolvers<typeof late>()
    const timeout = setTimeout(timer.resolve, EXTRA_CONNECTION_MS, late)
    try {
      const first = await Promise.race([connecting, timer.promise])
      if (first !== late) return first
      connecting.then((connection) => connection.release(), ignoreRefusal)
      return null
    } catch {
      // The database has no connection to spare, so the load runs with those it has.
      return null
    } finally {
      clearTimeout(timeout)
    }
  }

  /** Repeated, since a cancellation that arrives between two statements has no effect. */
  async #signalBackends(signal: string, isDone: () => boolean): Promise<void> {
    const pids = this.#backends.map(({ pid }) => pid)
    const connection = await this.#connect().catch(ignoreRefusal)
    if (connection === undefined) return
    let broken = true
    try {
      do {
        await connection.client.query(`select ${signal} from unnest($1::int[]) pid`, [pids])
        broken = false
        if (!isDone()) await delay(CANCEL_AGAIN_MS)
      } while (!isDone())
    } catch {
      // The server is going down, and its backends with it.
      broken = true
    } finally {
      connection.release(broken)
    }
  }
}

/** Without a listener, a connection that breaks would end the process; its query fails anyway. */
function noteBroken(): void {}

/** Cancelling is optional: the connections are closed anyway. */
function ignoreRefusal(): undefined {
  return undefined
}

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
