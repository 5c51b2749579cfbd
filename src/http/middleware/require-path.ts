import type { Context, Next } from 'koa'

import { MalformedRequestException } from '../../errors/index.ts'

/** An address such as `any://host` has no path at all, which Koa's types do not know of. */
export async function requirePath(ctx: Context, next: Next): Promise<void> {
  const path: string | null = ctx.path
  if (path === null) throw new MalformedRequestException('The address has no path')
  await next()
}
