import type { Context, Next } from 'koa'

import { MalformedRequestException } from '../../errors/index.ts'
import { requestMessages } from '../request-messages.ts'

/** An address such as `any://host` has no path at all, which Koa's types do not consider. */
export function requirePath(ctx: Context, next: Next): Promise<void> {
  const path: string | null = ctx.path
  if (path === null) throw new MalformedRequestException(requestMessages.noPath())
  return next()
}
