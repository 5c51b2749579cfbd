import type { IncomingMessage } from 'node:http'

import { type Clock, systemClock, every, SLOWEST, watchPace } from '../../time/clock.ts'
import { RequestTimeoutException } from '../../errors/index.ts'
import { bodyMessages } from './body-messages.ts'
import type { Message } from '../../../pipelines/index.ts'

/** Fewer bytes than this within a whole time-out do not count as progress: one byte a second is an attack. */
const PROGRESS_BYTES = 16 * 1024

/**
 * Fails a request whose body has stopped or comes too slowly. Only the time in which the service
 * was ready to read counts: a slow database must not make an honest client look slow.
 */
export function cutSlowBody(
  incoming: IncomingMessage,
  idleTimeoutMs: number,
  clock: Clock = systemClock,
): Disposable {
  using watches = new DisposableStack()
  const received = () => incoming.socket.bytesRead
  const isAwaited = () =>
    isComing(incoming) && !(incoming.readableLength > 0 && incoming.readableFlowing !== true)
  let isCut = false
  const cut = (detail: Message) => {
    if (isCut || !isComing(incoming)) return
    isCut = true
    fail(incoming, new RequestTimeoutException(detail))
  }

  let idleMs = 0
  let bytesAtProgress = received()
  const stepMs = Math.max(10, idleTimeoutMs / 10)
  const lookForProgress = () => {
    if (received() - bytesAtProgress >= PROGRESS_BYTES) {
      bytesAtProgress = received()
      idleMs = 0
    } else if (isAwaited()) {
      idleMs += stepMs
      if (idleMs >= idleTimeoutMs) cut(bodyMessages.stalled({ seconds: idleTimeoutMs / 1000 }))
    }
  }
  watches.use(every(stepMs, lookForProgress, clock))
  watches.use(
    watchPace(
      {
        moved: received,
        isTheirTurn: isAwaited,
        tooSlow: () => cut(bodyMessages.slow({ rate: SLOWEST.bytesPerSecond })),
      },
      clock,
    ),
  )
  return watches.move()
}

const isComing = ({ complete, destroyed }: IncomingMessage) => !complete && !destroyed

/** The reader of the body gets the error, so that the client still receives an answer. */
function fail(incoming: IncomingMessage, problem: Error): void {
  if (incoming.listenerCount('error') > 0) incoming.emit('error', problem)
  else incoming.destroy(problem)
}

/**
 * Whether the client went away in the middle of the body. Once it has, no event tells of it: whoever begins
 * to read asks, or waits for the rest for ever.
 */
export const isCut = ({ destroyed, complete }: IncomingMessage): boolean => destroyed && !complete
