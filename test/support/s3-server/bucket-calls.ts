import { type Answer, type Exchange, xml } from './object-calls.ts'
import type { XmlNode } from './xml.ts'

const MAX_PAGE = 1000

export async function headBucket({ route, shelves }: Exchange): Promise<Answer> {
  return { status: shelves.buckets.has(route.bucket) ? 200 : 404 }
}

export async function createBucket({ route, shelves }: Exchange): Promise<Answer> {
  if (!shelves.buckets.has(route.bucket)) {
    shelves.buckets.set(route.bucket, { objects: new Map(), uploads: new Map() })
  }
  return { status: 200 }
}

export async function listObjects({ route, shelves, query }: Exchange): Promise<Answer> {
  const { objects } = shelves.bucket(route.bucket)
  const prefix = query.get('prefix') ?? ''
  const limit = Math.min(Number(query.get('max-keys') ?? MAX_PAGE), MAX_PAGE)
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url')
  const rest = [...objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => ({ key, bytes: Buffer.from(key) }))
    .filter(({ bytes }) => Buffer.compare(bytes, after) > 0)
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
  const page = rest.slice(0, limit)
  const isTruncated = rest.length > page.length
  const contents = page.map(({ key }): XmlNode => {
    const object = objects.get(key)!
    return [
      'Contents',
      [
        ['Key', key],
        ['LastModified', object.lastModified.toISOString()],
        ['ETag', `"${object.etag}"`],
        ['Size', object.size],
        ['StorageClass', 'STANDARD'],
      ],
    ]
  })
  return xml([
    'ListBucketResult',
    [
      ['Name', route.bucket],
      ['Prefix', prefix],
      ['KeyCount', page.length],
      ['MaxKeys', limit],
      ['IsTruncated', isTruncated],
      ['NextContinuationToken', isTruncated ? page.at(-1)?.bytes.toString('base64url') : undefined],
      ...contents,
    ],
  ])
}

const order = (key: string, id: string) => `${key}\u0000${id}`

export async function listUploads({ route, shelves, query }: Exchange): Promise<Answer> {
  const prefix = query.get('prefix') ?? ''
  const limit = Math.min(Number(query.get('max-uploads') ?? MAX_PAGE), MAX_PAGE)
  const after = order(query.get('key-marker') ?? '', query.get('upload-id-marker') ?? '')
  const rest = [...shelves.bucket(route.bucket).uploads.values()]
    .filter(({ key, id }) => key.startsWith(prefix) && order(key, id) > after)
    .toSorted((a, b) => (order(a.key, a.id) < order(b.key, b.id) ? -1 : 1))
  const page = rest.slice(0, limit)
  const isTruncated = rest.length > page.length
  return xml([
    'ListMultipartUploadsResult',
    [
      ['Bucket', route.bucket],
      ['IsTruncated', isTruncated],
      ['NextKeyMarker', isTruncated ? page.at(-1)?.key : undefined],
      ['NextUploadIdMarker', isTruncated ? page.at(-1)?.id : undefined],
      ...page.map(({ key, id, initiated }): XmlNode => [
        'Upload',
        [
          ['Key', key],
          ['UploadId', id],
          ['Initiated', initiated.toISOString()],
        ],
      ]),
    ],
  ])
}
