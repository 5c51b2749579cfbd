import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'

import { fieldMessages, invalidField } from '../../errors/index.ts'
import { fileNameFromHeader } from './file-names.ts'
import { isCut, refuseTooLong, tooLarge } from './refused-bodies.ts'
import { isMultipart, readMultipart, type UploadLimits } from './multipart.ts'
import { rawBodyFields, uploadFingerprint } from './upload-fingerprint.ts'

export interface SentFile {
  /** As they were sent; they have not been checked. */
  readonly fields: Readonly<Record<string, string>>
  readonly filename: string
  readonly contentType: string | undefined
  readonly stream: Readable
  /** Settles when the whole body was read; rejects if anything after the file is wrong. */
  readonly finished: Promise<void>
  /** What represents the upload in the idempotency check. */
  fingerprint(sha256: string): string
}

interface FileLimits extends UploadLimits {
  /** The form fields that a raw body passes in headers. */
  readonly headerFields: Readonly<Record<string, string>>
}

/** Reads a file from a form, or the body itself as a file. Resolves when the file begins. */
export async function readFile(incoming: IncomingMessage, limits: FileLimits): Promise<SentFile> {
  return isMultipart(incoming) ? readForm(incoming, limits) : readRaw(incoming, limits)
}

async function readForm(incoming: IncomingMessage, limits: FileLimits): Promise<SentFile> {
  refuseTooLong(incoming, limits.maxFileBytes, 'form')
  const { fields, file, finished } = await readMultipart(incoming, limits)
  if (!file) throw invalidField('/file', fieldMessages.required())
  return {
    fields: Object.fromEntries(fields),
    ...file,
    finished,
    fingerprint: (sha256) => uploadFingerprint(fields, file.filename, sha256),
  }
}

function readRaw(incoming: IncomingMessage, { maxFileBytes, headerFields }: FileLimits): SentFile {
  refuseTooLong(incoming, maxFileBytes, 'raw')
  const { headers } = incoming
  const filenameHeader = headers['x-filename']
  const filename = fileNameFromHeader(filenameHeader as string | undefined)
  const fields = Object.fromEntries(
    Object.entries(headerFields)
      .map(([name, header]) => [name, headers[header]] as const)
      .filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
  const finished = Promise.withResolvers<void>()
  finished.promise.catch(() => undefined)
  const stream = atMost(maxFileBytes)
  const fail = (error: Error) => {
    finished.reject(error)
    stream.destroy(error)
  }
  incoming.once('error', fail)
  incoming.once('end', finished.resolve)
  const failIfCut = () => {
    if (isCut(incoming)) fail(new Error('The upload was cut'))
  }
  incoming.once('close', failIfCut)
  failIfCut()
  // Not `pipeline`: the request has to outlive its body, for the answer.
  incoming.pipe(stream)
  return {
    fields,
    filename,
    contentType: headers['content-type'],
    stream,
    finished: finished.promise,
    fingerprint: (sha256) =>
      uploadFingerprint(rawBodyFields(incoming), String(filenameHeader ?? ''), sha256),
  }
}

function atMost(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(tooLarge(maxBytes))
      else done(null, chunk)
    },
  })
}
