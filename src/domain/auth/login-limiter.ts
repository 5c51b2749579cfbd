import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

import { TooManyRequestsException } from '../../errors/index.ts'

const WINDOW_SECONDS = 15 * 60

/** Failed logins are counted per account and per address, in the database, for all processes. */
export interface LoginLimiter {
  /** Counts the attempt as failed until it is known to have succeeded. */
  admit(account: string, clientAddress: string): Promise<void>
  succeeded(account: string, clientAddress: string): Promise<void>
}

export function createLoginLimiter(pool: Pool, failures: number): LoginLimiter {
  const limiterOf = (keyPrefix: string) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'login_attempts',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points: failures,
      duration: WINDOW_SECONDS,
    })
  const byAccount = limiterOf('account')
  const byAddress = limiterOf('address')

  return {
    async admit(account, clientAddress) {
      await consume(byAddress, clientAddress)
      await consume(byAccount, account)
    },
    async succeeded(account, clientAddress) {
      await byAccount.delete(account)
      await byAddress.reward(clientAddress)
    },
  }
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
    throw new TooManyRequestsException(`Try again in ${seconds} s`, {
      headers: { 'retry-after': String(seconds) },
    })
  }
}
