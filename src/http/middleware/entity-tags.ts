import { hash } from 'node:crypto'

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
