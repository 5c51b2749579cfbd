import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { createBench, getJson, problemOf, sendJson } from './support.ts'
import { holdClock } from '../../support/held-clock.ts'
import { PATIENCE_MS, until } from '../../support/patience.ts'

describe('bounds of outbound requests', () => {
  const bench = createBench()
  afterEach(() => bench.close())

  const serve = (body: string | Buffer, headers: Record<string, string> = {}) =>
    bench.listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      response.end(body)
    })
  const http = (options = {}) => bench.http(['127.0.0.1'], options)

  for (const [coding, compress] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const) {
    it(`opens ${coding}`, async () => {
      const server = await serve(compress('{"été":[1,2]}'), { 'content-encoding': coding })
      const answer = await getJson(http(), server.url)
      expect(answer).to.deep.equal({ kind: 'json', value: { été: [1, 2] }, bytes: 15 })
    })
  }

  it('refuses a coding that was not asked for', async () => {
    const server = await serve('x', { 'content-encoding': 'zstd' })
    expect(await problemOf(getJson(http(), server.url))).to.equal('malformed')
  })

  const changedIn = (body: Buffer, at: number) =>
    Buffer.concat([body.subarray(0, at), Buffer.from([body[at]! ^ 0xff]), body.subarray(at + 1)])
  const numbers = Buffer.from(JSON.stringify(Array.from({ length: 50 }, (_, n) => n)))
  for (const [name, coding, body] of [
    [
      'gzip with a wrong check sum',
      'gzip',
      changedIn(gzipSync(numbers), gzipSync(numbers).length - 6),
    ],
    ['gzip that ends too early', 'gzip', gzipSync(numbers).subarray(0, -12)],
    [
      'gzip with something behind it',
      'gzip',
      Buffer.concat([gzipSync(numbers), Buffer.from('end')]),
    ],
    ['gzip that is none', 'gzip', numbers],
    ['deflate that is none', 'deflate', numbers],
    ['br that is none', 'br', changedIn(brotliCompressSync(numbers), 0)],
  ] as const) {
    it(`calls ${name} malformed`, async () => {
      const server = await serve(body, { 'content-encoding': coding })
      expect(await problemOf(getJson(http(), server.url))).to.equal('malformed')
    })
  }

  it('calls compression that is cut off with its connection unreachable', async () => {
    const body = gzipSync(numbers)
    const server = await bench.listen((request, response) => {
      const headers = { 'content-encoding': 'gzip', 'content-length': body.length }
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      response.write(body.subarray(0, 40), () => request.socket.destroy())
    })
    expect(await problemOf(getJson(http(), server.url))).to.equal('unreachable')
  })

  it('stops at the size limit, with and without a declared length', async () => {
    const large = JSON.stringify('x'.repeat(2000))
    const declared = await serve(large)
    const streamed = await bench.listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write('x'.repeat(500)), 5)
      response.on('close', () => clearInterval(timer))
    })
    const bounded = http({ maxResponseBytes: 1999 })
    expect(await problemOf(getJson(bounded, declared.url))).to.equal('too-large')
    expect(await problemOf(getJson(bounded, streamed.url))).to.equal('too-large')
  })

  it('stops a compression bomb by its ratio, long before the size limit', async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024, 'x'), { level: 9 })
    const server = await serve(bomb, { 'content-encoding': 'gzip' })
    expect(await problemOf(getJson(http(), server.url))).to.equal('too-large')
  })

  it('stops an expanded body at the size limit', async () => {
    const server = await serve(gzipSync(JSON.stringify('x'.repeat(5000))), {
      'content-encoding': 'gzip',
    })
    const problem = await problemOf(getJson(http({ maxResponseBytes: 4000 }), server.url))
    expect(problem).to.equal('too-large')
  })

  for (const [name, body] of [
    ['a lone comma', '[1,]'],
    ['nothing', ''],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['201 levels', '['.repeat(201) + ']'.repeat(201)],
    ['400,000 levels', '['.repeat(400_000)],
  ] as const) {
    it(`calls ${name} malformed`, async () => {
      const server = await serve(body)
      expect(await problemOf(getJson(http(), server.url))).to.equal('malformed')
    })
  }

  it('does not count brackets, commas and escaped quotes inside text', async () => {
    const value = { 'a\\"[,': `${'['.repeat(300)}\\",${'{'.repeat(300)}` }
    const server = await serve(JSON.stringify(value))
    const answer = await getJson(http({ maxValues: 1 }), server.url)
    expect(answer).to.deep.include({ value })
  })

  it('keeps its count when an escape or a character is cut between two chunks', async () => {
    const text = JSON.stringify({ 'a\\"[[[': 'é"[[,\\', b: [1] })
    const bytes = Buffer.from(text)
    const server = await bench.listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const write = (at: number): unknown =>
        at < bytes.length
          ? response.write(bytes.subarray(at, at + 1), () => setImmediate(write, at + 1))
          : response.end()
      write(0)
    })
    const answer = await getJson(http({ maxDepth: 2, maxValues: 3 }), server.url)
    expect(answer).to.deep.include({ value: JSON.parse(text) })
  })

  for (const [crowd, body] of [
    ['empty arrays', `[${'[],'.repeat(500)}[]]`],
    ['numbers', `[${'0,'.repeat(1000)}0]`],
    ['keys', `{${Array.from({ length: 1001 }, (_, n) => `"${n}":0`).join(',')}}`],
  ] as const) {
    it(`refuses a crowd of ${crowd}, which would be far larger in memory`, async () => {
      const server = await serve(body)
      expect(await problemOf(getJson(http({ maxValues: 1000 }), server.url))).to.equal('too-large')
      expect(await getJson(http({ maxValues: 1002 }), server.url)).to.include({ kind: 'json' })
    })
  }

  for (const type of ['text/html', '', 'application/json-seq', 'text/json']) {
    it(`does not take '${type}' for JSON`, async () => {
      const server = await serve('{}', { 'content-type': type })
      expect(await problemOf(getJson(http(), server.url))).to.equal('malformed')
    })
  }

  it('passes any other status on unread, with Retry-After', async () => {
    const server = await bench.listen((_request, response) => {
      response.writeHead(429, { 'retry-after': '7' })
      response.write('never ends')
    })
    const answer = await getJson(http(), server.url)
    expect(answer).to.deep.equal({ kind: 'refusal', status: 429, retryAfter: '7' })
  })

  it('gives up on an answer that does not begin, and on one that does not end', async () => {
    const silent = await bench.listen(() => undefined)
    const endless = await bench.listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    const clock = holdClock()
    const held = http({ clock })
    for (const { url, requests } of [silent, endless]) {
      const problem = problemOf(getJson(held, url))
      await until('it is asked', () => requests.length > 0)
      clock.advance(PATIENCE_MS)
      expect(await problem).to.equal('too-slow')
    }
  })

  it('gives up on a name server that does not answer', async () => {
    const clock = holdClock()
    const held = bench.http([], { clock, resolve: () => new Promise(() => undefined) })
    const problem = problemOf(getJson(held, 'http://forms.example/'))
    await clock.waiting(1)
    clock.advance(PATIENCE_MS)
    expect(await problem).to.equal('too-slow')
  })

  it('ends when the caller gives up, with the reason of the caller', async () => {
    const silent = await bench.listen(() => undefined)
    const reason = new Error('enough')
    const controller = new AbortController()
    const answer = getJson(http(), silent.url, controller.signal)
    await until('it is asked', () => silent.requests.length > 0)
    controller.abort(reason)
    const outcome = await answer.catch((error: unknown) => error)
    expect(outcome).to.equal(reason)
  })

  it('reports a connection that breaks in the middle', async () => {
    const server = await bench.listen((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"a":', () => request.socket.destroy())
    })
    expect(await problemOf(getJson(http(), server.url))).to.equal('unreachable')
  })

  it('cuts what is under way when it is closed', async () => {
    const silent = await bench.listen(() => undefined)
    const closing = http()
    const problem = problemOf(getJson(closing, silent.url))
    await until('it is asked', () => silent.requests.length > 0)
    await closing.close()
    expect(await problem).to.equal('unreachable')
  })

  it('works again after a failure', async () => {
    let calls = 0
    const server = await bench.listen((request, response) => {
      if (calls++ === 0) request.socket.destroy()
      else sendJson(response, 'well')
    })
    const client = http()
    expect(await problemOf(getJson(client, server.url))).to.equal('unreachable')
    expect(await getJson(client, server.url)).to.deep.include({ value: 'well' })
  })
})
