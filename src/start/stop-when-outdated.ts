import type { Logger } from '../observability/logger.ts'
import type { StopRequest } from './stop-request.ts'

interface Parting {
  /** How long it still answers requests, as not ready. */
  readonly afterMs: number
  /** Lets others have the work that waits and runs here. */
  handBack(): PromiseLike<void> | undefined
}

/**
 * Ends a process whose database a later version has migrated: its work goes back, and it says why.
 */
export function stopWhenOutdated(
  outdated: AbortSignal,
  stop: StopRequest,
  logger: Logger,
  { afterMs, handBack }: Parting,
): void {
  const end = () => {
    const reason = outdated.reason as Error
    logger.error({ reason: reason.message }, 'this process is outdated: it ends its work')
    void handBackTold()
    setTimeout(() => stop.ask(1, reason), afterMs).unref()
  }
  const handBackTold = async () => {
    try {
      await handBack()
    } catch (error) {
      // What it could not give back is taken from it once it is dead.
      logger.error({ err: error }, 'the work of this process could not be handed back')
    }
  }
  if (outdated.aborted) end()
  else outdated.addEventListener('abort', end, { once: true })
}
