import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

import { Catalogue, type Language } from '../../pipelines/index.ts'
import {
  HeadersTooLargeException,
  MalformedRequestException,
  PayloadTooLargeException,
  type Problem,
  problemDocument,
  RequestTimeoutException,
} from '../errors/index.ts'
import type { ProblemDocument } from '../resources/problem.ts'
import type { Logger } from '../observability/logger.ts'
import { requestMessages } from './request-messages.ts'

const HEADERS_TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const BY_CODE: Readonly<Record<string, () => Problem>> = {
  HPE_HEADER_OVERFLOW: () => new HeadersTooLargeException(),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new PayloadTooLargeException(requestMessages.chunkExtensions()),
  [HEADERS_TIMED_OUT]: () => new RequestTimeoutException(requestMessages.headersStopped()),
}

/** Answers what Node cannot parse as a request in the form of all other refusals. */
export function answerMalformedRequests(server: Server, logger: Logger, language: Language): void {
  const current = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    current.set(request.socket, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = current.get(socket)
    const answering = response?.headersSent === true && !response.writableFinished
    // In the middle of another answer, this one would be taken for its rest.
    if (!socket.writable || answering) {
      socket.destroy()
      return
    }
    const { code = '' } = error
    const problem =
      BY_CODE[code]?.() ?? new MalformedRequestException(requestMessages.notHttp({ code }))
    const requestId = randomUUID()
    logger.info({ requestId, status: problem.status, code }, 'malformed request')
    const document = problemDocument(problem, requestId)
    socket.end(written(problem, document, language), () => socket.destroy())
  })
}

function written({ status }: Problem, document: ProblemDocument, language: Language): string {
  const body = Catalogue.empty.json(document, language)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${document.requestId}`,
    'content-type: application/problem+json',
    `content-language: ${language}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
