import { Readable } from 'node:stream'

import type { Context } from 'koa'

import { JsonText, type Reply, type Say } from './define-route.ts'
import { languageOf } from './middleware/choose-language.ts'

/** Writes it: a bare value goes out as JSON. */
export function sendReply(ctx: Context, { status, headers, body }: Reply, say: Say): void {
  ctx.status = status
  ctx.set(headers)
  if (body instanceof JsonText) {
    ctx.type ||= 'application/json; charset=utf-8'
    setLanguage(ctx)
    ctx.body = body.text
  } else if (Buffer.isBuffer(body) || body instanceof Readable) {
    ctx.body = body
  } else if (body === undefined || body === null) {
    ctx.body = null
  } else {
    ctx.type ||= 'application/json; charset=utf-8'
    setLanguage(ctx)
    ctx.body = typeof body === 'string' ? body : JSON.stringify(say(body))
  }
}

/** Of what is said in one; a route that always speaks the same names it itself. */
function setLanguage(ctx: Context): void {
  if (!ctx.response.get('content-language')) ctx.set('content-language', languageOf(ctx))
}
