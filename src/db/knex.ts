import knex, { type Knex } from 'knex'
import type { ClientBase } from 'pg'

import { DatabaseClient } from './client.ts'
import { connectionSettings, type PoolOptions } from './pool.ts'

interface KnexOptions extends Omit<PoolOptions, 'onIdleError'> {
  /** Where things without a schema are created; without it nothing can be. */
  readonly createsIn?: string
}

const ACQUIRE_TIMEOUT_MS = 10_000

/** Knex also prints errors that it throws; they are logged once, where they are caught. */
const SILENT = {
  error: () => undefined,
  warn: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
}

/** Opens connections when they are needed; `destroy()` closes them. */
export function createKnex(url: string, options: KnexOptions): Knex {
  const opened = knex({
    client: 'pg',
    connection: { ...connectionSettings(url, options) },
    pool: { min: 0, max: options.max },
    ...(options.createsIn !== undefined && { searchPath: options.createsIn }),
    log: SILENT,
    acquireConnectionTimeout: options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
  })
  // Knex has no setting for the class of its connections.
  ;(opened.client as { driver: { Client: typeof DatabaseClient } }).driver = {
    Client: DatabaseClient,
  }
  return opened
}

/** The connection of a transaction, for code that does not know Knex; Knex's types leave it out. */
export const connectionOf = (transaction: Knex): Promise<ClientBase> =>
  (transaction.client as { acquireConnection(): Promise<ClientBase> }).acquireConnection()
