import knex, { type Knex } from 'knex'

import { connectionSettings } from './pool.ts'

export interface KnexOptions {
  readonly max: number
  readonly acquireTimeoutMs?: number
}

const ACQUIRE_TIMEOUT_MS = 10_000

/** Opens its connections when they are needed; `destroy()` closes them. */
export function createKnex(url: string, options: KnexOptions): Knex {
  return knex({
    client: 'pg',
    connection: { ...connectionSettings(url) },
    pool: { min: 0, max: options.max },
    acquireConnectionTimeout: options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
  })
}
