import { type Clock, systemClock } from './clock.ts'

/**
 * Repeated work. Disposing of it stops the repetition; `await using` also waits for the work in
 * progress.
 */
export interface Repetition extends Disposable, AsyncDisposable {}

/**
 * Does the work at an interval, never twice at once: a turn is skipped while the previous one still
 * runs. It does not keep the process alive. The work has to handle its own failures.
 */
export function every(
  intervalMs: number,
  work: () => unknown,
  clock: Clock = systemClock,
): Repetition {
  let underWay: Promise<void> | null = null
  const stop = clock.every(intervalMs, () => {
    underWay ??= run(work).finally(() => {
      underWay = null
    })
  })
  return {
    [Symbol.dispose]: stop,
    async [Symbol.asyncDispose]() {
      stop()
      await underWay
    },
  }
}

async function run(work: () => unknown): Promise<void> {
  await work()
}
