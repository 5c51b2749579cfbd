import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { Client } from 'pg'

import { connectionSettings } from './pool.ts'

/** First half of the advisory lock that every living process holds; the second is its number. */
const PRESENCE_LOCK = 0x70_72_65_73
const RECONNECT_MS = 200

/** This process, as the others can see it: a number that stays locked for as long as it lives. */
export interface Presence extends AsyncDisposable {
  readonly processId: number
}

/**
 * One connection that does nothing but hold a lock. Postgres frees it the moment the process dies,
 * so work marked with its number is known to be orphaned without waiting for a time-out.
 */
export async function openPresence(url: string): Promise<Presence> {
  const processId = randomInt(1, 2 ** 31 - 1)
  const closing = new AbortController()
  let client: Client | null = null

  async function connect(): Promise<void> {
    const next = new Client({ ...connectionSettings(url), application_name: 'presence' })
    // What breaks an idle connection shows in its end.
    next.on('error', () => undefined)
    try {
      await next.connect()
      await next.query('select pg_advisory_lock($1, $2)', [PRESENCE_LOCK, processId])
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
  return {
    processId,
    async [Symbol.asyncDispose]() {
      closing.abort()
      await client?.end()
    },
  }
}

/** SQL that is true where the process of that number is dead. */
export function isDeadProcess(column: string): string {
  return `not exists (
    select 1 from pg_locks
    where locktype = 'advisory' and classid = ${PRESENCE_LOCK} and objid = ${column}::oid
      and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database()))`
}
