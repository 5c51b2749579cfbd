import { setTimeout as delay } from 'node:timers/promises'

import type { Pool } from 'pg'

import { isProcessUnlocked } from '../db/locks.ts'
import type { Logger } from '../observability/logger.ts'
import { RETURNS_WITHIN_MS } from './presence.ts'

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
