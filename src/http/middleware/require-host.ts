import type { Context, Next } from 'koa'

import { MalformedRequestException } from '../../errors/index.ts'
import { requestMessages } from '../request-messages.ts'

/** HTTP/1.1 requires a host; only older versions may leave it out. */
export function requireHost({ req }: Context, next: Next): Promise<void> {
  if (req.httpVersion === '1.1' && req.headers.host === undefined) {
    throw new MalformedRequestException(requestMessages.noHost())
  }
  return next()
}
