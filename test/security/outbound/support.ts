import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { parseOutboundAllow } from '../../../src/security/outbound/allow-list.ts'
import { OutboundError } from '../../../src/security/outbound/errors.ts'
import {
  createOutboundHttp,
  type OutboundHttp,
  type OutboundHttpOptions,
} from '../../../src/security/outbound/http.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

export interface Listener {
  readonly port: number
  readonly url: string
  /** Requests, and connections too: a canary must not even be dialled. */
  readonly requests: IncomingMessage[]
  readonly connections: () => number
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Closes everything that a test opened, after each test. */
export function createBench() {
  const closers: (() => Promise<unknown>)[] = []

  return {
    async listen(handler: Handler, host = '127.0.0.1'): Promise<Listener> {
      const requests: IncomingMessage[] = []
      let connections = 0
      const server = createServer((request, response) => {
        requests.push(request)
        handler(request, response)
      })
      server.on('connection', () => connections++)
      server.listen(0, host)
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      closers.push(async () => {
        const closed = once(server, 'close')
        server.close()
        server.closeAllConnections()
        await closed
      })
      return { port, url: `http://${host}:${port}`, requests, connections: () => connections }
    },

    http(allow: readonly string[], options: Partial<OutboundHttpOptions> = {}): OutboundHttp {
      const http = createOutboundHttp({
        allow: parseOutboundAllow(allow),
        requestTimeoutMs: PATIENCE_MS,
        ...options,
      })
      closers.push(() => http.close())
      return http
    },

    async close(): Promise<void> {
      while (closers.length > 0) await closers.pop()!()
    },
  }
}

export const SECRET = 'frm_secret_0123456789'

export function getJson(http: OutboundHttp, url: string, signal?: AbortSignal) {
  return http.getJson({
    url: new URL(url),
    headers: { 'x-api-key': SECRET },
    signal: signal ?? new AbortController().signal,
  })
}

/** The problem that a request ended with; fails when it did not, or when a message tells too much. */
export async function problemOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.message.includes(SECRET))
      throw new Error('The message shows the key', { cause: error })
    return error.problem
  }
  throw new Error('The request was answered')
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
