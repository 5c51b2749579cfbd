import { Readable } from 'node:stream'

import { destroyOnAbort } from '../streams.ts'
import { StorageError } from '../storage-error.ts'
import { translateS3Error } from './translate-s3-error.ts'

/**
 * The body of a download: cut when the server stands still while we wait for it (a reader that
 * takes its time is no fault), and failing when it ends before its announced length.
 */
export function openBody(
  body: Readable,
  expected: { readonly bytes: number; readonly stallTimeoutMs: number },
  signal: AbortSignal | undefined,
): Readable {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let missingBytes = expected.bytes

  const fail = (error: unknown) => stream.destroy(translateS3Error(error))

  const pull = async () => {
    const stallTimer = setTimeout(
      () => fail(new StorageError('unavailable', 'The object storage stopped sending')),
      expected.stallTimeoutMs,
    )
    try {
      const { done, value } = await chunks.next()
      if (stream.destroyed) return
      if (!done) {
        missingBytes -= value.length
        stream.push(value)
      } else if (missingBytes === 0) {
        stream.push(null)
      } else {
        fail(new StorageError('unavailable', 'The object storage sent too little'))
      }
    } catch (error) {
      fail(error)
    } finally {
      clearTimeout(stallTimer)
    }
  }

  const stream = new Readable({
    read() {
      void pull()
    },
    destroy(error, done) {
      body.destroy()
      done(error)
    },
  })
  return destroyOnAbort(stream, signal)
}
