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

interface NamedObject {
  readonly bucket: string
  readonly path: string
}

/**
 * What this service does at the addresses that the local driver hands out. Null: the address has
 * expired, was altered, or is for something else.
 */
export function createLinkServer(store: LocalStore, links: LocalLinks) {
  return {
    deliver(url: string, request: DeliveryRequest): Promise<Delivery> | null {
      const verified = links.verify('GET', url)
      return verified?.kind === 'download' ? serveObject(store, verified.link, request) : null
    },

    /** The object that an address downloads; null as above. */
    downloadOf(url: string): NamedObject | null {
      const verified = links.verify('GET', url)
      if (verified?.kind !== 'download') return null
      return { bucket: verified.link.bucket, path: verified.link.key }
    },

    /** The object that a part's address belongs to; null as above. */
    uploadOf(url: string): NamedObject | null {
      const verified = links.verify('PUT', url)
      if (verified?.kind !== 'part') return null
      return { bucket: verified.link.bucket, path: verified.link.key }
    },

    receive(url: string, { contentLength, body, signal }: ArrivingPart) {
      const verified = links.verify('PUT', url)
      if (verified?.kind !== 'part') return null
      const sent = { headers: { 'content-length': contentLength }, body, signal }
      return receivePart(store, verified.link, sent).then(
        ({ headers }) => ({ kind: 'stored', etag: headers.ETag }) as const,
        (error: unknown) => {
          if (error instanceof StorageError && error.kind === 'not-found') {
            return { kind: 'no-upload' } as const
          }
          throw error
        },
      )
    },
  }
}
