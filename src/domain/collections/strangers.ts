import { hash } from 'node:crypto'

import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

import { LinkNotValidException, TooManyRequestsException } from '../../errors/index.ts'
import { networkOf } from '../../security/client-network.ts'
import { authMessages } from '../auth/auth-messages.ts'

const WINDOW_SECONDS = 15 * 60
/** As many as failed sign-ins of an address: a multiple of LOGIN_LIMIT. */
const ALLOWANCE = 5

/**
 * Counts unknown secrets by the network that they come from, for all processes, beside failed sign-ins. Whoever
 * has a link is never counted, nor asked to wait for others of their network.
 */
export function createStrangers(pool: Pool, loginLimit: number) {
  const points = loginLimit * ALLOWANCE
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'login_attempts',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: 'unknown link',
    points,
    duration: WINDOW_SECONDS,
    // Whoever goes on has nothing written of it.
    inMemoryBlockOnConsumed: points + 1,
  })
  return {
    /** 401, whatever the secret was; 429 for those who go on trying. */
    async refuse(clientAddress: string): Promise<never> {
      await limiter.consume(hash('sha256', networkOf(clientAddress))).catch((error: unknown) => {
        if (!(error instanceof RateLimiterRes)) throw error
        const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
        throw new TooManyRequestsException(authMessages.tryAgain({ seconds }), {
          headers: { 'retry-after': String(seconds) },
        })
      })
      throw new LinkNotValidException()
    },
  }
}

export type Strangers = ReturnType<typeof createStrangers>
