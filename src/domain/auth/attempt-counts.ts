import { hash } from 'node:crypto'

import type { Pool } from 'pg'
import { type IRateLimiterPostgresOptions, RateLimiterPostgres } from 'rate-limiter-flexible'

import { TooManyRequestsException } from '../../errors/index.ts'
import { authMessages } from './auth-messages.ts'

/** For so long an attempt counts. */
const WINDOW_SECONDS = 15 * 60

interface Counted {
  /** What is counted, apart from everything else. */
  readonly name: string
  readonly points: number
  readonly seconds?: number
}

/** Counts in the database, for all processes. */
export const countAttempts = (
  pool: Pool,
  { name, points, seconds = WINDOW_SECONDS }: Counted,
  options: Pick<IRateLimiterPostgresOptions, 'inMemoryBlockOnConsumed'> = {},
): RateLimiterPostgres =>
  new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'login_attempts',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: seconds,
    ...options,
  })

/** What is counted may have any length and characters, but the column is limited to 255. */
export const keyOfAttempts = (text: string): string => hash('sha256', text)

export function tooManyAttempts({ msBeforeNext }: { readonly msBeforeNext: number }) {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return new TooManyRequestsException(authMessages.tryAgain({ seconds }), {
    headers: { 'retry-after': String(seconds) },
  })
}

/** Deletes attempts that no longer count. */
export async function sweepAttempts(pool: Pool): Promise<void> {
  await pool.query('delete from login_attempts where expire < $1', [Date.now()])
}
