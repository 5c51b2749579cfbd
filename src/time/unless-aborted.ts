/** Waits until the signal at the longest; work that does not heed it is left to itself then. */
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
