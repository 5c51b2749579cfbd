import { createHash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import { isMultipart, readMultipart, type UploadLimits } from './multipart.ts'
import { refuseTooLong, tooLarge } from './refused-bodies.ts'

/** What represents an upload in the idempotency check: its fields and the file's SHA-256. */
export function uploadFingerprint(
  fields: ReadonlyMap<string, string>,
  filename: string,
  sha256: string,
): string {
  return JSON.stringify([[...fields].toSorted(([a], [b]) => (a < b ? -1 : 1)), filename, sha256])
}

/** The same for a JSON body, on a route that also takes uploads. */
export function jsonFingerprint(incoming: IncomingMessage, bytes: Buffer): string {
  return uploadFingerprint(rawBodyFields(incoming), '', hash('sha256', bytes))
}

/** Reads a repeated upload to its end, only to find out whether it is the same one. */
export async function fingerprintUpload(
  incoming: IncomingMessage,
  limits: UploadLimits,
): Promise<string> {
  const { maxFileBytes } = limits
  if (!isMultipart(incoming)) {
    refuseTooLong(incoming, maxFileBytes, 'raw')
    // The request outlives its body, for the answer.
    const bytes = incoming.iterator({ destroyOnReturn: false })
    return uploadFingerprint(
      rawBodyFields(incoming),
      String(incoming.headers['x-filename'] ?? ''),
      await sha256Of(bytes, maxFileBytes),
    )
  }
  refuseTooLong(incoming, maxFileBytes, 'form')
  const upload = await readMultipart(incoming, limits)
  const sha256 = upload.file ? await sha256Of(upload.file.stream, maxFileBytes) : ''
  await upload.finished
  return uploadFingerprint(upload.fields, upload.file?.filename ?? '', sha256)
}

/** A raw body passes in headers what a form passes in fields. */
export function rawBodyFields({ headers }: IncomingMessage): Map<string, string> {
  return new Map(
    ['content-type', 'x-folder-uuid'].map((name) => [name, String(headers[name] ?? '')]),
  )
}

async function sha256Of(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const summing = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    summing.update(chunk)
  }
  return summing.digest('hex')
}
