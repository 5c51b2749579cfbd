import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'

import { TooManyRequestsException } from '../../errors/index.ts'
import { Turns } from './turns.ts'

const WINDOW_SECONDS = 15 * 60

/** Failed logins are counted per account and per address, in the database, for all processes. */
export interface LoginLimiter {
  /**
   * Makes the attempt unless too many have failed. Null from it is a failure; a success clears the
   * account, not the address, so that a password that somebody knows helps to guess no other.
   */
  attempt<R>(
    account: string,
    clientAddress: string,
    login: () => Promise<R | null>,
  ): Promise<R | null>
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
  // Whether an attempt counts is known at its end: so many at once must not slip through meanwhile.
  const turns = new Turns()

  return {
    attempt: (account, clientAddress, login) =>
      turns.take(`address ${clientAddress}`, () =>
        turns.take(`account ${account}`, async () => {
          await refuseAfter(failures, byAddress, clientAddress)
          await refuseAfter(failures, byAccount, account)
          const result = await login()
          if (result === null) {
            await byAddress.penalty(clientAddress)
            await byAccount.penalty(account)
          } else {
            await byAccount.delete(account)
          }
          return result
        }),
      ),
  }
}

/** Forgets attempts that do not count any more. */
export async function sweepLoginAttempts(pool: Pool): Promise<void> {
  await pool.query('delete from login_attempts where expire < $1', [Date.now()])
}

async function refuseAfter(
  failures: number,
  limiter: RateLimiterPostgres,
  key: string,
): Promise<void> {
  const counted = await limiter.get(key)
  if (counted === null || counted.consumedPoints < failures) return
  const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000))
  throw new TooManyRequestsException(`Try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
}
