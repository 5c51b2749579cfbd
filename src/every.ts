/** Work that is done again and again. Disposing of it ends that; `await using` waits for the work under way. */
export interface Repetition extends Disposable, AsyncDisposable {}

/**
 * Does the work every so many milliseconds, never twice at once: a turn that comes while it still
 * runs is left out. This is the only timer of the service that repeats, and it keeps no process
 * alive. Work that can fail has to deal with its failures.
 */
export function every(intervalMs: number, work: () => unknown): Repetition {
  let underWay: Promise<void> | null = null
  const timer = setInterval(() => {
    underWay ??= run(work).finally(() => {
      underWay = null
    })
  }, intervalMs)
  timer.unref()
  const stop = () => clearInterval(timer)
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
