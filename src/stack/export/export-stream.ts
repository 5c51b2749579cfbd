import { type Readable, Transform, type Writable } from 'node:stream'

import { watchPace } from '../../time/clock.ts'

/**
 * Runs a producer that writes into a stream. Resolves with the stream once the producer has begun,
 * so that an error before the first byte can still be answered as usual.
 */
export async function exportStream(
  produce: (out: Writable, begun: () => void, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<Readable> {
  let taken = 0
  const out = new Transform({
    readableHighWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length
      done(null, chunk)
    },
  })
  const stop = new AbortController()
  const begun = Promise.withResolvers<void>()
  // A client that reads too slowly keeps a connection from others.
  const watch = watchPace({
    moved: () => taken,
    isTheirTurn: () => out.readableLength > 0,
    tooSlow: () => stop.abort(new Error('The client takes it too slowly')),
  })
  out.once('close', () => stop.abort(new Error('The client went away')))
  produce(out, begun.resolve, AbortSignal.any([signal, stop.signal]))
    .then(() => out.end())
    .catch((error: unknown) => {
      begun.reject(error)
      out.destroy(error as Error)
    })
    .finally(() => watch[Symbol.dispose]())
  // The error reaches the reader of the stream, or rejects `begun`.
  out.on('error', () => undefined)
  await begun.promise
  return out
}

/** Writes, and waits until the reader has caught up. */
export async function writeTo(
  out: Writable,
  chunk: string | Buffer,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  if (out.write(chunk)) return
  await new Promise<void>((resolve, reject) => {
    const settle = () => {
      out.off('drain', settle)
      signal.removeEventListener('abort', settle)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
    out.on('drain', settle)
    signal.addEventListener('abort', settle)
  })
}
