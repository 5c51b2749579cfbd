import { systemClock, waitFor } from './clock.ts'

/** Waits no longer than until the signal; work that ignores the signal is then left to itself. */
export async function unlessAborted<R>(signal: AbortSignal, work: Promise<R>): Promise<R> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** How long what is being opened may still take: it may hang at what does not answer. */
const FINISHES_WITHIN_MS = 5000

/**
 * The same for what is opened for a stack. If the signal comes first, the stack still waits for it
 * and closes it, before it closes what that was opened with.
 */
export async function openUnlessAborted<R extends AsyncDisposable>(
  signal: AbortSignal,
  opening: Promise<R>,
  opened: AsyncDisposableStack,
): Promise<R> {
  try {
    return opened.use(await unlessAborted(signal, opening))
  } catch (error) {
    const closed = opening.then((open) => open[Symbol.asyncDispose]()).catch(() => {})
    const over = new AbortController()
    const patience = waitFor(systemClock, FINISHES_WITHIN_MS, over.signal).catch(() => {})
    opened.defer(() => Promise.race([closed, patience]).finally(() => over.abort()))
    throw error
  }
}
