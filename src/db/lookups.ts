import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'

import type { DatabaseClient } from './client.ts'
import { DatabaseBusyError } from './database-errors.ts'

/** As long as anybody waits for a connection of a pool. */
const SILENCE_MS = 10_000

/**
 * Questions that are answered at once, from a few rows and without waiting for a lock: what is asked after
 * one of them waits for its answer.
 */
export interface Lookups {
  query<R extends QueryResultRow>(question: QueryConfig): Promise<QueryResult<R>>
}

/** A connection, from the first question on it until none is under way. */
interface Lane {
  readonly client: Promise<PoolClient>
  /** Ends the connection when it has given no answer for too long. */
  readonly silence: NodeJS.Timeout
  underWay: number
  hasFailed: boolean
}

/**
 * Sends questions down half of the connections of `pool`, one after the other, without waiting for the
 * answers in between. So a turn of the event loop asks all there is to ask, and takes every answer that has
 * come, however few connections there are. The other half is left to work that needs one to itself.
 */
export function createLookups(pool: Pool, silenceMs = SILENCE_MS): Lookups {
  const most = Math.floor(pool.options.max / 2)
  if (most === 0) return { query: (question) => pool.query(question) }
  const open = new Set<Lane>()

  function chooseLane(): Lane {
    const [least] = [...open].toSorted((one, other) => one.underWay - other.underWay)
    if (least !== undefined && open.size === most) return least
    const lane = openLane(pool, silenceMs)
    open.add(lane)
    return lane
  }

  return {
    async query<R extends QueryResultRow>(question: QueryConfig) {
      const lane = chooseLane()
      lane.underWay++
      let client: PoolClient | null = null
      try {
        client = await lane.client
        return await client.query<R>(question)
      } catch (error) {
        // As in a pool, a connection on which something failed is not used again.
        lane.hasFailed = true
        open.delete(lane)
        throw error
      } finally {
        lane.underWay--
        lane.silence.refresh()
        if (lane.underWay === 0) {
          open.delete(lane)
          clearTimeout(lane.silence)
          if (client !== null) release(client, lane.hasFailed)
        }
      }
    },
  }
}

function openLane(pool: Pool, silenceMs: number): Lane {
  const client = pool.connect().then(sendWithoutWaiting)
  const silence = setTimeout(() => {
    client.then((silent) => breakOff(silent, silenceMs), ignoreRefusal)
  }, silenceMs)
  return { client, silence, underWay: 0, hasFailed: false }
}

/** What the driver has for it; its types leave it out. */
interface Pipelining {
  pipeline: boolean
}

function sendWithoutWaiting(client: PoolClient): PoolClient {
  ;(client as unknown as Pipelining).pipeline = true
  return client
}

function release(client: PoolClient, hasFailed: boolean): void {
  // COPY and cursors, for which somebody else may take it, need each answer before the next question.
  ;(client as unknown as Pipelining).pipeline = false
  client.release(hasFailed)
}

/** All that is under way on it fails. */
function breakOff(client: PoolClient, silenceMs: number): void {
  const why = new DatabaseBusyError(`The database has given no answer for ${silenceMs} ms.`)
  ;(client as unknown as DatabaseClient).breakOff(why)
}

/** Whoever asked on it has been told. */
function ignoreRefusal(): void {}
