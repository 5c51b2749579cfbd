import type { HeaderSpec, RouteSpec } from '../define-route.ts'
import { IDEMPOTENCY_KEY } from '../idempotency.ts'
import type { Components, Json } from './components.ts'

type Headers = Readonly<Record<string, HeaderSpec>>

const IDEMPOTENCY: Headers = {
  'Idempotency-Key': {
    description:
      'The same key, caller and body within 24 h give the first answer again, with ' +
      '`Idempotent-Replayed: true`; 1 to 255 printable ASCII characters',
    pattern: IDEMPOTENCY_KEY.source,
    example: '8f14e45f-ceea-467f-a0d6-1c2b3a4d5e6f',
  },
}

const PREFERENCE: Headers = {
  Prefer: {
    description: 'Answer 202 at once with a job, and do the work in the background',
    example: 'respond-async',
  },
}

const LANGUAGE: Headers = {
  'Accept-Language': {
    description:
      'French or English for every text of the answer; `LANGUAGE` decides where neither is asked for',
    example: 'fr-CA, fr;q=0.9, en;q=0.5',
  },
}

/** Headers that a request may carry, except for the token. */
export function requestHeaders(spec: RouteSpec): Headers {
  return {
    ...spec.headers,
    ...(spec.method === 'post' &&
      spec.access !== 'public' &&
      spec.access !== 'holder' &&
      IDEMPOTENCY),
    ...(spec.longRunning && PREFERENCE),
    ...(spec.tag !== 'storage' && LANGUAGE),
  }
}

export const QUEUED_HEADERS: Headers = {
  Location: {
    description: 'Where the job is shown',
    example: '/jobs/aa600e8d-a737-4bb5-8c0d-e7d2d5c23ed6',
  },
  'Preference-Applied': { description: 'What was preferred and done', example: 'respond-async' },
}

const RETRY_AFTER: Headers = {
  'Retry-After': { description: 'Seconds to wait, where that is known', example: '5' },
}

const CHALLENGE: Headers = {
  'WWW-Authenticate': { description: 'How to sign a request', example: 'Bearer' },
}

/** Headers of a refusal besides its problem document. */
export const REFUSAL_HEADERS: Readonly<Record<string, Headers>> = {
  401: CHALLENGE,
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** For an answer that is saved as a file. */
export const ATTACHMENT: Headers = {
  'Content-Disposition': {
    description: 'The name to save it under',
    example: `attachment; filename="ventes-mars.csv"; filename*=UTF-8''ventes-mars.csv`,
  },
}

const ETAG = '"19f-18e3a2b7c40"'

export const VERSION: Headers = {
  ETag: { description: 'The version of what is answered', example: ETAG },
}

/** For a request that continues what the client already has. */
export const CONDITIONS: Headers = {
  Range: { description: 'The bytes that are wanted', example: 'bytes=100-' },
  'If-Range': { description: 'The range only if the file is still this one', example: ETAG },
  'If-Match': { description: 'Only if the file is still this one', example: ETAG },
  'If-None-Match': { description: 'Nothing if the file is still this one', example: ETAG },
}

export const RANGE: Headers = {
  'Content-Range': {
    description: 'Which bytes these are, of how many',
    example: 'bytes 100-190/191',
  },
}

export function responseHeaders(headers: Headers | undefined, components: Components): Json {
  if (headers === undefined) return {}
  const referred = Object.entries(headers).map(([name, header]) => [
    name,
    components.referHeader(name, header),
  ])
  return { headers: Object.fromEntries(referred) as Json }
}
