import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import type { Actor } from '../../src/domain/actor.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { createTraces, inSpan, traceHeaders } from '../../src/observability/traces.ts'
import { useApp } from '../support/app.ts'
import { found } from '../support/patience.ts'
import { created, createFromFile, freshTableName, sourceForm } from '../support/sources.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
  readonly status: { readonly code?: number }
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly object[] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

/** Takes OTLP over HTTP as JSON, and answers as collectors do. */
async function startCollector() {
  const spans: Span[] = []
  const resources: object[] = []
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isOtlp =
        request.method === 'POST' &&
        request.url === '/v1/traces' &&
        request.headers['content-type'] === 'application/json'
      if (isOtlp && status === 200) {
        const sent = JSON.parse(Buffer.concat(chunks).toString()) as Export
        for (const { resource, scopeSpans } of sent.resourceSpans) {
          resources.push(...resource.attributes)
          for (const scope of scopeSpans) spans.push(...scope.spans)
        }
      }
      response.writeHead(isOtlp ? status : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    resources,
    answerWith: (next: number) => {
      status = next
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const HEX = (digits: number) => new RegExp(`^[0-9a-f]{${digits}}$`)
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  before(async () => {
    collector = await startCollector()
  })
  after(() => collector.close())
  const app = useApp({
    env: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OUTBOUND_ALLOW: '127.0.0.1' }),
  })
  let admin: Actor

  before(async () => {
    admin = await app.build.user({ role: 'admin', enterprise: await app.build.enterprise() })
  })

  const traced = (traceparent: string) => app.client.as(admin).withHeaders({ traceparent })
  const spanOf = (name: string, traceId: string) =>
    found(
      `the span ${name}`,
      async () =>
        collector.spans.find((span) => span.name === name && span.traceId === traceId) ?? null,
    )

  it('lead from a request to its load and its COPY, within the trace of the client', async () => {
    await created(createFromFile(traced(`00-${TRACE}-${PARENT}-01`), 'a,b\n1,2\n'))
    const request = await spanOf('POST /sources', TRACE)
    const load = await spanOf('load', TRACE)
    const copy = await spanOf('COPY', TRACE)
    expect(request.parentSpanId).to.equal(PARENT)
    expect(load.parentSpanId).to.equal(request.spanId)
    expect(copy.parentSpanId).to.equal(load.spanId)
    expect([request.kind, load.kind, copy.kind]).to.deep.equal([2, 1, 1])
    expect(request.attributes).to.deep.include({
      key: 'http.response.status_code',
      value: { intValue: '201' },
    })
    for (const span of [request, load, copy]) {
      expect(span.spanId).to.match(HEX(16))
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).to.equal(true)
    }
    expect(collector.resources).to.deep.include({
      key: 'service.name',
      value: { stringValue: 'administration-service' },
    })
  })

  it('begin with the request where the client has none, or an unusable one', async () => {
    const unusable = `00-${'0'.repeat(32)}-${PARENT}-01`
    await traced(unusable).get('/sources')
    const span = await found(
      'the span',
      async () => collector.spans.find(({ name }) => name === 'GET /sources') ?? null,
    )
    expect(span.traceId).to.match(HEX(32)).and.not.match(/^0+$/)
    expect(span).not.to.have.property('parentSpanId')
  })

  it('are not sent where the client does not want them recorded', async () => {
    const unwanted = 'a'.repeat(32)
    await traced(`00-${unwanted}-${PARENT}-00`).get('/connections')
    await traced(`00-${'b'.repeat(32)}-${PARENT}-01`).get('/connections')
    await spanOf('GET /connections', 'b'.repeat(32))
    expect(collector.spans.filter(({ traceId }) => traceId === unwanted)).to.deep.equal([])
  })

  it('of a queued job name the request that asked for it', async () => {
    const form = sourceForm(
      { source: 'file', name: 'Queued', tableName: freshTableName() },
      'a\n1\n',
    )
    const client = app.client
      .as(admin)
      .withHeaders({ prefer: 'respond-async', 'x-request-id': 'asked-for-later' })
    await client.request('POST', '/sources', { content: form })
    const job = await found(
      'the job',
      async () => collector.spans.find(({ name }) => name === 'job source.create') ?? null,
    )
    expect(job.attributes).to.deep.include({
      key: 'request.id',
      value: { stringValue: 'asked-for-later' },
    })
    const load = await spanOf('load', job.traceId)
    expect(load.parentSpanId).to.equal(job.spanId)
  })

  it('go on in calls to others', async () => {
    const seen: IncomingHttpHeaders[] = []
    const forms = createServer((request, response) => {
      seen.push(request.headers)
      response.writeHead(401).end()
    })
    await new Promise<void>((listening) => forms.listen(0, '127.0.0.1', listening))
    try {
      const { port } = forms.address() as AddressInfo
      const { uuid } = await app.build.connection({
        enterprise: admin.enterprise!,
        baseUrl: `http://127.0.0.1:${port}`,
      })
      await traced(`00-${'c'.repeat(32)}-${PARENT}-01`).get(`/connections/${uuid}/browse`)
    } finally {
      forms.close()
    }
    expect(seen).to.have.length(1)
    const request = await spanOf('GET /connections/:uuid/browse', 'c'.repeat(32))
    expect(seen[0]!['traceparent']).to.equal(`00-${'c'.repeat(32)}-${request.spanId}-01`)
  })

  it('wait for a collector that is away, and end with the process', async () => {
    const lines: string[] = []
    const logger = createLogger(
      { level: 'info', pretty: false },
      { write: (line) => lines.push(line) },
    )
    const own = await startCollector()
    try {
      own.answerWith(503)
      {
        await using traces = createTraces({ endpoint: `${own.url}/`, version: '0', logger })
        await traces.job('job x', {}, () => inSpan('inside', { rows: 3 }, async () => undefined))
        await found(
          'the line',
          async () => lines.find((line) => line.includes('sending traces failed')) ?? null,
        )
        expect(own.spans).to.deep.equal([])
        own.answerWith(200)
      }
      expect(own.spans.map(({ name }) => name)).to.deep.equal(['inside', 'job x'])
    } finally {
      own.close()
    }
  })

  it('cost nothing where nobody collects them', async () => {
    expect(traceHeaders()).to.deep.equal({})
    expect(await inSpan('alone', {}, async () => traceHeaders())).to.deep.equal({})
  })
})
