import type { Readable } from 'node:stream'

import { attachmentDisposition } from '../content-disposition.ts'
import { safeContentType } from '../content-type.ts'
import type { DownloadLink, ObjectFacts, ObjectStore } from '../object-store.ts'
import { chooseRange, matchNames, noneMatchNames, rangeStillApplies } from './http-range.ts'

export interface DeliveryRequest {
  /** Lower-case names, as Node gives them. */
  readonly headers: {
    readonly range?: string | undefined
    readonly 'if-range'?: string | undefined
    readonly 'if-match'?: string | undefined
    readonly 'if-none-match'?: string | undefined
  }
  readonly signal?: AbortSignal
}

/** An answer that is independent of the HTTP library. */
export interface Delivery {
  readonly status: 200 | 206 | 304 | 412 | 416
  readonly headers: Readonly<Record<string, string>>
  readonly stream: Readable | null
}

// A compressed answer could neither be resumed nor announce its length.
const CACHING = { 'Cache-Control': 'private, no-cache, no-transform' }

/** Sends an object or the requested range of it, so that an interrupted download can continue. */
export async function serveObject(
  store: Pick<ObjectStore, 'head' | 'get'>,
  link: Omit<DownloadLink, 'expiresInSeconds'>,
  { headers, signal }: DeliveryRequest,
): Promise<Delivery> {
  const options = signal ? { signal } : {}
  const facts = await store.head(link.bucket, link.key, options)
  const common = describe(link, facts)
  if (!matchNames(headers['if-match'], facts.etag)) {
    return { status: 412, headers: { ETag: facts.etag, 'Content-Length': '0' }, stream: null }
  }
  if (noneMatchNames(headers['if-none-match'], facts.etag)) {
    return { status: 304, headers: { ETag: facts.etag, ...CACHING }, stream: null }
  }

  const asked = rangeStillApplies(headers['if-range'], facts) ? headers.range : undefined
  const choice = chooseRange(asked, facts.sizeBytes)
  switch (choice.kind) {
    case 'unsatisfiable': {
      const none = { 'Content-Range': `bytes */${facts.sizeBytes}`, 'Content-Length': '0' }
      return { status: 416, headers: none, stream: null }
    }
    case 'whole': {
      const { stream } = await store.get(link.bucket, link.key, options)
      const length = { 'Content-Length': String(facts.sizeBytes) }
      return { status: 200, headers: { ...common, ...length }, stream }
    }
    case 'part': {
      const { start, end } = choice
      const { stream } = await store.get(link.bucket, link.key, {
        ...options,
        range: { start, end },
      })
      const extent = {
        'Content-Length': String(end - start + 1),
        'Content-Range': `bytes ${start}-${end}/${facts.sizeBytes}`,
      }
      return { status: 206, headers: { ...common, ...extent }, stream }
    }
  }
}

function describe(
  link: { readonly filename: string; readonly contentType: string },
  facts: ObjectFacts,
): Record<string, string> {
  return {
    'Content-Type': safeContentType(link.contentType),
    'Content-Disposition': attachmentDisposition(link.filename),
    'Accept-Ranges': 'bytes',
    ETag: facts.etag,
    'Last-Modified': facts.lastModified.toUTCString(),
    ...CACHING,
    // A stored page is somebody else's file and must never run under the service's origin.
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  }
}
