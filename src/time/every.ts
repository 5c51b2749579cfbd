import { type Clock, systemClock } from './clock.ts'

/** Work that is done again and again. Disposing of it ends that; `await using` waits for the work under way. */
export interface Repetition extends Disposable, AsyncDisposable {}

/**
 * Does the work every so many milliseconds, never twice at once: a turn that comes while it still
 * runs is left out. It keeps no process alive. Work that can fail has to deal with its failures.
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
