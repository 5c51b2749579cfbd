import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

import {
  Busboy,
  type BusboyFileStream,
  type BusboyHeaders,
  type BusboyInstance,
} from '@fastify/busboy'

import { cutText } from '../../../pipelines/index.ts'
import type { Message } from '../../../pipelines/index.ts'
import { MalformedBodyException, type Problem, invalidField } from '../../errors/index.ts'
import { fileNameFromMultipart } from './file-names.ts'
import { isCut, tooLarge } from './refused-bodies.ts'
import { bodyMessages } from './body-messages.ts'

export interface UploadLimits {
  readonly maxFileBytes: number
  readonly maxFieldBytes: number
}

/** The fields that came before the file, and the file while it arrives. */
export interface FormUpload {
  readonly fields: ReadonlyMap<string, string>
  readonly file: UploadedFile | null
  /** Settles when the whole body was read; rejects if anything after the file is wrong. */
  readonly finished: Promise<void>
}

interface UploadedFile {
  readonly filename: string
  readonly contentType: string
  readonly stream: Readable
  /** The length of the whole form, which is a little more than the file's; absent if it is sent in chunks. */
  readonly sizeAtMost?: number
}

const MAX_FIELDS = 50

/**
 * Resolves as soon as the file begins, so that it can be processed while it arrives. Nothing is
 * buffered: reading `file.stream` slowly slows the client down.
 */
export function readMultipart(
  incoming: IncomingMessage,
  limits: UploadLimits,
): Promise<FormUpload> {
  return new Promise((resolve, reject) => {
    const parser = openParser(incoming, limits)
    const fields = new Map<string, string>()
    let stream: BusboyFileStream | null = null
    let fieldCharacters = 0
    const finished = Promise.withResolvers<void>()
    // The caller gets this promise with the upload; until then a failure goes to `reject`.
    finished.promise.catch(() => {})

    const fail = (error: Error) => {
      incoming.unpipe(parser)
      incoming.resume()
      reject(error)
      finished.reject(error)
      stream?.destroy(error)
    }

    const watch = (file: BusboyFileStream) => {
      file.on('limit', () => fail(tooLarge(limits.maxFileBytes)))
      file.on('error', fail)
      // The reader gave up, and the client must not wait forever to send the rest.
      file.once('close', () => {
        if (!file.readableEnded) fail(new Error('Nobody reads the file any more'))
      })
    }

    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      // Of all together: they are held until the file comes, at the pace of the client.
      fieldCharacters += value.length
      if (!name) fail(nameless())
      else if (stream) fail(fieldError(name, bodyMessages.tooLate()))
      else if (fields.has(name)) fail(fieldError(name, bodyMessages.twice()))
      else if (nameTruncated || valueTruncated || fieldCharacters > limits.maxFieldBytes)
        fail(fieldError(cutText(name, 100), bodyMessages.tooLong()))
      else if (value.includes('\0')) fail(fieldError(name, bodyMessages.nul()))
      else fields.set(name, value)
    })
    parser.on('file', (name, file, filename, _encoding, contentType) => {
      try {
        if (!name) throw nameless()
        if (name !== 'file') throw fieldError(name, bodyMessages.unknown())
        if (stream) throw fieldError(name, bodyMessages.twice())
        const checkedName = fileNameFromMultipart(filename)
        stream = file
        watch(file)
        const taken = { filename: checkedName, contentType, stream, ...formSize(incoming) }
        resolve({ fields, file: taken, finished: finished.promise })
      } catch (error) {
        file.resume()
        fail(error as Error)
      }
    })
    parser.on('partsLimit', () => fail(new MalformedBodyException(bodyMessages.manyParts())))
    parser.on('fieldsLimit', () => fail(new MalformedBodyException(bodyMessages.manyFields())))
    parser.on('error', (error) => {
      fail(new MalformedBodyException(bodyMessages.malformedForm(), { cause: error }))
    })
    parser.on('finish', () => {
      resolve({ fields, file: null, finished: finished.promise })
      finished.resolve()
    })
    incoming.once('error', fail)
    const failIfCut = () => {
      if (isCut(incoming)) fail(new MalformedBodyException(bodyMessages.cut()))
    }
    incoming.once('close', failIfCut)
    failIfCut()
    incoming.pipe(parser)
  })
}

function openParser(incoming: IncomingMessage, limits: UploadLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: incoming.headers as BusboyHeaders,
      limits: {
        fileSize: limits.maxFileBytes,
        fieldSize: limits.maxFieldBytes,
        fieldNameSize: 200,
        fields: MAX_FIELDS,
        files: 2,
        parts: MAX_FIELDS + 2,
        headerPairs: 20,
      },
      isPartAFile: (name, _type, filename) => filename !== undefined || name === 'file',
    })
  } catch (error) {
    throw new MalformedBodyException(bodyMessages.noBoundary(), { cause: error })
  }
}

const nameless = () => new MalformedBodyException(bodyMessages.nameless())

function fieldError(field: string, message: Message): Problem {
  return invalidField(`/${field}`, message)
}

function formSize({ headers }: IncomingMessage): Pick<UploadedFile, 'sizeAtMost'> {
  const length = Number(headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(length) ? { sizeAtMost: length } : {}
}

export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
}
