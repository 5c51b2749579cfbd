import { type Clock, systemClock } from './clock.ts'
import { every } from './every.ts'

/** Whoever is slower over a minute keeps what others need, and is ended. */
export const SLOWEST = { bytesPerSecond: 4 * 1024, overMs: 60_000 }

const LOOK_EVERY_MS = 1_000

interface Watched {
  /** Bytes that have gone through so far. */
  moved(): number
  /** Whether it is the other side that keeps them from going on; our own waiting does not count. */
  isTheirTurn(): boolean
  tooSlow(): void
}

/** Looks at the pace of a client until it is disposed of. */
export function watchPace(
  { moved, isTheirTurn, tooSlow }: Watched,
  clock: Clock = systemClock,
): Disposable {
  let waitedMs = 0
  let before = moved()
  return every(
    LOOK_EVERY_MS,
    () => {
      if (isTheirTurn()) waitedMs += LOOK_EVERY_MS
      if (waitedMs < SLOWEST.overMs) return
      const bytes = moved() - before
      before += bytes
      waitedMs = 0
      if (bytes < (SLOWEST.bytesPerSecond * SLOWEST.overMs) / 1000) tooSlow()
    },
    clock,
  )
}
