import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import { S3Problem } from './s3-problem.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

interface SignedRequest {
  readonly method: string
  /** As it was sent, percent-encoded. */
  readonly rawPath: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: IncomingHttpHeaders
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const MAX_SKEW_MS = 15 * 60 * 1000
const MAX_EXPIRES_SECONDS = 7 * 24 * 3600

interface Claim {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly date: string
  readonly payloadHash: string
  readonly expiresSeconds: number | null
}

/** Refuses what is not signed with the credentials, now; returns what the payload's hash should be. */
export function verifySignature(
  request: SignedRequest,
  credentials: Credentials,
  nowMs: number,
): string {
  const claim = readClaim(request)
  const [accessKeyId, day, region, service, terminal] = claim.credential.split('/')
  if (accessKeyId !== credentials.accessKeyId) throw new S3Problem(403, 'InvalidAccessKeyId')
  if (service !== 's3' || terminal !== 'aws4_request' || day !== claim.date.slice(0, 8)) {
    throw new S3Problem(400, 'AuthorizationHeaderMalformed')
  }
  checkTime(claim, nowMs)
  checkSignedHeaders(request, claim)

  const scope = `${day}/${region}/s3/aws4_request`
  const text = [ALGORITHM, claim.date, scope, sha256(canonicalRequest(request, claim))].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (signingKey, part) => hmac(signingKey, part ?? ''),
    `AWS4${credentials.secretAccessKey}`,
  )
  const expected = hmac(key, text)
  const given = Buffer.from(claim.signature, 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new S3Problem(403, 'SignatureDoesNotMatch')
  }
  return claim.payloadHash
}

function readClaim(request: SignedRequest): Claim {
  const query = new Map(request.query)
  const header = request.headers.authorization
  const hashHeader = single(request.headers['x-amz-content-sha256'])
  if (query.get('X-Amz-Algorithm') === ALGORITHM && header === undefined) {
    return {
      credential: query.get('X-Amz-Credential') ?? '',
      signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
      signature: query.get('X-Amz-Signature') ?? '',
      date: query.get('X-Amz-Date') ?? '',
      payloadHash: hashHeader ?? query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
      expiresSeconds: Number(query.get('X-Amz-Expires') ?? NaN),
    }
  }
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/.exec(
      header ?? '',
    )
  if (!match) throw new S3Problem(403, 'AccessDenied', 'The request is not signed')
  if (hashHeader === undefined) throw new S3Problem(400, 'MissingSecurityHeader')
  return {
    credential: match[1] ?? '',
    signedHeaders: match[2] ?? '',
    signature: match[3] ?? '',
    date: single(request.headers['x-amz-date']) ?? '',
    payloadHash: hashHeader,
    expiresSeconds: null,
  }
}

function checkTime({ date, expiresSeconds }: Claim, nowMs: number): void {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date)
  if (!match) throw new S3Problem(403, 'AccessDenied', 'The date is missing or malformed')
  const [, year, month, day, hour, minute, second] = match.map(Number)
  const signedAtMs = Date.UTC(year!, month! - 1, day, hour, minute, second)
  if (signedAtMs - nowMs > MAX_SKEW_MS) throw new S3Problem(403, 'RequestTimeTooSkewed')
  if (expiresSeconds === null) {
    if (nowMs - signedAtMs > MAX_SKEW_MS) throw new S3Problem(403, 'RequestTimeTooSkewed')
    return
  }
  if (!(expiresSeconds >= 1 && expiresSeconds <= MAX_EXPIRES_SECONDS)) {
    throw new S3Problem(400, 'AuthorizationQueryParametersError')
  }
  if (nowMs > signedAtMs + expiresSeconds * 1000) {
    throw new S3Problem(403, 'AccessDenied', 'Request has expired')
  }
}

function checkSignedHeaders({ headers }: SignedRequest, { signedHeaders }: Claim): void {
  const signed = new Set(signedHeaders.split(';'))
  const mustBeSigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  for (const name of ['host', ...mustBeSigned]) {
    if (!signed.has(name)) {
      throw new S3Problem(403, 'AccessDenied', `The header ${name} is not signed`)
    }
  }
}

function canonicalRequest(
  { method, rawPath, query, headers }: SignedRequest,
  claim: Claim,
): string {
  const canonicalPath = rawPath
    .split('/')
    .map((segment) => encode(decodeURIComponent(segment)))
    .join('/')
  const canonicalQuery = query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('&')
  const names = claim.signedHeaders.split(';')
  const canonicalHeaders = names.map((name) => {
    const value = single(headers[name]) ?? ''
    return `${name}:${value.trim().replace(/\s+/g, ' ')}\n`
  })
  return [
    method,
    canonicalPath,
    canonicalQuery,
    canonicalHeaders.join(''),
    claim.signedHeaders,
    claim.payloadHash,
  ].join('\n')
}

/** AWS's own escape: everything but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

const single = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.join(',') : value

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
