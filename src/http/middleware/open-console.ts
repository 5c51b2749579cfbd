import type { Context, Next } from 'koa'

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
