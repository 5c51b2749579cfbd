import type { Context, Next } from 'koa'

import type { Traces } from '../../observability/traces.ts'

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
