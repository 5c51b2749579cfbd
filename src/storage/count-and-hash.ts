import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'

import type { StoredObject } from './object-store.ts'
import { StorageError } from './storage-error.ts'

export interface CountingStream extends Transform {
  /** Valid once the stream has ended. */
  totals(): StoredObject
}

/** Passes bytes on and counts and hashes them; refuses another number of them than was announced. */
export function countAndHash(expectedBytes?: number): CountingStream {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      hash.update(chunk)
      if (expectedBytes !== undefined && sizeBytes > expectedBytes) done(wrongSize(expectedBytes))
      else done(null, chunk)
    },
    flush(done) {
      if (expectedBytes !== undefined && sizeBytes !== expectedBytes) done(wrongSize(expectedBytes))
      else done()
    },
  })
  let sha256: string | undefined
  const totals = (): StoredObject => ({ sizeBytes, sha256: (sha256 ??= hash.digest('hex')) })
  return Object.assign(stream, { totals })
}

function wrongSize(expectedBytes: number): StorageError {
  return new StorageError(
    'invalid',
    `The stream does not have the ${expectedBytes} bytes announced`,
  )
}
