import type { Clock } from '../../src/clock.ts'
import { until } from './patience.ts'

/** Time that passes only when it is told to. */
export interface HeldClock extends Clock {
  /** After how long what waits wants to be called, in the order in which it asked. */
  readonly waits: readonly number[]
  /** Calls what is due by then, the earliest first, also what is asked for meanwhile. */
  advance(ms: number): void
  /** Resolves when so many wait, and no sooner. */
  waiting(count: number): Promise<void>
}

interface Waiting {
  readonly at: number
  readonly call: () => void
}

export function holdClock(): HeldClock {
  let time = 0
  const waits: number[] = []
  const waiting = new Set<Waiting>()
  const nextBy = (end: number) =>
    [...waiting].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0]
  return {
    waits,
    now: () => time,
    after(delayMs, call) {
      const one = { at: time + delayMs, call }
      waits.push(delayMs)
      waiting.add(one)
      return () => waiting.delete(one)
    },
    advance(ms) {
      const end = time + ms
      for (let next = nextBy(end); next !== undefined; next = nextBy(end)) {
        waiting.delete(next)
        time = next.at
        next.call()
      }
      time = end
    },
    waiting: (count) => until(`${count} wait`, () => waiting.size >= count),
  }
}
