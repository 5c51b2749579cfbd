import type { Agent, Dispatcher } from 'undici'

import { type Clock, systemClock } from '../../time/clock.ts'
import type { AllowRule } from './allow-list.ts'
import { OutboundError } from './errors.ts'
import { resolveWithSystem, type Resolve } from './resolve.ts'
import { createJsonCollector } from './parse-json.ts'
import { ACCEPTED_ENCODINGS, type BodyCollector, readBody, tooLarge } from './read-body.ts'
import { outboundMessages } from './outbound-messages.ts'
import { type Message, MiB, later } from '../../../pipelines/index.ts'

const agents = later(() => import('./agent.ts'))

export interface OutboundRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export type OutboundAnswer<T> =
  | { readonly kind: 'json'; readonly value: T; readonly bytes: number }
  /** Any status other than 200; the body was not read. */
  | { readonly kind: 'refusal'; readonly status: number; readonly retryAfter: string | null }

export interface OutboundHttpOptions {
  readonly allow: readonly AllowRule[]
  /** Covers one request from the DNS query to the last byte, including redirects. */
  readonly requestTimeoutMs: number
  readonly resolve?: Resolve
  readonly maxResponseBytes?: number
  readonly maxExpansion?: number
  readonly maxDepth?: number
  readonly maxValues?: number
  readonly maxRedirects?: number
  readonly connectionsPerOrigin?: number
  readonly clock?: Clock
  /** Of every request, besides its own: what says whose trace it belongs to. */
  readonly headers?: () => Readonly<Record<string, string>>
}

export const OUTBOUND_DEFAULTS = {
  resolve: resolveWithSystem,
  maxResponseBytes: 32 * MiB,
  maxExpansion: 200,
  maxDepth: 200,
  maxValues: 500_000,
  maxRedirects: 5,
  connectionsPerOrigin: 8,
  clock: systemClock,
  headers: () => ({}),
} as const

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function createOutboundHttp(options: OutboundHttpOptions) {
  const limits = { ...OUTBOUND_DEFAULTS, ...options }
  const bodyLimits = { maxBytes: limits.maxResponseBytes, maxExpansion: limits.maxExpansion }
  let agent: Promise<Agent> | null = null
  const open = async () => {
    const { openAgent } = await agents()
    return openAgent(limits)
  }

  const send = async (url: URL, { headers }: OutboundRequest, signal: AbortSignal) => {
    // Created by the first request, so that loading it does not delay the start.
    const response = await (
      await (agent ??= open())
    ).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: {
        accept: 'application/json',
        'accept-encoding': ACCEPTED_ENCODINGS,
        ...limits.headers(),
        ...headers,
      },
      signal,
    })
    // A body that is cut off before anyone reads it must not end the process.
    response.body.on('error', leaveToReader)
    return response
  }

  const follow = async (request: OutboundRequest, signal: AbortSignal) => {
    let { url } = request
    for (let hop = 0; ; hop++) {
      const response = await send(url, request, signal)
      if (!REDIRECTS.has(response.statusCode)) return response
      response.body.destroy()
      if (hop === limits.maxRedirects) throw redirectRefused(outboundMessages.tooManyRedirects())
      url = nextHop(url, header(response, 'location'))
    }
  }

  const read = async <T>(
    response: Dispatcher.ResponseData,
    collector: BodyCollector<T>,
    signal: AbortSignal,
  ): Promise<OutboundAnswer<T>> => {
    if (response.statusCode !== 200) {
      response.body.destroy()
      const retryAfter = header(response, 'retry-after') || null
      return { kind: 'refusal', status: response.statusCode, retryAfter }
    }
    if (!isJson(header(response, 'content-type'))) {
      response.body.destroy()
      throw new OutboundError('malformed', outboundMessages.notJson())
    }
    if (Number(header(response, 'content-length')) > limits.maxResponseBytes) {
      response.body.destroy()
      throw tooLarge(bodyLimits)
    }
    const coding = header(response, 'content-encoding')
    const take = (chunk: Buffer) => collector.take(chunk)
    const bytes = await readBody(response.body, coding, bodyLimits, take, signal)
    return { kind: 'json', value: collector.end(), bytes }
  }

  const deadline = { timeoutMs: limits.requestTimeoutMs, clock: limits.clock }
  const get = async <T>(request: OutboundRequest, collector: BodyCollector<T>) => {
    try {
      return await withDeadline(deadline, request.signal, async (signal) =>
        read(await follow(request, signal), collector, signal),
      )
    } catch (error) {
      if (error instanceof OutboundError || request.signal.aborted) throw error
      throw new OutboundError('unreachable', outboundMessages.connectionFailed(), {
        cause: error,
      })
    }
  }

  return {
    /** Returns the parsed JSON, which must be strictly valid. */
    getJson: (request: OutboundRequest): Promise<OutboundAnswer<unknown>> =>
      get(request, createJsonCollector(limits)),
    /** Returns the bytes of an answer declared as JSON, for callers that parse them. */
    getJsonBytes: (request: OutboundRequest): Promise<OutboundAnswer<readonly Buffer[]>> =>
      get(request, createChunkCollector()),
    /** Aborts the requests in progress. */
    close: async (): Promise<void> => (await agent)?.destroy(),
  }
}

/** The only way from the service to addresses that users name. */
export type OutboundHttp = ReturnType<typeof createOutboundHttp>

function createChunkCollector(): BodyCollector<readonly Buffer[]> {
  const chunks: Buffer[] = []
  return { take: (chunk) => void chunks.push(chunk), end: () => chunks }
}

/** Only within the same origin, since the key in the headers is meant for it alone. */
function nextHop(from: URL, location: string): URL {
  if (location === '' || !URL.canParse(location, from.href))
    throw redirectRefused(outboundMessages.noTarget())
  const target = new URL(location, from)
  if (target.origin !== from.origin) throw redirectRefused(outboundMessages.otherOrigin())
  return target
}

function redirectRefused(why: Message): OutboundError {
  return new OutboundError('redirect-refused', outboundMessages.redirect({ why }))
}

function leaveToReader(): void {
  // A reader of the body gets the error from the stream itself; without a reader it does not
  // matter.
}

function header(response: Dispatcher.ResponseData, name: string): string {
  const value = response.headers[name] ?? ''
  return Array.isArray(value) ? value.join(', ') : value
}

function isJson(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  return type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)
}

/**
 * Runs work until it is done, the caller gives up, or the time is over. In the last two cases it
 * returns at once, even if the work cannot be interrupted (a DNS query).
 */
async function withDeadline<T>(
  { timeoutMs, clock }: { readonly timeoutMs: number; readonly clock: Clock },
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const controller = new AbortController()
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    controller.abort(reason)
    stop(reason)
  }
  const onAbort = () => end(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const takeBack = clock.after(timeoutMs, () => {
    end(new OutboundError('too-slow', outboundMessages.tooSlow({ seconds: timeoutMs / 1000 })))
  })
  try {
    return await Promise.race([run(controller.signal), stopped])
  } finally {
    takeBack()
    signal.removeEventListener('abort', onAbort)
  }
}
