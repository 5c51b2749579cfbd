import { createHash } from 'node:crypto'

import { UploadIncompleteException, UploadNotFoundException } from '../../errors/index.ts'
import type { MultipartUpload, ObjectStore, StoredObject } from '../../storage/object-store.ts'
import { StorageError } from '../../storage/storage-error.ts'
import { documentMessages } from '../documents/document-messages.ts'

interface ExpectedUpload extends MultipartUpload {
  readonly partSizes: readonly number[]
}

/**
 * Joins the parts and reads the object back, since only then is it known what the client really
 * sent.
 */
export async function completeParts(
  store: ObjectStore,
  upload: ExpectedUpload,
  signal: AbortSignal,
): Promise<StoredObject> {
  try {
    return await joinAndHash(store, upload, signal)
  } catch (error) {
    if (!isNotFound(error)) throw error
    // Aborted in the meantime: neither the parts nor an object exist.
    throw new UploadNotFoundException(undefined, { cause: error })
  }
}

async function joinAndHash(
  store: ObjectStore,
  { bucket, key, uploadId, partSizes }: ExpectedUpload,
  signal: AbortSignal,
): Promise<StoredObject> {
  const upload = { bucket, key, uploadId }
  const present = await listUnlessComplete(store, upload, signal)
  if (present) {
    const sizes = new Map(present.map((part) => [part.partNumber, part.sizeBytes]))
    const missing = partSizes
      .map((size, index) => ({ partNumber: index + 1, size }))
      .filter(({ partNumber, size }) => sizes.get(partNumber) !== size)
      .map(({ partNumber }) => partNumber)
    if (missing.length > 0) throw incomplete(missing)
    const chosen = present.filter(({ partNumber }) => partNumber <= partSizes.length)
    await store.completeMultipart(upload, chosen, { signal })
  }
  return hashStored(store, bucket, key, signal)
}

/** Null if an earlier completion joined the parts but was interrupted afterwards. */
async function listUnlessComplete(
  store: ObjectStore,
  upload: MultipartUpload,
  signal: AbortSignal,
) {
  try {
    return await store.listParts(upload, { signal })
  } catch (error) {
    if (!isNotFound(error)) throw error
    return null
  }
}

const isNotFound = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.kind === 'not-found'

async function hashStored(
  store: ObjectStore,
  bucket: string,
  key: string,
  signal: AbortSignal,
): Promise<StoredObject> {
  const hash = createHash('sha256')
  const { stream, sizeBytes } = await store.get(bucket, key, { signal })
  for await (const chunk of stream as AsyncIterable<Buffer>) hash.update(chunk)
  return { sizeBytes, sha256: hash.digest('hex') }
}

const SHOWN = 100

function incomplete(missing: readonly number[]) {
  const shown = missing.slice(0, SHOWN).map(String)
  return new UploadIncompleteException(
    documentMessages.missingParts({
      parts: missing.length > SHOWN ? [...shown, '…'] : shown,
    }),
    { members: { missingParts: missing.slice(0, SHOWN) } },
  )
}
