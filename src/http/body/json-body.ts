import type { Context } from 'koa'

import {
  MalformedBodyException,
  PayloadTooLargeException,
  Problem,
  UnsupportedMediaTypeException,
} from '../../errors/index.ts'
import { parseStrictJson } from '../strict-json.ts'
import { isCut, announcesBody } from './refused-bodies.ts'
import { bodyMessages } from './body-messages.ts'
import { later } from '../../../pipelines/index.ts'

const bodies = later(() => import('koa-body'))

/** The error codes of zlib, Brotli and Zstandard. */
const DECOMPRESSION = /^(?:Z_|ERR__ERROR_|ERR_BROTLI|ZSTD_)/
const JSON_TYPES = ['application/json', 'application/*+json']

/** Reads a JSON body of bounded size; a missing one is an empty object where that is allowed. */
export async function readJsonBody(
  ctx: Context,
  maxBytes: number,
  required: boolean,
): Promise<unknown> {
  const { value } = await readJsonText(ctx, maxBytes)
  return value ?? nothing(required)
}

/** With the bytes that it was written in; no body at all has no value, and needs no type. */
export async function readJsonText(
  ctx: Context,
  maxBytes: number,
  otherType = bodyMessages.notJson(),
): Promise<{ bytes: Buffer; value: unknown }> {
  if (!announcesBody(ctx.req)) return { bytes: Buffer.alloc(0), value: undefined }
  if (!ctx.is(JSON_TYPES)) {
    throw new UnsupportedMediaTypeException(otherType)
  }
  const bytes = await readBytes(ctx, maxBytes)
  return { bytes, value: parseStrictJson(bytes) }
}

function nothing(required: boolean): unknown {
  if (required) throw new MalformedBodyException(bodyMessages.absent())
  return {}
}

async function readBytes(ctx: Context, maxBytes: number): Promise<Buffer> {
  const { koaBody } = await bodies()
  if (isCut(ctx.req)) throw new MalformedBodyException(bodyMessages.cut())
  // Read as text, one character a byte: decoding and parsing are stricter here than in koa-body.
  const read = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: JSON_TYPES,
    textLimit: maxBytes,
    encoding: 'latin1',
    parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
    patchNode: false,
    onError: (error) => {
      throw translate(error, maxBytes)
    },
  })
  await read(ctx, async () => {})
  const { body }: { body?: unknown } = ctx.request
  return Buffer.from(typeof body === 'string' ? body : '', 'latin1')
}

function translate(error: Error, maxBytes: number): Error {
  if (error instanceof Problem) return error
  const { type, status } = error as Error & { type?: string; status?: number }
  if (type === 'entity.too.large') {
    return new PayloadTooLargeException(bodyMessages.tooLarge({ most: maxBytes }), {
      cause: error,
    })
  }
  if (status !== undefined && status < 500) {
    return new MalformedBodyException(bodyMessages.unreadable(), { cause: error })
  }
  const { code } = error as NodeJS.ErrnoException
  if (code !== undefined && DECOMPRESSION.test(code)) {
    return new MalformedBodyException(bodyMessages.compression(), { cause: error })
  }
  return error
}
