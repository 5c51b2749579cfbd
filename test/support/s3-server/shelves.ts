import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'

import { makeFolder } from '../folder.ts'
import { verifiedBody } from './request-body.ts'
import { S3Problem } from './s3-problem.ts'

export interface StoredBytes {
  readonly path: string
  readonly size: number
  /** Without quotes. */
  readonly etag: string
  readonly lastModified: Date
}

interface StoredObject extends StoredBytes {
  readonly contentType: string
}

export interface Upload {
  readonly id: string
  readonly key: string
  readonly contentType: string
  readonly initiated: Date
  readonly parts: Map<number, StoredBytes>
}

interface Bucket {
  readonly objects: Map<string, StoredObject>
  readonly uploads: Map<string, Upload>
}

/** What the server holds: bytes in files of a temporary folder, the rest in memory. */
export interface Shelves {
  readonly buckets: Map<string, Bucket>
  bucket(name: string): Bucket
  newPath(): string
  /** The request's body in a file; refused as a whole when it does not verify. */
  receive(request: IncomingMessage, payloadHash: string): Promise<StoredBytes>
  discard(bytes: StoredBytes | undefined): Promise<void>
  close(): Promise<void>
}

export async function openShelves(bucketNames: readonly string[]): Promise<Shelves> {
  const folder = await makeFolder('s3-server')
  const buckets = new Map<string, Bucket>()
  for (const name of bucketNames) buckets.set(name, { objects: new Map(), uploads: new Map() })

  const newPath = () => join(folder, randomUUID())
  return {
    buckets,
    newPath,
    bucket(name) {
      const bucket = buckets.get(name)
      if (!bucket) throw new S3Problem(404, 'NoSuchBucket')
      return bucket
    },
    async receive(request, payloadHash) {
      const path = newPath()
      const body = verifiedBody(request, payloadHash)
      const file = createWriteStream(path)
      try {
        await pipeline(request, body.stream, file)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
      return { path, size: file.bytesWritten, etag: body.md5Hex(), lastModified: new Date() }
    },
    discard: async (bytes) => (bytes ? rm(bytes.path, { force: true }) : undefined),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
