import type { IncomingMessage } from 'node:http'

import {
  invalidField,
  PayloadTooLargeException,
  RequestTimeoutException,
} from '../../errors/index.ts'
import { bodyMessages } from './body-messages.ts'
import { type Clock, systemClock, every, SLOWEST, watchPace } from '../../time/clock.ts'
import type { Message } from '../../../pipelines/index.ts'

/** An empty object says no more than an empty body, and many clients send one with every POST. */
const EMPTY = /^\s*(?:\{\s*\})?\s*$/
const MOST_BYTES = 64

/** Whether a body is coming, as far as the headers tell: one in chunks may turn out to be empty. */
export const announcesBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** For routes that take no body: a client that sends one expects it to have an effect. */
export async function refuseBody(incoming: IncomingMessage): Promise<void> {
  if (!announcesBody(incoming)) return
  let text = ''
  // The connection is still needed for the answer.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('latin1', 0, MOST_BYTES)
    if (text.length >= MOST_BYTES) break
  }
  if (text.length < MOST_BYTES && EMPTY.test(text)) return
  throw invalidField('', bodyMessages.noBody())
}

/** How much a form may hold besides its file. */
const FORM_ALLOWANCE_BYTES = 1024 * 1024

/** A client that announces too much is refused before it sends. */
export function refuseTooLong(
  { headers }: IncomingMessage,
  maxFileBytes: number,
  sentAs: 'form' | 'raw',
): void {
  const besides = sentAs === 'form' ? FORM_ALLOWANCE_BYTES : 0
  if (Number(headers['content-length'] ?? 0) > maxFileBytes + besides) throw tooLarge(maxFileBytes)
}

export const tooLarge = (maxFileBytes: number) =>
  new PayloadTooLargeException(bodyMessages.fileTooLarge({ most: maxFileBytes }))

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
