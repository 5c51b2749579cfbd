import { randomUUID } from 'node:crypto'

import type { Context, Next } from 'koa'

import type { Logger } from '../../observability/logger.ts'
import type { Metrics } from '../../observability/metrics.ts'
import type { Traces } from '../../observability/traces.ts'

/** An acceptable id: short, printable, and unable to forge a log line or a header. */
const SANE = /^[\w.:-]{1,128}$/

export function requestId(ctx: Context, next: Next): Promise<void> {
  const given = ctx.get('x-request-id')
  const id = SANE.test(given) ? given : randomUUID()
  ctx.state['requestId'] = id
  ctx.set('x-request-id', id)
  return next()
}

/** Logs one line per request once its answer is sent; never the query, which may contain a signature. */
export function accessLog(parent: Logger, metrics: Metrics) {
  // Every field of the line is named below and none is secret; redaction would cost more than the
  // rest of the line.
  const logger = parent.child({}, { redact: [] })
  return async (ctx: Context, next: Next): Promise<void> => {
    const begun = performance.now()
    // A socket that is closed does not tell it any more.
    const address = ctx.ip
    ctx.res.once('close', () => {
      const seconds = (performance.now() - begun) / 1000
      const route = (ctx.state['route'] as string | undefined) ?? 'none'
      const complete = ctx.res.writableFinished
      metrics.observeRequest({ method: ctx.method, route, status: ctx.res.statusCode }, seconds)
      logger.info(
        {
          requestId: ctx.state['requestId'] as string,
          method: ctx.method,
          path: ctx.path,
          route,
          status: ctx.res.statusCode,
          durationMs: Math.round(seconds * 1000),
          actor: ctx.state['actor'] as string | undefined,
          address,
          ...(!complete && { aborted: true }),
        },
        'request',
      )
    })
    await next()
  }
}

/** Each request is a span until its answer is sent; what a client calls its trace goes on in it. */
export const traceRequests =
  (traces: Traces) =>
  (ctx: Context, next: Next): Promise<void> => {
    const attributes = {
      'http.request.method': ctx.method,
      'url.path': ctx.path,
      'request.id': ctx.state['requestId'] as string,
    }
    const span = traces.begin({ name: ctx.method, attributes }, ctx.get('traceparent'))
    ctx.res.once('close', () => {
      const route = (ctx.state['route'] as string | undefined) ?? 'none'
      const { statusCode } = ctx.res
      span.end({
        name: `${ctx.method} ${route}`,
        attributes: { 'http.route': route, 'http.response.status_code': statusCode },
        isError: statusCode >= 500,
      })
    })
    return traces.within(span, next)
  }
