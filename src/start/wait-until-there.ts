import { systemClock, waitFor } from '../time/clock.ts'
import { unlessAborted } from '../time/unless-aborted.ts'
import type { Logger } from '../observability/logger.ts'

export interface WaitOptions {
  /** The name of the part in the log. */
  readonly what: string
  /** Whether the failure may pass by itself; any other ends the wait. */
  readonly isAway: (error: unknown) => boolean
  readonly limitMs: number
  readonly logger: Logger
  readonly signal: AbortSignal
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000

/** Retries until there is an answer, at increasing intervals, and logs that it is waiting. */
export async function waitUntilThere<R>(
  ask: () => Promise<R>,
  { what, isAway, limitMs, logger, signal }: WaitOptions,
): Promise<R> {
  const clock = systemClock
  const giveUpAt = clock.now() + limitMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await unlessAborted(signal, ask())
    } catch (error) {
      signal.throwIfAborted()
      const leftMs = giveUpAt - clock.now()
      if (!isAway(error) || leftMs <= 0) throw error
      const { message: reason } = error as Error
      logger.warn({ reason, secondsLeft: Math.ceil(leftMs / 1000) }, `waiting for ${what}`)
      await waitFor(clock, Math.min(pauseMs, leftMs), signal)
    }
  }
}
