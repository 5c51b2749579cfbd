import type { Logger } from './observability/logger.ts'

interface SweepOptions {
  readonly everyMs: number
  readonly logger: Logger
}

/** Clears up now and then what nobody came back for; any number of processes may do so at once. */
export function startSweeps(
  sweeps: readonly (() => Promise<void>)[],
  { everyMs, logger }: SweepOptions,
): AsyncDisposable {
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  const run = async () => {
    for (const sweep of sweeps) {
      if (stopped) return
      await sweep().catch((error: unknown) => {
        logger.warn({ err: error }, 'a sweep failed; it is tried again')
      })
    }
  }
  const timer = setInterval(() => {
    running = running.then(run)
  }, everyMs)
  timer.unref()
  running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
