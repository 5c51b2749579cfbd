import { expect } from 'chai'

import type { ResolvedAddress } from '../../../src/security/outbound/resolve.ts'
import type { OutboundError } from '../../../src/security/outbound/errors.ts'
import { failure } from '../../support/failure.ts'
import { createBench, getJson, problemOf, SECRET, sendJson, type Listener } from './support.ts'

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 })

describe('what outbound requests can reach', () => {
  const bench = createBench()
  let canary: Listener
  beforeEach(async () => {
    canary = await bench.listen((_request, response) => sendJson(response, 'the canary sang'))
  })
  afterEach(() => bench.close())

  for (const host of [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    'localhost',
    '１２７.0.0.1',
  ]) {
    it(`is not a listener on loopback called ${host}`, async () => {
      const http = bench.http([])
      const problem = await problemOf(getJson(http, `http://${host}:${canary.port}/`))
      expect(problem).to.equal('address-refused')
      expect(canary.connections()).to.equal(0)
    })
  }

  it('is a listener on loopback that is allowed, with the key', async () => {
    const http = bench.http([`127.0.0.1:${canary.port}`])
    const answer = await getJson(http, `${canary.url}/x?y=1`)
    expect(answer).to.deep.include({ kind: 'json', value: 'the canary sang' })
    expect(canary.requests[0]!.url).to.equal('/x?y=1')
    expect(canary.requests[0]!.headers['x-api-key']).to.equal(SECRET)
  })

  it('is not a name that leads to loopback', async () => {
    const http = bench.http([], { resolve: async () => [v4('127.0.0.1')] })
    const problem = await problemOf(getJson(http, `http://forms.example:${canary.port}/`))
    expect(problem).to.equal('address-refused')
    expect(canary.connections()).to.equal(0)
  })

  it('is not a name with one forbidden address among public ones', async () => {
    const http = bench.http([], { resolve: async () => [v4('8.8.8.8'), v4('127.0.0.1')] })
    const problem = await problemOf(getJson(http, `http://forms.example:${canary.port}/`))
    expect(problem).to.equal('address-refused')
    expect(canary.connections()).to.equal(0)
  })

  it('is the address that was checked, although the name answers differently the second time', async () => {
    const other = await bench.listen((_request, response) => {
      response.setHeader('connection', 'close')
      sendJson(response, 'allowed')
    }, '127.0.0.2')
    const answers = [v4('127.0.0.2'), v4('127.0.0.1')]
    let asked = 0
    const http = bench.http(['127.0.0.2'], {
      resolve: async () => [answers[Math.min(asked++, 1)]!],
    })
    const address = `http://rebind.example:${other.port}/`

    expect(await getJson(http, address)).to.deep.include({ value: 'allowed' })
    expect(asked).to.equal(1)
    expect(other.requests[0]!.headers.host).to.equal(`rebind.example:${other.port}`)
    const second = problemOf(getJson(http, `http://rebind.example:${canary.port}/`))
    expect(await second).to.equal('address-refused')
    expect(await problemOf(getJson(http, address))).to.equal('address-refused')
    expect(canary.connections()).to.equal(0)
  })

  it('does not tell an unknown name from one that leads inside', async () => {
    const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const answers = [
      () => Promise.reject(unknown),
      async () => [],
      async () => [{ address: '10.0.0.7', family: 4 }],
    ]
    const told = await Promise.all(
      answers.map(async (resolve) => {
        const asked = getJson(bench.http([], { resolve }), 'http://inside.example/')
        const { name, message, problem } = (await failure(asked)) as OutboundError
        return { name, message, problem }
      }),
    )
    expect(told[0]!.problem).to.equal('address-refused')
    expect(told).to.deep.equal([told[0], told[0], told[0]])
  })

  it('says that name servers do not answer now', async () => {
    const later = Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' })
    const http = bench.http([], { resolve: () => Promise.reject(later) })
    expect(await problemOf(getJson(http, 'http://later.example/'))).to.equal('unreachable')
  })

  it('says that nothing listens', async () => {
    const closed = await bench.listen(() => undefined)
    await bench.close()
    const http = bench.http(['127.0.0.1'])
    expect(await problemOf(getJson(http, closed.url))).to.equal('unreachable')
  })

  it('keeps its connections for requests that follow each other', async () => {
    const http = bench.http(['127.0.0.1'])
    for (let n = 0; n < 20; n++) await getJson(http, canary.url)
    expect(canary.connections()).to.be.at.most(2)
  })
})

describe('redirects of outbound requests', () => {
  const bench = createBench()
  afterEach(() => bench.close())

  const redirecting = (location: (hop: number) => string | null, status = 302) => {
    let hop = 0
    return bench.listen((_request, response) => {
      const target = location(hop++)
      if (target === null) return sendJson(response, 'arrived')
      response.writeHead(status, { location: target }).end()
    })
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`are followed inside the same origin (${status})`, async () => {
      const server = await redirecting((hop) => (hop < 5 ? `/hop${hop}` : null), status)
      const answer = await getJson(bench.http(['127.0.0.1']), `${server.url}/start`)
      expect(answer).to.deep.include({ value: 'arrived' })
      expect(server.requests.map(({ url }) => url)).to.deep.equal([
        '/start',
        '/hop0',
        '/hop1',
        '/hop2',
        '/hop3',
        '/hop4',
      ])
    })
  }

  it('end after five', async () => {
    const server = await redirecting(() => '/again')
    const problem = await problemOf(getJson(bench.http(['127.0.0.1']), server.url))
    expect(problem).to.equal('redirect-refused')
    expect(server.requests).to.have.length(6)
  })

  it('never take the key to another port, host or scheme, though it is allowed', async () => {
    const canary = await bench.listen((_request, response) => sendJson(response, 'caught'))
    for (const target of [
      canary.url,
      `//127.0.0.1:${canary.port}/`,
      `http://localhost:${canary.port}`,
      'https://127.0.0.1/',
      'file:///etc/passwd',
      'http://169.254.169.254/latest/meta-data/',
    ]) {
      const server = await redirecting(() => target)
      const http = bench.http(['127.0.0.1', 'localhost'])
      expect(await problemOf(getJson(http, server.url)), target).to.equal('redirect-refused')
    }
    expect(canary.connections()).to.equal(0)
  })

  it('need a target', async () => {
    const server = await bench.listen((_request, response) => response.writeHead(302).end())
    const problem = await problemOf(getJson(bench.http(['127.0.0.1']), server.url))
    expect(problem).to.equal('redirect-refused')
  })
})
