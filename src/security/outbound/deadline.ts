import type { Clock } from '../../time/clock.ts'
import { OutboundError } from './errors.ts'
import { outboundMessages } from './outbound-messages.ts'

/**
 * Runs work until it is done, the caller gives up, or the time is over. In the last two cases it
 * returns at once, even if the work cannot be interrupted (a DNS query).
 */
export async function withDeadline<T>(
  { timeoutMs, clock }: { readonly timeoutMs: number; readonly clock: Clock },
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    controller.abort(reason)
    stop(reason)
  }
  const onAbort = () => end(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const takeBack = clock.after(timeoutMs, () => {
    end(new OutboundError('too-slow', outboundMessages.tooSlow({ seconds: timeoutMs / 1000 })))
  })
  try {
    return await Promise.race([run(controller.signal), stopped])
  } finally {
    takeBack()
    signal.removeEventListener('abort', onAbort)
  }
}
