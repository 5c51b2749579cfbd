import { finished, Readable, type Transform } from 'node:stream'

import type { Context, Next } from 'koa'
import compress from 'koa-compress'

const THRESHOLD_BYTES = 2048

/** The encodings that `koa-compress` may choose from. */
const ENCODINGS = ['zstd', 'gzip', 'deflate', 'identity']

/**
 * Events must be sent as they happen, and a compressor would hold them back. A workbook is already
 * compressed, despite the `xml` in its type.
 */
const worthCompressing = (type: string) =>
  /json|text|javascript|\bxml\b/.test(type) && !type.startsWith('text/event-stream')

const nothing = async () => undefined

/** Most answers are small, and are sent without asking the compressor. */
export function compressLarge() {
  const compressor = compress({ threshold: THRESHOLD_BYTES, br: false, filter: worthCompressing })
  return async (ctx: Context, next: Next): Promise<void> => {
    await next()
    // A stream has no length yet.
    if ((ctx.response.length ?? THRESHOLD_BYTES) < THRESHOLD_BYTES) return
    acceptPlain(ctx)
    const source: unknown = ctx.body
    await compressor(ctx, nothing)
    if (source instanceof Readable && ctx.body !== source) breakWith(source, ctx.body as Transform)
  }
}

/** Without this the compressor would wait forever for the end of a stream that broke off. */
function breakWith(source: Readable, compressed: Transform): void {
  finished(source, { writable: false }, (error) => {
    if (error) compressed.destroy(error)
  })
}

/**
 * A client that accepts no encoding at all, not even `identity`, gets the plain answer, which RFC
 * 9110 (12.5.3) allows; the compressor would fail.
 */
function acceptPlain(ctx: Context): void {
  const accepted = ctx.req.headers['accept-encoding']
  // Without weights nothing can rule out the plain answer.
  if (accepted?.includes(';') && ctx.acceptsEncodings(ENCODINGS) === false) {
    delete ctx.req.headers['accept-encoding']
  }
}
