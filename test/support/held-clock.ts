import type { Clock } from '../../src/time/clock.ts'
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
  at: number
  readonly call: () => void
  /** Null: it is called once. */
  readonly intervalMs: number | null
}

export function holdClock(): HeldClock {
  let time = 0
  const waits: number[] = []
  const waiting = new Set<Waiting>()
  const nextBy = (end: number) =>
    [...waiting].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0]
  const wait = (one: Waiting) => {
    waiting.add(one)
    return () => void waiting.delete(one)
  }
  return {
    waits,
    now: () => time,
    after(delayMs, call) {
      waits.push(delayMs)
      return wait({ at: time + delayMs, call, intervalMs: null })
    },
    every: (intervalMs, call) => wait({ at: time + intervalMs, call, intervalMs }),
    advance(ms) {
      const end = time + ms
      for (let next = nextBy(end); next !== undefined; next = nextBy(end)) {
        time = next.at
        if (next.intervalMs === null) waiting.delete(next)
        else next.at += next.intervalMs
        next.call()
      }
      time = end
    },
    waiting: (count) => until(`${count} wait`, () => waiting.size >= count),
  }
}
