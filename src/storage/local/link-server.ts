import type { Readable } from 'node:stream'

import { StorageError } from '../storage-error.ts'
import type { LocalLinks } from './local-links.ts'
import type { LocalStore } from './open-local-store.ts'
import type { PartLink, DownloadLink, ObjectFacts, ObjectStore } from '../object-store.ts'
import { attachmentDisposition } from '../content-disposition.ts'
import { safeContentType } from '../content-type.ts'
import { chooseRange, matchNames, noneMatchNames, rangeStillApplies } from './http-range.ts'

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

interface DeliveryRequest {
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
interface Delivery {
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
