import { createHmac, timingSafeEqual } from 'node:crypto'

import type { DownloadLink, PartLink } from '../object-store.ts'

type VerifiedLink =
  | { readonly kind: 'download'; readonly link: Omit<DownloadLink, 'expiresInSeconds'> }
  | { readonly kind: 'part'; readonly link: Omit<PartLink, 'expiresInSeconds'> }

interface LocalLinkSettings {
  readonly secret: string | Buffer
  /** Called for each link, since the service knows its own address only once it listens. */
  readonly publicBaseUrl: () => string
  readonly now?: () => number
}

const DOWNLOAD_PATH = '/storage/objects/'
const PART_PATH = '/storage/uploads/'

const DOWNLOAD_QUERY = ['contentType', 'expires', 'filename', 'signature'] as const
const PART_QUERY = ['bucket', 'expires', 'key', 'signature', 'size'] as const

export function createLocalLinks(settings: LocalLinkSettings) {
  const { publicBaseUrl, now = Date.now } = settings
  // A derived key, so that the secret may serve other purposes, too.
  const signingKey = createHmac('sha256', settings.secret).update('storage links v1').digest()
  const sign = (parts: readonly (string | number)[]) =>
    createHmac('sha256', signingKey).update(JSON.stringify(parts)).digest('hex')

  const base = () => publicBaseUrl().replace(/\/+$/, '')
  const expiryOf = (seconds: number) => Math.floor(now() / 1000) + seconds
  const isGenuine = (signature: string, expires: string, parts: readonly (string | number)[]) =>
    sameText(signature, sign([...parts, expires])) && Number(expires) > now() / 1000

  return {
    download({ bucket, key, filename, contentType, expiresInSeconds }: DownloadLink): string {
      const name = filename.toWellFormed()
      const expires = String(expiryOf(expiresInSeconds))
      const signature = sign(['GET', bucket, key, name, contentType, expires])
      const query = new URLSearchParams({ expires, filename: name, contentType, signature })
      return `${base()}${DOWNLOAD_PATH}${encodePath(`${bucket}/${key}`)}?${query}`
    },

    part({ bucket, key, uploadId, partNumber, sizeBytes, expiresInSeconds }: PartLink): string {
      const size = String(sizeBytes)
      const expires = String(expiryOf(expiresInSeconds))
      const signature = sign(['PUT', bucket, key, uploadId, partNumber, size, expires])
      const query = new URLSearchParams({ bucket, key, size, expires, signature })
      return `${base()}${PART_PATH}${encodePath(`${uploadId}/${partNumber}`)}?${query}`
    },

    /** What an address is for; null if it has expired, was altered, or is for another method. */
    verify(method: string, pathAndQuery: string): VerifiedLink | null {
      const address = parseAddress(pathAndQuery)
      if (!address) return null
      const { path, query } = address
      if (path.startsWith(DOWNLOAD_PATH) && method === 'GET') {
        const fields = readQuery(query, DOWNLOAD_QUERY)
        const [, bucket, key] = /^([^/]+)\/(.+)$/s.exec(path.slice(DOWNLOAD_PATH.length)) ?? []
        if (!fields || bucket === undefined || key === undefined) return null
        const { contentType, expires, filename, signature } = fields
        const genuine = isGenuine(signature, expires, ['GET', bucket, key, filename, contentType])
        return genuine ? { kind: 'download', link: { bucket, key, filename, contentType } } : null
      }
      if (path.startsWith(PART_PATH) && method === 'PUT') {
        const fields = readQuery(query, PART_QUERY)
        const [, uploadId = '', number = ''] = PART.exec(path.slice(PART_PATH.length)) ?? []
        if (!fields || number === '') return null
        const { bucket, expires, key, signature, size } = fields
        const partNumber = Number(number)
        const signed = ['PUT', bucket, key, uploadId, partNumber, size]
        return isGenuine(signature, expires, signed)
          ? { kind: 'part', link: { bucket, key, uploadId, partNumber, sizeBytes: Number(size) } }
          : null
      }
      return null
    },
  }
}

/** Addresses of this service, each for a single download or a single part of an upload. */
export type LocalLinks = ReturnType<typeof createLocalLinks>

// Each address has only one spelling: with a leading zero or a suffix it was altered.
const PART = /^([^/]+)\/([1-9]\d*)$/

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

function parseAddress(pathAndQuery: string): { path: string; query: URLSearchParams } | null {
  const [path = '', ...rest] = pathAndQuery.split('?')
  try {
    return {
      path: path.split('/').map(decodeURIComponent).join('/'),
      query: new URLSearchParams(rest.join('?')),
    }
  } catch (error) {
    // An invalid percent escape.
    if (error instanceof URIError) return null
    throw error
  }
}

/** Exactly these parameters, once each: an address with any others was altered. */
function readQuery<const Names extends readonly string[]>(
  query: URLSearchParams,
  names: Names,
): Record<Names[number], string> | null {
  const given = [...query.keys()].toSorted()
  if (given.length !== names.length || given.some((name, index) => name !== names[index])) {
    return null
  }
  return Object.fromEntries(query) as Record<Names[number], string>
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
