import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

import { DatabaseClient } from '../db/client.ts'
import { LOCKS, lockUntilUnlocked } from '../db/locks.ts'
import { connectionSettings, SESSION_NAME } from '../db/pool.ts'
import { every } from '../time/every.ts'

/** This process, as the others see it: what it holds bears its number. */
export interface Presence {
  /** Another one once it was taken for dead: what bears the old one is lost. */
  readonly processId: number
}

export interface OpenPresence extends Presence, AsyncDisposable {
  /** What the names of its other sessions begin with: whoever takes it for dead ends them. */
  readonly sessionName: string
  readonly beatMs: number
}

export interface PresenceParts {
  readonly databaseUrl: string
  /** `JOB_HEARTBEAT`: who is silent for three of them is dead. */
  readonly heartbeatMs: number
}

const MISSED_HEARTBEATS = 3
const MOST_BEAT_MS = 1000
const RECONNECT_MS = 200
/** A connection without an answer for so long is no use any more; another one is tried. */
const ANSWERS_WITHIN_MS = 10_000

/** Who lost the connection to the database is back within this, or was killed. */
export const RETURNS_WITHIN_MS = 2 * MOST_BEAT_MS

/** How long a process may be silent before it counts as dead, though its connection still stands. */
export const silenceMs = (heartbeatMs: number): number => heartbeatMs * MISSED_HEARTBEATS

const REGISTER = `
  insert into processes (host, pid, silence_ms, session_name, steady_since)
  values ($1, $2, $3, $4, case when $5 then now() else '-infinity' end) returning id`

const BEAT = `
  update processes
  set seen_at = now(),
      steady_since = case when seen_at < now() - make_interval(secs => ${RETURNS_WITHIN_MS / 1000})
                          then now() else steady_since end
  where id = $1`

/**
 * One connection that does nothing but show that we live: by a lock, which Postgres frees the moment
 * the process dies, and by the row in `processes`, whose time is moved on.
 */
export async function openPresence(parts: PresenceParts): Promise<OpenPresence> {
  const { databaseUrl, heartbeatMs } = parts
  const beatMs = Math.min(MOST_BEAT_MS, heartbeatMs)
  const sessionName = `${SESSION_NAME} ${randomBytes(6).toString('hex')}`
  const closing = new AbortController()
  let client: DatabaseClient | null = null
  let processId: number | null = null

  async function connect(): Promise<void> {
    const next = new DatabaseClient({
      ...connectionSettings(databaseUrl),
      // Not ended with the others: a process that was frozen learns by it at once that it has to begin anew.
      application_name: `${SESSION_NAME} presence`,
      connectionTimeoutMillis: ANSWERS_WITHIN_MS,
      query_timeout: ANSWERS_WITHIN_MS,
    })
    // What breaks an idle connection shows in its end.
    next.on('error', () => undefined)
    try {
      await next.connect()
      await show(next)
    } catch (error) {
      await next.end()
      throw error
    }
    client = next
    next.once('end', () => {
      client = null
      void reconnect()
    })
    if (closing.signal.aborted) await next.end()
  }

  /** Shared, since the server may not have noticed yet that an earlier connection is gone. */
  async function show(on: DatabaseClient): Promise<void> {
    if (processId === null || !(await showAgain(on, processId))) await register(on)
    // A sign of life that is lost in a crash of the database was lost with everybody else's.
    await on.query('set synchronous_commit = off')
  }

  async function showAgain(on: DatabaseClient, id: number): Promise<boolean> {
    await on.query(lockUntilUnlocked(LOCKS.process(id), 'shared'))
    return (await on.query(BEAT, [id])).rowCount === 1
  }

  async function register(on: DatabaseClient): Promise<void> {
    const { rows } = await on.query<{ id: number }>(REGISTER, [
      hostname(),
      process.pid,
      silenceMs(heartbeatMs),
      sessionName,
      processId !== null,
    ])
    processId = rows[0]!.id
    await on.query(lockUntilUnlocked(LOCKS.process(processId), 'shared'))
  }

  async function beat(): Promise<void> {
    const current = client
    if (current === null) return
    try {
      const { rowCount } = await current.query(BEAT, [processId])
      if (rowCount === 0) await register(current)
    } catch {
      // Its end begins another one.
      await current.end()
    }
  }

  async function reconnect(): Promise<void> {
    while (!closing.signal.aborted && client === null) {
      try {
        await delay(RECONNECT_MS, undefined, { signal: closing.signal })
        await connect()
        return
      } catch {
        // The database is away, or we are closing: the loop knows which.
      }
    }
  }

  await connect()
  const beating = every(beatMs, beat)
  return {
    beatMs,
    sessionName,
    get processId() {
      return processId!
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await beating[Symbol.asyncDispose]()
      // Where this fails, the end of the connection tells the same a little later.
      await client?.query('delete from processes where id = $1', [processId]).catch(() => undefined)
      await client?.end()
    },
  }
}
