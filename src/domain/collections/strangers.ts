import type { Pool } from 'pg'
import { RateLimiterRes } from 'rate-limiter-flexible'

import { LinkNotValidException } from '../../errors/index.ts'
import { networkOf } from '../../security/client-network.ts'
import { countAttempts, keyOfAttempts, tooManyAttempts } from '../auth/attempt-counts.ts'

/** As many as failed sign-ins of an address: a multiple of LOGIN_LIMIT. */
const ALLOWANCE = 5

/**
 * Counts unknown secrets by the network that they come from, for all processes, beside failed sign-ins. Whoever
 * has a link is never counted, nor asked to wait for others of their network.
 */
export function createStrangers(pool: Pool, loginLimit: number) {
  const points = loginLimit * ALLOWANCE
  // Whoever goes on has nothing written of it.
  const written = { inMemoryBlockOnConsumed: points + 1 }
  const limiter = countAttempts(pool, { name: 'unknown link', points }, written)
  return {
    /** 401, whatever the secret was; 429 for those who go on trying. */
    async refuse(clientAddress: string): Promise<never> {
      const network = keyOfAttempts(networkOf(clientAddress))
      await limiter.consume(network).catch((error: unknown) => {
        throw error instanceof RateLimiterRes ? tooManyAttempts(error) : error
      })
      throw new LinkNotValidException()
    },
  }
}

export type Strangers = ReturnType<typeof createStrangers>
