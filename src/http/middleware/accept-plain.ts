import type { Context, Next } from 'koa'

/** What `koa-compress` may choose from. */
const ENCODINGS = ['zstd', 'gzip', 'deflate', 'identity']

/**
 * A client that accepts no encoding at all, not even none, gets the plain answer, which RFC 9110
 * (12.5.3) allows; the compressor would fail over it.
 */
export async function acceptPlain(ctx: Context, next: Next): Promise<void> {
  const accepted = ctx.req.headers['accept-encoding']
  // Without weights nothing refuses the plain answer.
  if (accepted?.includes(';') && ctx.acceptsEncodings(ENCODINGS) === false) {
    delete ctx.req.headers['accept-encoding']
  }
  await next()
}
