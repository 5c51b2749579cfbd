import type { Readable } from 'node:stream'

import type { PartLink } from '../object-store.ts'
import { StorageError } from '../storage-error.ts'
import type { LocalStore } from './open-local-store.ts'

interface SentPart {
  readonly headers: { readonly 'content-length'?: string | undefined }
  readonly body: Readable
  readonly signal?: AbortSignal
}

/**
 * Takes one part of a direct upload. A body that announces the wrong length is refused unread; one
 * that turns out longer is cut off.
 */
export async function receivePart(
  store: Pick<LocalStore, 'writePart'>,
  link: Omit<PartLink, 'expiresInSeconds'>,
  { headers, body, signal }: SentPart,
): Promise<{ readonly status: 200; readonly headers: { readonly ETag: string } }> {
  const { partNumber, sizeBytes } = link
  const announced = headers['content-length']
  if (announced !== undefined && Number(announced) !== sizeBytes) {
    throw new StorageError('invalid', `The address is for a part of ${sizeBytes} bytes`)
  }
  const options = { sizeBytes, ...(signal && { signal }) }
  const part = await store.writePart(link, partNumber, body, options)
  return { status: 200, headers: { ETag: part.etag } }
}
