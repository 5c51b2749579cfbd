import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import { until } from '../../support/patience.ts'

describe('the conventions of the interface', () => {
  const app = useApp({ env: { MAX_BODY_SIZE: '10KB', UPLOAD_IDLE_TIMEOUT: '500ms' } })

  const raw = async (text: string): Promise<string> => {
    const { hostname, port } = new URL(app.address)
    const socket = connect(Number(port), hostname)
    socket.write(text)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    return answer
  }

  describe('requests', () => {
    it('carry the request id of the client where it is valid, else a new one', async () => {
      const given = await app.client.withHeaders({ 'x-request-id': 'abc-123' }).get('/auth/me')
      expect(given.headers.get('x-request-id')).to.equal('abc-123')
      expect(given.body.requestId).to.equal('abc-123')
      const forged = await app.client.withHeaders({ 'x-request-id': 'a "b" c' }).get('/auth/me')
      expect(forged.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/)
    })

    it('are logged in one line with method, route, status, duration, actor and address', async () => {
      const user = await app.build.user()
      await app.client.as(user).withHeaders({ 'x-request-id': 'logged' }).get('/auth/me?')
      const linesOf = () => app.log.filter((line) => line.includes('"logged"'))
      await until('it is logged', () => linesOf().length > 0)
      const lines = linesOf().map((line) => JSON.parse(line) as object)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include({
        method: 'GET',
        route: '/auth/me',
        status: 200,
        actor: user.uuid,
        address: '127.0.0.1',
      })
      expect(lines[0]).to.have.property('durationMs')
    })

    it('never leave a token in the log', async () => {
      await app.client.withHeaders({ 'x-app-access-token': 'sentinel-token-1' }).get('/auth/me')
      await app.client.withHeaders({ authorization: 'Bearer sentinel-token-2' }).get('/auth/me')
      await app.client.post('/auth/login', { email: 'a@b.test', password: 'sentinel-password' })
      expect(app.log.join()).not.to.include('sentinel')
    })

    it('are refused with the names of unknown fields and parameters', async () => {
      const body = await app.client.post('/auth/login', {
        email: 'a@b.test',
        password: 'x',
        admin: true,
      })
      expect(body.status).to.equal(400)
      expect(body.body.errors).to.deep.equal([{ pointer: '/admin', message: 'is not known here' }])
      const user = await app.build.user()
      const query = await app.client.as(user).get('/jobs?colour=red')
      expect(query.body.errors[0].pointer).to.equal('/query/colour')
    })

    for (const query of [
      'page=0',
      'limit=0',
      'limit=101',
      'page=x',
      'page=1&page=2',
      'page=1.5',
      'limit=',
      'page=99999999999999999999',
    ]) {
      it(`are refused with the page ?${query}`, async () => {
        const answer = await app.client.as(await app.build.user()).get(`/jobs?${query}`)
        expect(answer.status).to.equal(400)
      })
    }

    it('are told which parameter was given more than once', async () => {
      const { body } = await app.client
        .as(await app.build.user())
        .get('/jobs?page=1&limit=2&page=1')
      expect(body.errors).to.deep.equal([
        { pointer: '/query/page', message: 'may be given only once' },
      ])
    })

    it('are refused when their body is too large, of another type, or missing', async () => {
      const large = await app.client.post('/auth/login', {
        email: 'a@b.test',
        password: 'x'.repeat(20_000),
      })
      expect([large.status, large.body.code]).to.deep.equal([413, 'PayloadTooLargeException'])
      const xml = await app.client.request('POST', '/auth/login', {
        content: '<x/>',
        type: 'application/xml',
      })
      expect([xml.status, xml.body.code]).to.deep.equal([415, 'UnsupportedMediaTypeException'])
      const none = await app.client.post('/auth/login')
      expect([none.status, none.body.code]).to.deep.equal([400, 'MalformedBodyException'])
    })

    for (const [what, text, status, code] of [
      ['no HTTP at all', 'hello\r\n\r\n', 400, 'MalformedRequestException'],
      [
        'no host',
        'GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n',
        400,
        'MalformedRequestException',
      ],
      [
        'an address without a path',
        'GET any://host HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
        400,
        'MalformedRequestException',
      ],
      ['an unknown method', 'FOO / HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'MalformedRequestException'],
      [
        'two lengths',
        'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n',
        400,
        'MalformedRequestException',
      ],
      [
        'a broken chunk',
        'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
        400,
        'MalformedRequestException',
      ],
      [
        'huge headers',
        `GET / HTTP/1.1\r\nhost: x\r\nx-huge: ${'a'.repeat(20_000)}\r\n\r\n`,
        431,
        'HeadersTooLargeException',
      ],
      [
        'another case in its path',
        'GET /Health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
        404,
        'RouteNotFoundException',
      ],
    ] as const) {
      it(`are refused with a problem document with ${what}`, async () => {
        const [head, body] = (await raw(text)).split('\r\n\r\n')
        expect(head).to.match(new RegExp(`^HTTP/1.1 ${status} `))
        expect(head).to.match(/content-type: application\/problem\+json/i)
        const problem = JSON.parse(body!) as { requestId: string }
        expect(problem).to.include({ status, code })
        expect(head).to.include(`x-request-id: ${problem.requestId}`)
        expect(app.log.some((line) => line.includes(problem.requestId))).to.equal(true)
      })
    }

    it('may carry an unknown Expect header', async () => {
      const answer = await raw(
        'GET /health/live HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n',
      )
      expect(answer).to.match(/^HTTP\/1\.1 200 /)
    })

    it('are cut when their body makes no progress, with an answer', async () => {
      const answer = await raw(
        'POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"email',
      )
      expect(answer).to.match(/^HTTP\/1\.1 408 /)
      expect(answer).to.include('RequestTimeoutException')
    })
  })

  describe('answers', () => {
    it('are problem documents where there is no route or no such method', async () => {
      const absent = await app.client.get('/nowhere')
      expect([absent.status, absent.body.code]).to.deep.equal([404, 'RouteNotFoundException'])
      const method = await app.client.delete('/auth/login')
      expect([method.status, method.body.code]).to.deep.equal([405, 'MethodNotAllowedException'])
      expect(method.headers.get('allow')).to.include('POST')
    })

    it('carry security headers and allow no other origin', async () => {
      const { headers } = await app.client
        .withHeaders({ origin: 'https://evil.test' })
        .get('/health/live')
      expect(headers.get('content-security-policy')).to.include("default-src 'none'")
      expect(headers.get('x-content-type-options')).to.equal('nosniff')
      expect(headers.get('access-control-allow-origin')).to.equal(null)
    })

    it('that depend on the caller are not stored by shared caches', async () => {
      const own = await app.client.as(await app.build.user()).get('/auth/me')
      expect(own.headers.get('cache-control')).to.equal('private, no-cache')
    })

    it('are not sent again to a client that has them (ETag)', async () => {
      // Not fetch: it adds `cache-control: no-cache` to every conditional request.
      const ask = (headers: Record<string, string>) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          get(`${app.address}/openapi.json`, { headers }, (answer) => {
            answer.resume().once('end', () => resolve(answer))
          }).once('error', reject)
        })
      const { etag } = (await ask({})).headers
      expect((await ask({ 'if-none-match': etag! })).statusCode).to.equal(304)
    })

    it('are compressed when they are large and the client can', async () => {
      const answer = await fetch(`${app.address}/openapi.json`)
      expect(answer.headers.get('content-encoding')).to.equal('gzip')
      expect(await answer.json()).to.have.property('openapi', '3.1.1')
    })

    it('tell the readiness of each part', async () => {
      const ready = await app.client.get('/health/ready')
      expect(ready.body).to.deep.equal({ status: 'ok', parts: { database: true, storage: true } })
    })

    it('count requests by route for Prometheus', async () => {
      const metrics = await app.client.get('/metrics')
      expect(metrics.text).to.match(
        /http_request_duration_seconds_count\{method="GET",route="\/health\/ready",status="200"\} [1-9]/,
      )
    })
  })

  it('is described on a page that loads nothing from other hosts', async () => {
    const page = await fetch(`${app.address}/docs`)
    const html = await page.text()
    const policy = page.headers.get('content-security-policy')!
    expect(policy).to.include("script-src 'self'").and.not.include('http')
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
    expect(assets).to.have.length(3)
    for (const address of assets) {
      // Beside the page, whatever path a proxy puts before both.
      expect(address).to.match(/^docs\//)
      expect((await fetch(new URL(address, page.url))).status).to.equal(200)
    }
  })
})
