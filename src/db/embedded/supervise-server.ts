import { setTimeout as delay } from 'node:timers/promises'

import type { Server } from './launch-server.ts'
import type { EmbeddedPostgresLogger } from './logger.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/** Starts the server again whenever it ends without being asked to, until `stop`. */
export function superviseServer(
  first: Server,
  launch: (signal: AbortSignal) => Promise<Server>,
  logger: EmbeddedPostgresLogger,
): { stop(): Promise<void> } {
  let current = first
  const stopping = new AbortController()
  // When the service ends without stopping us, the database at least shuts down in order.
  const onExit = () => endQuietly(current.pid)
  process.once('exit', onExit)

  async function watch(): Promise<void> {
    for (;;) {
      await current.exited
      if (stopping.signal.aborted) return
      logger.warn({ pid: current.pid }, 'embedded PostgreSQL ended unexpectedly; starting it again')
      const next = await relaunch(launch, logger, stopping.signal)
      if (next === undefined) return
      current = next
      // Asked to stop in the instant it came up.
      if (stopping.signal.aborted) await current.stop()
    }
  }

  const watching = watch()
  return {
    async stop() {
      process.removeListener('exit', onExit)
      stopping.abort()
      await current.stop()
      await watching
    },
  }
}

/** Tries until it works, or gives up when asked to stop. */
async function relaunch(
  launch: (signal: AbortSignal) => Promise<Server>,
  logger: EmbeddedPostgresLogger,
  signal: AbortSignal,
): Promise<Server | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await launch(signal)
    } catch (error) {
      if (signal.aborted) return undefined
      logger.warn({ err: error }, 'embedded PostgreSQL could not be started again yet')
    }
    try {
      await delay(pauseMs, undefined, { signal, ref: false })
    } catch {
      return undefined
    }
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGINT')
  } catch {
    // It is gone already, which is what we want.
  }
}
