import type { Readable } from 'node:stream'

import { StorageError } from '../storage-error.ts'
import type { LocalLinks } from './local-links.ts'
import type { LocalStore } from './open-local-store.ts'
import { receivePart } from './receive-part.ts'
import { type Delivery, type DeliveryRequest, serveObject } from './serve-object.ts'

interface ArrivingPart {
  readonly contentLength: string | undefined
  readonly body: Readable
  readonly signal: AbortSignal
}

/**
 * What this service does at the addresses that the local driver hands out. Null: the address has
 * expired, was altered, or is for something else.
 */
export function createLinkServer(store: LocalStore, links: LocalLinks) {
  return {
    download(url: string) {
      const verified = links.verify('GET', url)
      if (verified?.kind !== 'download') return null
      const { bucket, key: path } = verified.link
      return {
        bucket,
        path,
        deliver: (request: DeliveryRequest): Promise<Delivery> =>
          serveObject(store, verified.link, request),
      }
    },

    upload(url: string) {
      const verified = links.verify('PUT', url)
      if (verified?.kind !== 'part') return null
      const { bucket, key: path } = verified.link
      return {
        bucket,
        path,
        async receive({ contentLength, body, signal }: ArrivingPart) {
          const sent = { headers: { 'content-length': contentLength }, body, signal }
          try {
            const { headers } = await receivePart(store, verified.link, sent)
            return { kind: 'stored', etag: headers.ETag } as const
          } catch (error) {
            if (error instanceof StorageError && error.kind === 'not-found') {
              return { kind: 'no-upload' } as const
            }
            throw error
          }
        },
      }
    },
  }
}
