import { randomUUID } from 'node:crypto'

import type { Context, Next } from 'koa'

/** An acceptable id: short, printable, and unable to forge a log line or a header. */
const SANE = /^[\w.:-]{1,128}$/

export function requestId(ctx: Context, next: Next): Promise<void> {
  const given = ctx.get('x-request-id')
  const id = SANE.test(given) ? given : randomUUID()
  ctx.state['requestId'] = id
  ctx.set('x-request-id', id)
  return next()
}
