import { setTimeout as delay } from 'node:timers/promises'

import type { ClientBase } from 'pg'

import type { LoadConnection } from '../core/engine.ts'
import { SinkError } from './errors.ts'

/** A stream more is worth a moment's waiting, and no more. */
const EXTRA_CONNECTION_MS = 1000
const CANCEL_AGAIN_MS = 250
const TERMINATION_MS = 1000

interface Backend {
  readonly connection: LoadConnection
  readonly pid: number
}

/**
 * The connections of one load. The first does everything that is not COPY as well; more are taken
 * as they are to be had, so that loads that wait for each other's connections cannot lock up.
 */
export class LoadSession {
  readonly #connect: () => Promise<LoadConnection>
  readonly #backends: Backend[] = []
  #broken = false

  private constructor(connect: () => Promise<LoadConnection>) {
    this.#connect = connect
  }

  static async open(connect: () => Promise<LoadConnection>): Promise<LoadSession> {
    const session = new LoadSession(connect)
    await session.#adopt(await connect())
    return session
  }

  /** The connection that creates, publishes and drops. */
  get client(): ClientBase {
    return this.#backends[0]!.connection.client
  }

  get clients(): readonly ClientBase[] {
    return this.#backends.map(({ connection }) => connection.client)
  }

  connect(): Promise<LoadConnection> {
    return this.#connect()
  }

  /** Tries to have `count` connections; what comes late goes back at once. */
  async grow(count: number): Promise<void> {
    const wanted = Array.from({ length: count - this.#backends.length }, () => this.#tryConnect())
    for (const connection of await Promise.all(wanted)) {
      if (connection !== null) await this.#adopt(connection)
    }
  }

  /** Runs statements that an abort makes Postgres cancel, however long they take. */
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
    } finally {
      settled = true
      signal.removeEventListener('abort', cancel)
      await cancelling
    }
  }

  /** For backends that do not answer any more; waits for their end. */
  async terminate(): Promise<void> {
    this.#broken = true
    await this.#signalBackends(`pg_terminate_backend(pid, ${TERMINATION_MS})`, () => true)
  }

  markBroken(): void {
    this.#broken = true
  }

  close(): void {
    for (const { connection } of this.#backends.splice(0)) {
      // One that is broken may say so once more while it closes.
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
      // The database has no connection to spare: the load runs with those it has.
      return null
    } finally {
      clearTimeout(timeout)
    }
  }

  /** Repeats, since a cancellation that arrives between two statements has no effect. */
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

/** Without a listener a connection that breaks ends the process; its query fails as well. */
function noteBroken(): void {}

/** Cancelling is a courtesy: the connections are closed all the same. */
function ignoreRefusal(): undefined {
  return undefined
}
