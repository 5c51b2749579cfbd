import { Readable } from 'node:stream'

import type { Context } from 'koa'

import { JsonText, type Reply, type WriteJson } from './define-route.ts'
import { languageOf } from './middleware/choose-language.ts'

/** Writes the reply; a bare value is sent as JSON. */
export function sendReply(
  ctx: Context,
  { status, headers, body }: Reply,
  writeJson: WriteJson,
): void {
  ctx.status = status
  ctx.set(headers)
  if (body instanceof JsonText) {
    describeJson(ctx)
    ctx.body = body.text
  } else if (Buffer.isBuffer(body) || body instanceof Readable) {
    ctx.body = body
  } else if (body === undefined || body === null) {
    ctx.body = null
  } else {
    describeJson(ctx)
    ctx.body = typeof body === 'string' ? body : writeJson(body)
  }
}

/** Unless the route's own headers do so: a route that always answers in one language says which. */
function describeJson(ctx: Context): void {
  const { res } = ctx
  if (!res.hasHeader('content-type')) {
    res.setHeader('content-type', 'application/json; charset=utf-8')
  }
  if (!res.hasHeader('content-language')) res.setHeader('content-language', languageOf(ctx))
}
