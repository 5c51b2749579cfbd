import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

import type { Context, Middleware } from 'koa'
import helmet from 'koa-helmet'

/** The headers of helmet. They are the same for every answer, so helmet is called only once. */
export function securityHeaders(options: Parameters<typeof helmet>[0]): Middleware {
  const sample = new ServerResponse(new IncomingMessage(new Socket()))
  void helmet(options)({ req: sample.req, res: sample } as Context, async () => undefined)
  const headers = Object.entries(sample.getHeaders()) as [string, string][]
  return ({ res }, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    return next()
  }
}
