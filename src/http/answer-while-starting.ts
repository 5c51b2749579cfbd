import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { Catalogue, type Language } from '../../pipelines/index.ts'
import { problemDocument, ServiceUnavailableException } from '../errors/index.ts'
import { requestMessages } from './request-messages.ts'

export type StartPhase = 'starting' | 'migrating'

const RETRY_AFTER_SECONDS = '5'

/**
 * What a process answers before it has its database: that it lives, and that it is not ready. A
 * migration may take minutes, in which a supervisor would otherwise take it for dead.
 */
export function answerWhileStarting(phase: () => StartPhase, language: Language) {
  return ({ url = '', method }: IncomingMessage, response: ServerResponse): void => {
    const [path] = url.split('?')
    if (path === '/health/live' && (method === 'GET' || method === 'HEAD')) {
      response.setHeader('content-type', 'application/json; charset=utf-8')
      response.end(JSON.stringify({ status: 'ok' }))
      return
    }
    const said = phase() === 'migrating' ? requestMessages.migrating() : requestMessages.starting()
    const problem = new ServiceUnavailableException(said)
    const requestId = randomUUID()
    const document = problemDocument(problem, requestId)
    response.writeHead(problem.status, {
      'content-type': 'application/problem+json',
      'content-language': language,
      'retry-after': RETRY_AFTER_SECONDS,
      'x-request-id': requestId,
      // What was sent with it is not read.
      connection: 'close',
    })
    response.end(Catalogue.empty.json(document, language))
  }
}
