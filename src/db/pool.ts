import { Pool } from 'pg'

import { DatabaseClient } from './client.ts'
import { applicationTypes, type ValueTypes } from './type-parsers.ts'

export interface PoolOptions {
  readonly max: number
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void
  /** How long a caller waits for a free connection before the database counts as unavailable. */
  readonly acquireTimeoutMs?: number
  /** The address leads to a pooler. */
  readonly pooled?: boolean
  /** For what answers a question; a pooler has to be told it itself. */
  readonly statementTimeoutMs?: number
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs?: number
  /** A statement takes one process of the database and no more, so that others have theirs. */
  readonly withoutWorkers?: boolean
  /** What its connections are called in the database. */
  readonly sessionName?: string
}

/** What the names of all our sessions begin with. */
export const SESSION_NAME = 'administration-service'

const ACQUIRE_TIMEOUT_MS = 10_000

/** A pool for bulk paths; everything else goes through Knex. */
export function createPool(url: string, options: PoolOptions): Pool {
  const pool = new Pool({
    ...connectionSettings(url, options),
    Client: DatabaseClient,
    max: options.max,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
  })
  // Without a listener a broken idle connection ends the process.
  pool.on('error', (error) => options.onIdleError?.(error))
  // One that breaks while it is checked out has its error in the query under way, too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

interface ConnectionSettings {
  readonly connectionString: string
  readonly types: ValueTypes
  readonly application_name: string
  /** Empty behind a pooler, which refuses them. */
  readonly options: string
  readonly keepAlive: boolean
  readonly pooled: boolean
}

/** How a process reaches its database. */
export interface DatabaseAddress {
  /** For all that asks for no more than a transaction: it may lead to a pooler. */
  readonly url: string
  /** For what holds on to its session: locks that outlive a transaction, COPY, long reads. */
  readonly sessionUrl: string
}

export const isPooled = ({ url, sessionUrl }: DatabaseAddress): boolean => url !== sessionUrl

/**
 * A machine that vanishes is noticed in half a minute, and its locks end then; left to itself, a
 * system waits for two hours.
 */
const SERVER_SETTINGS = {
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
}

export function connectionSettings(
  url: string,
  {
    pooled = false,
    statementTimeoutMs = 0,
    lockTimeoutMs = 0,
    withoutWorkers = false,
    sessionName = SESSION_NAME,
  }: Pick<
    PoolOptions,
    'pooled' | 'statementTimeoutMs' | 'lockTimeoutMs' | 'withoutWorkers' | 'sessionName'
  > = {},
): ConnectionSettings {
  return {
    connectionString: url,
    types: applicationTypes,
    application_name: sessionName,
    options: pooled
      ? ''
      : Object.entries({
          ...SERVER_SETTINGS,
          statement_timeout: statementTimeoutMs,
          ...(lockTimeoutMs > 0 && { lock_timeout: lockTimeoutMs }),
          ...(withoutWorkers && { max_parallel_workers_per_gather: 0 }),
        })
          .map(([name, value]) => `-c ${name}=${value}`)
          .join(' '),
    keepAlive: true,
    pooled,
  }
}

/**
 * Loads, exports, pages, models and small questions have connections of their own: none keeps another
 * out. A load takes more than one where there are more. All together they are the total. What a turn of
 * the event loop costs is shared by the answers that it finds, so small questions have enough for some.
 */
export function shareConnections(total: number) {
  const share = (part: number) => Math.max(1, Math.floor(total * part))
  const loads = share(0.3)
  return {
    loads,
    concurrentLoads: Math.max(1, Math.floor(loads / 2)),
    exports: share(0.2),
    reads: share(0.2),
    models: share(0.1),
    queries: share(0.2),
  }
}
