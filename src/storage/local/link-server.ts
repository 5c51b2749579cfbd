import type { Readable } from 'node:stream'

import type { LocalLinks } from './local-links.ts'
import type { LocalStore } from './open-local-store.ts'
import { receivePart } from './receive-part.ts'
import { type Delivery, type DeliveryRequest, serveObject } from './serve-object.ts'

/** What this service does at the addresses that the local driver gives out. */
export interface LinkServer {
  /** Null: the address has expired, was altered, or is for something else. */
  deliver(url: string, request: DeliveryRequest): Promise<Delivery> | null
  receive(url: string, part: ArrivingPart): Promise<{ readonly etag: string }> | null
}

export interface ArrivingPart {
  readonly contentLength: string | undefined
  readonly body: Readable
  readonly signal: AbortSignal
}

export function createLinkServer(store: LocalStore, links: LocalLinks): LinkServer {
  return {
    deliver(url, request) {
      const verified = links.verify(request.method, url)
      return verified?.kind === 'download' ? serveObject(store, verified.link, request) : null
    },
    receive(url, { contentLength, body, signal }) {
      const verified = links.verify('PUT', url)
      if (verified?.kind !== 'part') return null
      const sent = { headers: { 'content-length': contentLength }, body, signal }
      return receivePart(store, verified.link, sent).then(({ headers }) => ({ etag: headers.ETag }))
    },
  }
}
