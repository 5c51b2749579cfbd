import { hash } from 'node:crypto'
import { finished, Readable, type Transform } from 'node:stream'

import compress from 'koa-compress'
import type { Context, Next } from 'koa'

/** An answer that has not changed since the client read it is not sent again. */
export async function entityTags(ctx: Context, next: Next): Promise<void> {
  await next()
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return
  const body: unknown = ctx.body
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (isWhole && ctx.status === 200 && !ctx.res.hasHeader('etag')) {
    ctx.set('etag', `"${hash('sha1', body, 'base64url')}"`)
  }
  if (isConditional(ctx) && ctx.fresh) {
    ctx.status = 304
    ctx.body = null
  }
}

const isConditional = ({ req: { headers } }: Context) =>
  headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined

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
