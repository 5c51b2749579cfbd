import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'

import type Koa from 'koa'

import { type Language, Catalogue } from '../../pipelines/index.ts'
import { every } from '../time/clock.ts'
import { answerWhileStarting, type StartPhase } from './answer-while-starting.ts'
import type { Logger } from '../observability/logger.ts'
import {
  HeadersTooLargeException,
  MalformedRequestException,
  PayloadTooLargeException,
  type Problem,
  problemDocument,
  RequestTimeoutException,
} from '../errors/index.ts'
import type { ProblemDocument } from '../resources/problem.ts'
import { requestMessages } from './request-messages.ts'

const HEADERS_TIMEOUT_MS = 30_000
const KEEP_ALIVE_MS = 65_000
/** So long a client may take nothing of an answer that is there. */
const UNTAKEN_MS = 60_000
/** How often idle connections are closed while the service waits for the last answers. */
const IDLE_SWEEP_MS = 100

interface ListeningServer {
  readonly address: string
  /** Stops accepting, and resolves when the last answer is sent or the time is over. */
  stop(graceMs: number): Promise<void>
}

interface EarlyServer extends ListeningServer {
  answerWith(app: Koa): void
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use; choose another PORT',
  EACCES: 'it is not allowed; choose another PORT',
  EADDRNOTAVAIL: 'this machine has no such address; choose another HOST',
  ENOTFOUND: 'its name is unknown; choose another HOST',
}

/** The service cannot listen at this address; the message says what to do about it. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(address: string, cause: NodeJS.ErrnoException) {
    const reason = LISTEN_REASONS[cause.code ?? ''] ?? cause.message
    super(`The service cannot listen on ${address}: ${reason}`, { cause })
  }
}

export async function listen(
  app: Koa,
  host: string,
  port: number,
  logger: Logger,
  language: Language,
  untakenMs = UNTAKEN_MS,
): Promise<ListeningServer> {
  const server = await listenEarly(host, port, logger, language, () => 'starting', untakenMs)
  server.answerWith(app)
  return server
}

/** Listens before there is an application; until then it says that it is alive and not ready. */
export async function listenEarly(
  host: string,
  port: number,
  logger: Logger,
  language: Language,
  phase: () => StartPhase,
  untakenMs = UNTAKEN_MS,
): Promise<EarlyServer> {
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = answerWhileStarting(
    phase,
    language,
  )
  // The application itself refuses a request without a host, and answers with a problem document.
  const server = createServer({ requireHostHeader: false })
  server.on('request', (request, response) => void answer(request, response))
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => void answer(request, response))
  const current = currentResponses(server)
  answerMalformedRequests(server, current, logger, language)
  endUntakenAnswers(server, current, untakenMs)
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  // An upload may take hours, so only requests that make no progress are cut off.
  server.requestTimeout = 0
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ListenError(`${host}:${port}`, error as NodeJS.ErrnoException)
  }
  const bound = server.address() as AddressInfo
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return {
    address: `http://${name}:${bound.port}`,
    stop: (graceMs) => stop(server, graceMs),
    answerWith: (app) => {
      answer = app.callback()
    },
  }
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = every(IDLE_SWEEP_MS, () => server.closeIdleConnections())
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      sweep[Symbol.dispose]()
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

const HEADERS_TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT'

const BY_CODE: Readonly<Record<string, () => Problem>> = {
  HPE_HEADER_OVERFLOW: () => new HeadersTooLargeException(),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    new PayloadTooLargeException(requestMessages.chunkExtensions()),
  [HEADERS_TIMED_OUT]: () => new RequestTimeoutException(requestMessages.headersStopped()),
}

/** The answer that each connection waits for, or had last. */
type CurrentResponses = WeakMap<Duplex, ServerResponse>

function currentResponses(server: Server): CurrentResponses {
  const current: CurrentResponses = new WeakMap()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    current.set(request.socket, response)
  })
  return current
}

/**
 * Ends connections on which nothing moves: idle ones, as Node would by itself, and those whose client does not take
 * what was sent. Others wait for an answer of ours, however long it takes.
 */
function endUntakenAnswers(server: Server, current: CurrentResponses, untakenMs: number): void {
  server.timeout = untakenMs
  server.on('timeout', (socket: Socket) => {
    // Without a reset the system would go on to keep what it has for the client.
    if (socket.writableLength > 0) socket.resetAndDestroy()
    else if (current.get(socket)?.writableFinished ?? true) socket.destroy()
  })
}

/** Answers what Node cannot parse as a request in the form of all other refusals. */
function answerMalformedRequests(
  server: Server,
  current: CurrentResponses,
  logger: Logger,
  language: Language,
): void {
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
