import type { Context, Next } from 'koa'

import { problemDocument, ServiceUnavailableException } from '../../errors/index.ts'
import type { Problem } from '../../errors/problem.ts'
import { serviceMessages } from '../../errors/service-messages.ts'
import type { Logger } from '../../observability/logger.ts'
import { letClientFinish } from '../body/let-client-finish.ts'
import { ClientGoneError } from '../client-gone.ts'
import { toProblem } from '../../errors/to-problem.ts'
import type { HttpServices } from '../services.ts'
import { languageOf } from './choose-language.ts'

type Parts = Pick<HttpServices, 'catalogue' | 'schema'>

/** The only place where an error becomes an answer. */
export function renderProblems(logger: Logger, { catalogue, schema }: Parts) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next()
    } catch (error) {
      const requestId = ctx.state['requestId'] as string
      const problem = await problemOf(error, schema)
      if (problem.status === 500) {
        // With nobody left to answer, whatever the abort broke is not a failure of the service.
        const level = ctx.res.destroyed || error instanceof ClientGoneError ? 'info' : 'error'
        logger[level]({ requestId, err: error }, 'request failed')
      } else if (problem.status >= 500) {
        logger.warn({ requestId, err: error }, 'request failed')
      } else if (problem.status === 409 && problem.cause instanceof Error) {
        // What others did to a table is refused in this way, and a mistake of the service could
        // look the same, so the cause is logged.
        logger.info({ requestId, cause: problem.cause.message }, 'request refused')
      }
      // A client that stopped sending has nothing to finish.
      if (problem.status !== 408) await letClientFinish(ctx.req)
      ctx.status = problem.status
      ctx.set(problem.extras.headers ?? {})
      if (problem.status === 401) ctx.set('www-authenticate', 'Bearer')
      // The unread rest of a body must not be taken for the next request.
      if (!ctx.req.complete) ctx.set('connection', 'close')
      ctx.type = 'application/problem+json'
      const language = languageOf(ctx)
      ctx.set('content-language', language)
      ctx.body = catalogue.json(problemDocument(problem, requestId), language)
    }
  }
}

/** What nobody foresaw happens to a process whose tables a later version has changed. */
async function problemOf(error: unknown, schema: Parts['schema']): Promise<Problem> {
  const problem = toProblem(error)
  if (problem.status !== 500 || !(await schema.isOutdated())) return problem
  return new ServiceUnavailableException(serviceMessages.laterVersion(), {
    headers: { 'retry-after': '5' },
    cause: error,
  })
}
