import type { IncomingMessage } from 'node:http'

import { RequestTimeoutException } from '../../errors/index.ts'
import { every } from '../../every.ts'
import { bodyMessages } from './body-messages.ts'

/** Fewer bytes than this in a whole time-out are no progress; one byte a second is an attack. */
const PROGRESS_BYTES = 16 * 1024

/**
 * Fails a request whose body stopped coming. Only the time in which we were ready to read counts:
 * a slow database must not make an honest client look slow.
 */
export function cutStalledBody(incoming: IncomingMessage, timeoutMs: number): Disposable {
  let hungryMs = 0
  let bytesAtProgress = incoming.socket.bytesRead
  const stepMs = Math.max(10, timeoutMs / 10)
  const watch = every(stepMs, () => {
    if (incoming.complete || incoming.destroyed) {
      watch[Symbol.dispose]()
      return
    }
    if (incoming.socket.bytesRead - bytesAtProgress >= PROGRESS_BYTES) {
      bytesAtProgress = incoming.socket.bytesRead
      hungryMs = 0
      return
    }
    const backPressure = incoming.readableLength > 0 && !incoming.readableFlowing
    if (!backPressure) hungryMs += stepMs
    if (hungryMs >= timeoutMs) {
      watch[Symbol.dispose]()
      fail(
        incoming,
        new RequestTimeoutException(bodyMessages.stalled({ seconds: timeoutMs / 1000 })),
      )
    }
  })
  return watch
}

/** Whoever reads the body is told, so that the client still gets an answer. */
function fail(incoming: IncomingMessage, problem: Error): void {
  if (incoming.listenerCount('error') > 0) incoming.emit('error', problem)
  else incoming.destroy(problem)
}
