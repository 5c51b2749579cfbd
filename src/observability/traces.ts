import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

import { every } from '../time/clock.ts'
import type { Logger } from './logger.ts'
import { OutageLog } from './outage-log.ts'

type Attributes = Readonly<Record<string, string | number>>

/** Of OpenTelemetry. */
const KIND = { internal: 1, server: 2, consumer: 5 } as const
const STATUS_ERROR = 2

const EXPORT_EVERY_MS = 2000
const EXPORT_TIMEOUT_MS = 10_000
/** A collector that is away costs no more memory than these. */
const MOST_HELD = 4096
const MOST_SENT = 512

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
const NOTHING = /^0+$/

interface SpanStart {
  readonly name: string
  readonly kind: keyof typeof KIND
  readonly attributes: Attributes
}

interface Parent {
  readonly traceId: string
  readonly id: string
  readonly isSampled: boolean
}

class Span {
  readonly traceId: string
  readonly id = randomBytes(8).toString('hex')
  readonly isSampled: boolean
  readonly #start: SpanStart
  readonly #parentId: string | null
  readonly #begunAt = nowNanoseconds()
  readonly #keep: (span: object) => void

  constructor(start: SpanStart, parent: Parent | null, keep: (span: object) => void) {
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    this.isSampled = parent?.isSampled ?? true
    this.#parentId = parent?.id ?? null
    this.#start = start
    this.#keep = keep
  }

  begin(start: SpanStart): Span {
    return new Span(start, this, this.#keep)
  }

  end({
    isError = false,
    ...more
  }: { name?: string; attributes?: Attributes; isError?: boolean } = {}) {
    if (!this.isSampled) return
    const { name, kind, attributes } = this.#start
    this.#keep({
      traceId: this.traceId,
      spanId: this.id,
      ...(this.#parentId !== null && { parentSpanId: this.#parentId }),
      name: more.name ?? name,
      kind: KIND[kind],
      startTimeUnixNano: String(this.#begunAt),
      endTimeUnixNano: String(nowNanoseconds()),
      attributes: toAttributes({ ...attributes, ...more.attributes }),
      status: isError ? { code: STATUS_ERROR } : {},
    })
  }
}

/** The span of what is under way; nobody sets one if traces are off. */
const current = new AsyncLocalStorage<Span>()

/** A part of what is traced; of what is not, just the work. */
export async function inSpan<R>(
  name: string,
  attributes: Attributes,
  work: () => Promise<R>,
): Promise<R> {
  const parent = current.getStore()
  if (parent === undefined) return work()
  return run(parent.begin({ name, kind: 'internal', attributes }), work)
}

/** For calls to others, which go on with the trace. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const span = current.getStore()
  if (span === undefined) return {}
  return { traceparent: `00-${span.traceId}-${span.id}-${span.isSampled ? '01' : '00'}` }
}

async function run<R>(span: Span, work: () => Promise<R>): Promise<R> {
  try {
    const result = await current.run(span, work)
    span.end()
    return result
  } catch (error) {
    span.end({ isError: true })
    throw error
  }
}

interface TracesOptions {
  /** Of a collector that takes OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string
  readonly version: string
  readonly logger: Logger
}

/** Where traces begin, and how they leave: as OTLP in JSON, in batches. */
export function createTraces({ endpoint, version, logger }: TracesOptions) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const outage = new OutageLog({ logger, what: 'sending traces' })
  const resource = {
    attributes: toAttributes({
      'service.name': 'administration-service',
      'service.version': version,
    }),
  }
  const held: object[] = []
  const keep = (span: object) => {
    if (held.length < MOST_HELD) held.push(span)
  }

  async function send(): Promise<void> {
    while (held.length > 0) {
      const spans = held.slice(0, MOST_SENT)
      const scopeSpans = [{ scope: { name: 'administration-service', version }, spans }]
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
          signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
        })
        await answer.body?.cancel()
        if (!answer.ok) throw new Error(`The collector answered ${answer.status}`)
      } catch (error) {
        outage.failed(error)
        return
      }
      outage.worked()
      held.splice(0, spans.length)
    }
  }

  const sending = every(EXPORT_EVERY_MS, send)

  return {
    /** What a client asks for; it may be a part of a trace of theirs. */
    begin(start: Omit<SpanStart, 'kind'>, traceparent: string): Span {
      return new Span({ ...start, kind: 'server' }, parentIn(traceparent), keep)
    },

    within: <R>(span: Span, work: () => Promise<R>): Promise<R> => current.run(span, work),

    /** What the service begins by itself. */
    job: <R>(name: string, attributes: Attributes, work: () => Promise<R>): Promise<R> =>
      run(new Span({ name, kind: 'consumer', attributes }, null, keep), work),

    async [Symbol.asyncDispose]() {
      await sending[Symbol.asyncDispose]()
      await send()
    },
  }
}

export type Traces = ReturnType<typeof createTraces>

function parentIn(traceparent: string): Parent | null {
  const [, traceId, id, flags] = TRACEPARENT.exec(traceparent) ?? []
  if (traceId === undefined || id === undefined || NOTHING.test(traceId) || NOTHING.test(id)) {
    return null
  }
  return { traceId, id, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

const toAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }))

const nowNanoseconds = (): bigint =>
  BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n
