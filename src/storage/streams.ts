import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import type { StoredObject } from './object-store.ts'
import { StorageError } from './storage-error.ts'

/** Otherwise `for await` would join all pieces that the stream holds into a copy. */
const PIECE_BY_PIECE = { readableObjectMode: true, readableHighWaterMark: 1 } as const

interface CountedStream extends Transform {
  /** Valid once the stream has ended. */
  totals(): StoredObject
}

/**
 * Passes the source's bytes on while counting and hashing them. Fails with the source's own error,
 * with the signal's reason (at once, however long the source takes to let go), or if the number of
 * bytes differs from what was announced. Destroying the stream destroys the source.
 */
export function countAndHash(
  source: Readable,
  { sizeBytes, signal }: { readonly sizeBytes?: number; readonly signal?: AbortSignal },
): CountedStream {
  const hash = createHash('sha256')
  let counted = 0
  const stream = new Transform({
    ...PIECE_BY_PIECE,
    transform(chunk: Buffer, _encoding, done) {
      counted += chunk.length
      collectPassed(chunk.length)
      hash.update(chunk)
      if (sizeBytes !== undefined && counted > sizeBytes) done(wrongSize(sizeBytes))
      else done(null, chunk)
    },
    flush(done) {
      if (sizeBytes !== undefined && counted !== sizeBytes) done(wrongSize(sizeBytes))
      else done()
    },
  })
  // Errors reach the reader of the stream, so there is nothing to do here.
  pipeline(source, stream, () => undefined)
  destroyOnAbort(stream, signal)

  let sha256: string | undefined
  const totals = () => ({ sizeBytes: counted, sha256: (sha256 ??= hash.digest('hex')) })
  return Object.assign(stream, { totals })
}

function wrongSize(expectedBytes: number): StorageError {
  return new StorageError(
    'invalid',
    `The stream does not have the ${expectedBytes} bytes announced`,
  )
}

const EVERY_BYTES = 16 * 1024 * 1024

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | null = null
let passed = 0

/**
 * Lets go, every few megabytes, of the buffers that bodies came in. They are dead by then, but V8 does
 * not count what lies outside of its heap when it decides to collect the young part, and marks all that
 * lives when there is too much of it (docs/adr/0025-memory-is-bounded-not-returned.md).
 */
function collectPassed(bytes: number): void {
  passed += bytes
  if (passed < EVERY_BYTES) return
  passed = 0
  collect ??= findCollect()
  collect({ type: 'minor' })
}

/** V8 shows it only to contexts that are made while it is told to. */
function findCollect(): Collect {
  setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return found
}

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
