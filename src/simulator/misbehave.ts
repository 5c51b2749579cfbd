import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { createGzip } from 'node:zlib'

import type { FaultKind } from './faults.ts'
import { JSON_TYPE, send, type SimulatedReply } from './reply.ts'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Aborted when either side hangs up. */
  readonly signal: AbortSignal
}

const CHUNK_BYTES = 64 * 1024

/**
 * Sends the answer as the fault demands. Faults of the paging are in the reply already, which is
 * sent unchanged.
 */
export async function misbehave(
  fault: FaultKind,
  reply: SimulatedReply,
  exchange: Exchange,
): Promise<void> {
  const { request, response, signal } = exchange
  switch (fault.kind) {
    case 'status': {
      const wait = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }
      return send(response, { status: fault.status, body: '{"message":"fault"}', headers: wait })
    }
    case 'slow':
      await delay(fault.delayMs, undefined, { signal })
      return send(response, reply)
    case 'hang':
      return
    case 'trickle':
      response.writeHead(200, { 'content-type': JSON_TYPE })
      for (const character of reply.body) {
        response.write(character)
        await delay(fault.everyMs, undefined, { signal })
      }
      response.end()
      return
    case 'reset':
      request.socket.resetAndDestroy()
      return
    case 'malformed':
      return send(response, { ...reply, body: `${reply.body.slice(0, -1)},,}` })
    case 'truncated':
      response.writeHead(200, {
        'content-type': JSON_TYPE,
        'content-length': Buffer.byteLength(reply.body),
      })
      response.write(reply.body.slice(0, reply.body.length / 2), () => request.socket.destroy())
      return
    case 'wrong-content-type':
      return send(response, { ...reply, headers: { 'content-type': 'text/html' } })
    case 'wrong-shape':
      return send(response, { ...reply, body: '{"items":{"uuid":7},"total":"many"}' })
    case 'deep-nesting':
      return send(response, { ...reply, body: '['.repeat(fault.depth) + ']'.repeat(fault.depth) })
    case 'huge-page':
      response.writeHead(200, { 'content-type': JSON_TYPE })
      await pipeline(endlessText(fault.bytes), response, { signal })
      return
    case 'compression-bomb':
      response.writeHead(200, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' })
      await pipeline(endlessText(fault.bytes), createGzip(), response, { signal })
      return
    case 'redirect':
      return send(response, { status: 302, body: '', headers: { location: fault.to } })
    case 'redirect-loop':
      return send(response, { status: 307, body: '', headers: { location: request.url ?? '/' } })
    case 'endless-pages':
    case 'repeated-cursor':
    case 'wrong-total':
      return send(response, reply)
  }
}

function endlessText(bytes: number): Readable {
  const chunk = Buffer.alloc(CHUNK_BYTES, 'x')
  return Readable.from(
    (function* () {
      yield '{"items":[{"uuid":"'
      for (let sent = 0; sent < bytes; sent += CHUNK_BYTES) yield chunk
      yield '"}]}'
    })(),
  )
}
