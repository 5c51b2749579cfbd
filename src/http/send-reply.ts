import { Readable } from 'node:stream'

import type { Context } from 'koa'

import { JsonText, Reply, type RouteSpec, type Say } from './define-route.ts'
import { languageOf } from './middleware/choose-language.ts'

/** Writes what a handler returned: a bare value goes out as JSON under the one success status. */
export function sendReply(ctx: Context, success: number, result: unknown, say: Say): void {
  const reply = result instanceof Reply ? result : new Reply(success, result)
  ctx.status = reply.status
  ctx.set(reply.headers)
  const { body } = reply
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

export function successStatus(spec: RouteSpec): number {
  for (const status in spec.responses) {
    if (status.startsWith('2')) return Number(status)
  }
  throw new Error(`${spec.method} ${spec.path} declares no success`)
}
