import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'

import type { Fault } from './faults.ts'
import type { Route } from './route.ts'
import { S3Problem } from './s3-problem.ts'
import type { Shelves } from './shelves.ts'
import { childrenNamed, readXml, textOf, writeXml, type XmlNode } from './xml.ts'

export interface Exchange {
  readonly request: IncomingMessage
  readonly query: ReadonlyMap<string, string>
  readonly route: Route
  readonly payloadHash: string
  readonly shelves: Shelves
  readonly fault: Fault | null
  readonly note: (keys: readonly string[]) => void
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | { readonly path: string; readonly start: number; readonly end: number }
}

const MAX_XML_BYTES = 4 * 1024 * 1024
const MAX_DELETE_KEYS = 1000

export const xml = (root: XmlNode): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'application/xml' },
  body: writeXml(root),
})

export async function putObject(exchange: Exchange): Promise<Answer> {
  const { request, route, shelves, payloadHash } = exchange
  if (request.headers['x-amz-copy-source'] !== undefined) throw new S3Problem(501, 'NotImplemented')
  const { objects } = shelves.bucket(route.bucket)
  const bytes = await shelves.receive(request, payloadHash)
  const previous = objects.get(route.key)
  const contentType = request.headers['content-type'] ?? 'binary/octet-stream'
  objects.set(route.key, { ...bytes, contentType })
  await shelves.discard(previous)
  return { status: 200, headers: { ETag: `"${bytes.etag}"` } }
}

export async function headObject({ route, shelves }: Exchange): Promise<Answer> {
  const object = shelves.bucket(route.bucket).objects.get(route.key)
  if (!object) return { status: 404 }
  return {
    status: 200,
    headers: {
      'Content-Length': String(object.size),
      'Content-Type': object.contentType,
      'Accept-Ranges': 'bytes',
      ETag: `"${object.etag}"`,
      'Last-Modified': object.lastModified.toUTCString(),
    },
  }
}

const OVERRIDES: Readonly<Record<string, string>> = {
  'response-content-type': 'Content-Type',
  'response-content-disposition': 'Content-Disposition',
  'response-content-language': 'Content-Language',
  'response-cache-control': 'Cache-Control',
  'response-content-encoding': 'Content-Encoding',
  'response-expires': 'Expires',
}

export async function getObject(exchange: Exchange): Promise<Answer> {
  const { request, route, shelves, query } = exchange
  const object = shelves.bucket(route.bucket).objects.get(route.key)
  if (!object) throw new S3Problem(404, 'NoSuchKey')
  const { headers: common = {} } = await headObject(exchange)
  const headers: Record<string, string> = { ...common }
  for (const [name, value] of query) {
    const header = OVERRIDES[name]
    if (header !== undefined) headers[header] = value
  }
  const range = rangeOf(request.headers.range, object.size)
  if (!range) return { status: 200, headers, body: { ...object, start: 0, end: object.size - 1 } }
  headers['Content-Length'] = String(range.end - range.start + 1)
  headers['Content-Range'] = `bytes ${range.start}-${range.end}/${object.size}`
  return { status: 206, headers, body: { ...object, ...range } }
}

function rangeOf(header: string | undefined, size: number): { start: number; end: number } | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size) throw new S3Problem(416, 'InvalidRange')
  return end < start ? null : { start, end }
}

export async function deleteObject({ route, shelves }: Exchange): Promise<Answer> {
  const { objects } = shelves.bucket(route.bucket)
  const object = objects.get(route.key)
  objects.delete(route.key)
  await shelves.discard(object)
  return { status: 204 }
}

export async function deleteObjects(exchange: Exchange): Promise<Answer> {
  const { request, route, shelves, fault, note } = exchange
  const { objects } = shelves.bucket(route.bucket)
  const hasChecksum = Object.keys(request.headers).some(
    (name) => name === 'content-md5' || /^x-amz-checksum-(?!algorithm)/.test(name),
  )
  if (!hasChecksum) throw new S3Problem(400, 'InvalidRequest', 'A checksum is required')
  const root = readXml(await readText(exchange))
  const keys = childrenNamed(root, 'Object').map((object) => textOf(object, 'Key') ?? '')
  if (root.name !== 'Delete' || keys.length === 0 || keys.length > MAX_DELETE_KEYS) {
    throw new S3Problem(400, 'MalformedXML')
  }
  note(keys)
  const quiet = textOf(root, 'Quiet') === 'true'
  const results: XmlNode[] = []
  for (const key of keys) {
    if (fault?.kind === 'key-errors' && fault.keys(key)) {
      const code: XmlNode = ['Code', fault.code]
      results.push(['Error', [['Key', key], code, ['Message', 'Scripted by the test']]])
      continue
    }
    const object = objects.get(key)
    objects.delete(key)
    await shelves.discard(object)
    if (!quiet) results.push(['Deleted', [['Key', key]]])
  }
  return xml(['DeleteResult', results])
}

/** A small body, verified like a large one. */
export async function readText({ request, shelves, payloadHash }: Exchange): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_XML_BYTES) {
    throw new S3Problem(400, 'MaxMessageLengthExceeded')
  }
  const bytes = await shelves.receive(request, payloadHash)
  try {
    return await readFile(bytes.path, 'utf8')
  } finally {
    await shelves.discard(bytes)
  }
}
