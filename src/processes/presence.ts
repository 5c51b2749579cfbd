import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

import type { Pool } from 'pg'

import { DatabaseClient } from '../db/client.ts'
import { LOCKS, lockUntilUnlocked, isProcessUnlocked } from '../db/locks.ts'
import { connectionSettings, SESSION_NAME } from '../db/pool.ts'
import { every } from '../time/clock.ts'
import type { Logger } from '../observability/logger.ts'

/** How other processes see this one: everything that it holds bears its number. */
export interface Presence {
  /** It changes if the process was taken for dead; what bears the old number is then lost. */
  readonly processId: number
}

export interface OpenPresence extends Presence, AsyncDisposable {
  /** The prefix of the names of its other sessions: a process that takes it for dead ends those. */
  readonly sessionName: string
  readonly beatMs: number
}

interface PresenceParts {
  readonly databaseUrl: string
  /** `JOB_HEARTBEAT`: a process that is silent for three of them is dead. */
  readonly heartbeatMs: number
}

const MISSED_HEARTBEATS = 3
const MOST_BEAT_MS = 1000
const RECONNECT_MS = 200
/** A connection that does not answer within this time is replaced. */
const ANSWERS_WITHIN_MS = 10_000

/** A process that lost its connection to the database is back within this time; otherwise it was killed. */
export const RETURNS_WITHIN_MS = 2 * MOST_BEAT_MS

/** How long a process may be silent before it counts as dead, even if its connection still stands. */
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
 * A connection whose only purpose is to show that this process lives: by a lock, which PostgreSQL
 * frees the moment the process dies, and by the row in `processes`, whose time is updated
 * regularly.
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
      // Not ended together with the other sessions: from it, a frozen process learns at once that
      // it has to start over.
      application_name: `${SESSION_NAME} presence`,
      connectionTimeoutMillis: ANSWERS_WITHIN_MS,
      query_timeout: ANSWERS_WITHIN_MS,
    })
    // An error on an idle connection also ends it, and that is handled.
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

  /** A shared lock, since the server may not have noticed yet that an earlier connection is gone. */
  async function show(on: DatabaseClient): Promise<void> {
    if (processId === null || !(await showAgain(on, processId))) await register(on)
    // If a crash of the database loses this heartbeat, it loses everybody else's too.
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
      // When it ends, the loop opens another one.
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
        // Either the database is away or this process is closing; the loop knows which.
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
      // If this fails, the end of the connection tells the others a little later.
      await client?.query('delete from processes where id = $1', [processId]).catch(() => undefined)
      await client?.end()
    },
  }
}

/**
 * SQL that is true if the process with that number is dead. It is the only definition of death for
 * everything that a process can leave behind: a living process has a row, and only
 * `removeDead` decides when the row goes. A thing without a process number has no owner, which
 * counts as dead.
 */
export const isDead = (column: string): string =>
  `not exists (select from processes where processes.id = ${column})`

/** The same for things outside the database that name their process, such as files. */
export async function deadAmong(
  pool: Pool,
  processIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from unnest($1::integer[]) as asked (id) where ${isDead('asked.id')}`,
    [processIds],
  )
  return new Set(rows.map(({ id }) => id))
}

interface RemovingParts {
  readonly pool: Pool
  readonly logger: Logger
  /** The process that asks. */
  readonly processId: number
}

const SETTLE_STEP_MS = 100
const SETTLE_WITHIN_MS = RETURNS_WITHIN_MS + 1000

const RETURNS_WITHIN = `make_interval(secs => ${RETURNS_WITHIN_MS / 1000})`

// While the database was stopped, no process could report to it.
const SILENT_SINCE = 'greatest(seen_at, pg_postmaster_start_time())'

/** It was killed, or it lost its connection and is about to come back. */
const MISSING = `processes.id <> $1 and ${isProcessUnlocked('processes.id')}`

// A frozen process, or one that is cut off, falls silent but may keep its lock; a killed one loses
// its lock at once. If the process that asks was away itself, it first gives the others time to
// come back. The open sessions of a dead process are ended, since they would hold their locks as
// long as it is frozen.
const REMOVE_DEAD = `
  with dead as (
    delete from processes where id in (
      select id from processes
      where id <> $1
        and (${SILENT_SINCE} < now() - make_interval(secs => silence_ms / 1000.0)
             or ${SILENT_SINCE} < now() - ${RETURNS_WITHIN} and ${MISSING})
        and exists (select from processes me
                    where me.id = $1 and me.steady_since < now() - ${RETURNS_WITHIN})
      for update skip locked)
    returning id, host, pid, session_name)
  select id, host, pid,
         (select count(pg_terminate_backend(a.pid)) from pg_stat_activity a
          where a.usename = current_user and starts_with(a.application_name, session_name))
  from dead`

/** Decides which processes are dead. The decision is final: a process that comes back gets a new number. */
export async function removeDead({ pool, logger, processId }: RemovingParts): Promise<number> {
  const { rows } = await pool.query<{ id: number; host: string; pid: number }>(REMOVE_DEAD, [
    processId,
  ])
  for (const { id, host, pid } of rows) {
    logger.warn({ process: id, host, pid }, 'a process is dead; what it left is cleared up')
  }
  return rows.length
}

/**
 * For the start of the service: whether a process that was killed a moment ago is dead has to be
 * decided before the first request, which may repeat the one that it was killed in. This takes no
 * longer than a process has to come back.
 */
export async function settleMissing(parts: RemovingParts): Promise<void> {
  const deadline = performance.now() + SETTLE_WITHIN_MS
  for (;;) {
    await removeDead(parts)
    const { rowCount } = await parts.pool.query(`select from processes where ${MISSING} limit 1`, [
      parts.processId,
    ])
    if (rowCount === 0 || performance.now() > deadline) return
    await delay(SETTLE_STEP_MS)
  }
}
