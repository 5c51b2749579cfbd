import { type Clock, systemClock, every } from './clock.ts'

/** A client that is slower than this over a minute holds what others need, and is disconnected. */
export const SLOWEST = { bytesPerSecond: 4 * 1024, overMs: 60_000 }

const LOOK_EVERY_MS = 1_000

interface Watched {
  /** The number of bytes transferred so far. */
  moved(): number
  /** Whether the other side is what we wait for; our own delays do not count. */
  isTheirTurn(): boolean
  tooSlow(): void
}

/** Watches the pace of a client until it is disposed of. */
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
