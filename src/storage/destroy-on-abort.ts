import type { Readable } from 'node:stream'

/** Destroys the stream with the signal's own reason. */
export function destroyOnAbort<S extends Readable>(stream: S, signal: AbortSignal | undefined): S {
  if (!signal) return stream
  const abort = () => {
    const reason: unknown = signal.reason
    stream.destroy(reason instanceof Error ? reason : new Error('Aborted', { cause: reason }))
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  stream.once('close', () => signal.removeEventListener('abort', abort))
  return stream
}
