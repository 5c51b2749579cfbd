import type { Context, Next } from 'koa'

import { MalformedRequestException } from '../../errors/index.ts'
import { requestMessages } from '../request-messages.ts'

/**
 * A request says whom it asks, and for what. HTTP/1.1 requires a host; only older versions may leave
 * it out. An address such as `any://host` has no path at all, which Koa's types do not consider.
 */
export function requireTarget(ctx: Context, next: Next): Promise<void> {
  const { httpVersion, headers } = ctx.req
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new MalformedRequestException(requestMessages.noHost())
  }
  const path: string | null = ctx.path
  if (path === null) throw new MalformedRequestException(requestMessages.noPath())
  return next()
}

/**
 * Redirects browsers from the root of the service to the console; programs that ask for no page
 * are not redirected.
 */
export function openConsole(ctx: Context, next: Next): Promise<void> {
  const isHome = ctx.path === '/' && ctx.accepts('text/html') !== false
  if ((isHome || ctx.path === '/console') && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
    // Addresses in the page are relative to its own, which ends in a slash.
    ctx.redirect('console/')
    return Promise.resolve()
  }
  return next()
}
