import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

import {
  HeadersTooLargeException,
  MalformedRequestException,
  PayloadTooLargeException,
  type Problem,
  problemDocument,
  RequestTimeoutException,
} from '../errors/index.ts'
import type { Logger } from '../observability/logger.ts'

const HEADERS_TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const BY_CODE: Readonly<Record<string, () => Problem>> = {
  HPE_HEADER_OVERFLOW: () => new HeadersTooLargeException(),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new PayloadTooLargeException('Chunk extensions are too long'),
  [HEADERS_TIMED_OUT]: () => new RequestTimeoutException('The headers stopped coming'),
}

/** Answers what never becomes a request, since Node cannot parse it, as every other refusal. */
export function answerMalformedRequests(server: Server, logger: Logger): void {
  const current = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    current.set(request.socket, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = current.get(socket)
    const answering = response?.headersSent === true && !response.writableFinished
    // In the middle of an answer another one would be taken for its rest.
    if (!socket.writable || answering) {
      socket.destroy()
      return
    }
    const { code = '' } = error
    const problem =
      BY_CODE[code]?.() ?? new MalformedRequestException(`The request breaks HTTP (${code})`)
    const requestId = randomUUID()
    logger.info({ requestId, status: problem.status, code }, 'malformed request')
    socket.end(written(problem, requestId), () => socket.destroy())
  })
}

function written(problem: Problem, requestId: string): string {
  const body = JSON.stringify(problemDocument(problem, requestId))
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `x-request-id: ${requestId}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
