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
