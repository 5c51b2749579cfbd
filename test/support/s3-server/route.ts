import type { Operation } from './faults.ts'
import { S3Problem } from './s3-problem.ts'

export interface Route {
  readonly operation: Operation
  readonly bucket: string
  /** Empty for calls on the bucket itself. */
  readonly key: string
}

type Rule = readonly [method: string, needed: readonly string[], operation: Operation]

const BUCKET_RULES: readonly Rule[] = [
  ['HEAD', [], 'HeadBucket'],
  ['PUT', [], 'CreateBucket'],
  ['GET', ['list-type'], 'ListObjectsV2'],
  ['GET', ['uploads'], 'ListMultipartUploads'],
  ['POST', ['delete'], 'DeleteObjects'],
]

const OBJECT_RULES: readonly Rule[] = [
  ['PUT', ['partNumber', 'uploadId'], 'UploadPart'],
  ['PUT', [], 'PutObject'],
  ['GET', ['uploadId'], 'ListParts'],
  ['GET', [], 'GetObject'],
  ['HEAD', [], 'HeadObject'],
  ['DELETE', ['uploadId'], 'AbortMultipartUpload'],
  ['DELETE', [], 'DeleteObject'],
  ['POST', ['uploads'], 'CreateMultipartUpload'],
  ['POST', ['uploadId'], 'CompleteMultipartUpload'],
]

const SELECTORS = new Set([...BUCKET_RULES, ...OBJECT_RULES].flatMap(([, needed]) => needed))
const OPTIONS =
  /^(x-id|X-Amz-.+|x-amz-.+|response-.+|prefix|max-keys|continuation-token|start-after|encoding-type|key-marker|upload-id-marker|max-uploads|part-number-marker|max-parts)$/

/** Path style only. What the server does not know it refuses rather than ignore. */
export function routeOf(
  method: string,
  rawPath: string,
  query: ReadonlyMap<string, string>,
): Route {
  const [, bucket = '', ...rest] = rawPath.split('/').map(decodeURIComponent)
  const key = rest.join('/')
  const selectors = [...query.keys()].filter((name) => !OPTIONS.test(name))
  const rule = (key === '' ? BUCKET_RULES : OBJECT_RULES).find(
    ([wanted, needed]) =>
      wanted === method &&
      needed.length === selectors.length &&
      needed.every((name) => query.has(name)),
  )
  if (!rule || selectors.some((name) => !SELECTORS.has(name))) {
    throw new S3Problem(501, 'NotImplemented', `${method} ${[...query.keys()].join('&')}`)
  }
  return { operation: rule[2], bucket, key }
}
