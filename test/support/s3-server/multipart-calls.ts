import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { type Answer, type Exchange, readText, xml } from './object-calls.ts'
import { S3Problem } from './s3-problem.ts'
import type { StoredBytes, Upload } from './shelves.ts'
import { childrenNamed, readXml, textOf, type XmlNode } from './xml.ts'

const MIN_PART_BYTES = 5 * 1024 * 1024
const MAX_PARTS = 10_000
const MAX_PAGE = 1000

function uploadOf({ route, query, shelves }: Exchange): Upload {
  const upload = shelves.bucket(route.bucket).uploads.get(query.get('uploadId') ?? '')
  if (upload?.key !== route.key) throw new S3Problem(404, 'NoSuchUpload')
  return upload
}

export async function createUpload({ request, route, shelves }: Exchange): Promise<Answer> {
  const upload: Upload = {
    id: randomUUID(),
    key: route.key,
    contentType: request.headers['content-type'] ?? 'binary/octet-stream',
    initiated: new Date(),
    parts: new Map(),
  }
  shelves.bucket(route.bucket).uploads.set(upload.id, upload)
  return xml([
    'InitiateMultipartUploadResult',
    [
      ['Bucket', route.bucket],
      ['Key', route.key],
      ['UploadId', upload.id],
    ],
  ])
}

export async function uploadPart(exchange: Exchange): Promise<Answer> {
  const { request, query, shelves, payloadHash } = exchange
  uploadOf(exchange)
  const partNumber = Number(query.get('partNumber'))
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > MAX_PARTS) {
    throw new S3Problem(400, 'InvalidArgument', 'partNumber')
  }
  const bytes = await shelves.receive(request, payloadHash)
  try {
    // It may have been aborted while the part arrived.
    const { parts } = uploadOf(exchange)
    await shelves.discard(parts.get(partNumber))
    parts.set(partNumber, bytes)
  } catch (error) {
    await shelves.discard(bytes)
    throw error
  }
  return { status: 200, headers: { ETag: `"${bytes.etag}"` } }
}

export async function listParts(exchange: Exchange): Promise<Answer> {
  const { query } = exchange
  const upload = uploadOf(exchange)
  const limit = Math.min(Number(query.get('max-parts') ?? MAX_PAGE), MAX_PAGE)
  const after = Number(query.get('part-number-marker') ?? 0)
  const rest = [...upload.parts].filter(([number]) => number > after).toSorted(([a], [b]) => a - b)
  const page = rest.slice(0, limit)
  const isTruncated = rest.length > page.length
  return xml([
    'ListPartsResult',
    [
      ['Key', upload.key],
      ['UploadId', upload.id],
      ['IsTruncated', isTruncated],
      ['NextPartNumberMarker', isTruncated ? page.at(-1)?.[0] : undefined],
      ...page.map(([number, part]): XmlNode => [
        'Part',
        [
          ['PartNumber', number],
          ['ETag', `"${part.etag}"`],
          ['Size', part.size],
          ['LastModified', part.lastModified.toISOString()],
        ],
      ]),
    ],
  ])
}

export async function completeUpload(exchange: Exchange): Promise<Answer> {
  const { route, shelves, fault } = exchange
  const root = readXml(await readText(exchange))
  const upload = uploadOf(exchange)
  const bucket = shelves.bucket(route.bucket)
  const parts = chosenParts(
    upload,
    childrenNamed(root, 'Part').map((part) => ({
      number: Number(textOf(part, 'PartNumber')),
      etag: (textOf(part, 'ETag') ?? '').replaceAll('"', ''),
    })),
  )
  // From here on the upload is gone for everyone else.
  bucket.uploads.delete(upload.id)
  if (fault?.kind === 'joins-late') await fault.until

  async function* joined() {
    for (const part of parts) yield* createReadStream(part.path)
  }
  const path = shelves.newPath()
  await pipeline(Readable.from(joined()), createWriteStream(path))
  const md5 = createHash('md5')
  for (const part of parts) md5.update(Buffer.from(part.etag, 'hex'))
  const etag = `${md5.digest('hex')}-${parts.length}`
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const previous = bucket.objects.get(route.key)
  const { contentType } = upload
  bucket.objects.set(route.key, { path, size, etag, lastModified: new Date(), contentType })
  await Promise.all([previous, ...upload.parts.values()].map((bytes) => shelves.discard(bytes)))
  return xml([
    'CompleteMultipartUploadResult',
    [
      ['Bucket', route.bucket],
      ['Key', route.key],
      ['ETag', `"${etag}"`],
    ],
  ])
}

function chosenParts(
  upload: Upload,
  named: readonly { readonly number: number; readonly etag: string }[],
): StoredBytes[] {
  if (named.length === 0) throw new S3Problem(400, 'MalformedXML')
  return named.map(({ number, etag }, index) => {
    const part = upload.parts.get(number)
    if (part?.etag !== etag) throw new S3Problem(400, 'InvalidPart')
    if (index > 0 && number <= named[index - 1]!.number)
      throw new S3Problem(400, 'InvalidPartOrder')
    if (index < named.length - 1 && part.size < MIN_PART_BYTES) {
      throw new S3Problem(400, 'EntityTooSmall')
    }
    return part
  })
}

export async function abortUpload(exchange: Exchange): Promise<Answer> {
  const { route, shelves } = exchange
  const upload = uploadOf(exchange)
  shelves.bucket(route.bucket).uploads.delete(upload.id)
  await Promise.all([...upload.parts.values()].map((bytes) => shelves.discard(bytes)))
  return { status: 204 }
}
