import type { Context, Next } from 'koa'

/** A browser that comes to the service itself is shown the console; nobody else is sent anywhere. */
export async function openConsole(ctx: Context, next: Next): Promise<void> {
  const isHome = ctx.path === '/' && ctx.get('accept').includes('text/html')
  if ((isHome || ctx.path === '/console') && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
    // Addresses in the page are relative to its own, which ends in a slash.
    ctx.redirect('console/')
    return
  }
  await next()
}
