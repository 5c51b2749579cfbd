import { type Clock, waitFor } from '../../time/clock.ts'

/** How persistently a request is tried. */
export interface RetryPolicy {
  /** Including the first one. */
  readonly attempts: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  /** If the remote application asks for a longer wait than this, the request fails. */
  readonly maxRetryAfterMs: number
  /** Whether to ask again after a timeout. */
  readonly retryTooSlow: boolean
}

/** For requests that a person waits for. */
export const ASKING: RetryPolicy = {
  attempts: 3,
  baseDelayMs: 200,
  maxDelayMs: 2000,
  maxRetryAfterMs: 5000,
  retryTooSlow: false,
}

/** For a long load, in which a hiccup should not cost the pages already fetched. */
export const LOADING: RetryPolicy = {
  attempts: 5,
  baseDelayMs: 250,
  maxDelayMs: 10_000,
  maxRetryAfterMs: 60_000,
  retryTooSlow: true,
}

/** Whether a failed attempt is worth another one. */
export type Verdict =
  | { readonly kind: 'give-up' }
  | { readonly kind: 'again'; readonly afterSeconds: number | null }

interface RetryControl {
  readonly policy: RetryPolicy
  readonly signal: AbortSignal
  readonly judge: (error: unknown) => Verdict
  readonly random: () => number
  readonly clock: Clock
}

export async function withRetries<T>(
  attempt: () => Promise<T>,
  { policy, signal, judge, random, clock }: RetryControl,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const verdict = judge(error)
      if (verdict.kind === 'give-up' || tried >= policy.attempts) throw error
      const waitMs = delayMs(verdict.afterSeconds, tried, policy, random)
      if (waitMs === null) throw error
      await waitFor(clock, waitMs, signal)
    }
  }
}

/** Full jitter, so that loads that failed together do not all come back at once. */
function delayMs(
  afterSeconds: number | null,
  tried: number,
  policy: RetryPolicy,
  random: () => number,
): number | null {
  const backOff = random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (tried - 1))
  if (afterSeconds === null) return backOff
  const asked = afterSeconds * 1000
  return asked > policy.maxRetryAfterMs ? null : asked + backOff
}
