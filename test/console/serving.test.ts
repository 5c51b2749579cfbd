import { expect } from 'chai'

import { standardFormats } from '../../pipelines/index.ts'
import { useApp } from '../support/app.ts'
import { type S3Server, startS3Server } from '../support/s3-server/index.ts'

describe('the console as it is served', () => {
  const app = useApp()

  // What is no part of the interface is not in its document, which the test client asks for.
  const ask = (path: string, accept = '*/*', encoding = 'gzip') =>
    fetch(`${app.address}${path}`, {
      headers: { accept, 'accept-encoding': encoding },
      redirect: 'manual',
    })

  it('is where browsers are redirected from the root, but not programs that want no page', async () => {
    const { status, headers } = await ask('/', 'text/html,application/xhtml+xml')
    expect(status).to.equal(302)
    expect(headers.get('location')).to.equal('console/')
    expect((await ask('/')).status).to.equal(302)
    expect((await ask('/', 'application/json')).status).to.equal(404)
    expect((await ask('/console')).headers.get('location')).to.equal('console/')
  })

  it('has its icon where browsers look for one', async () => {
    const { status, headers, text } = await app.client.get('/favicon.ico')
    expect(status).to.equal(200)
    expect(headers.get('content-type')).to.equal('image/svg+xml')
    expect(text).to.include('<svg')
  })

  it('allows scripts and requests of its own origin alone', async () => {
    const { status, headers, text } = await app.client.get('/console/')
    expect(status).to.equal(200)
    const policy = headers.get('content-security-policy')!
    expect(policy).to.include("default-src 'none'").and.include("connect-src 'self'")
    expect(policy)
      .to.match(/script-src 'self' 'sha256-[^']+';/)
      .and.not.include('unsafe')
    expect(text).to.not.match(/(?:src|href)="https?:/)
  })

  it('is told every format that the service reads, and its options', async () => {
    const { text } = await app.client.get('/console/')
    const [, told] = /data-formats="([^"]+)"/.exec(text)!
    const formats = JSON.parse(told!.replaceAll('&quot;', '"')) as {
      name: string
      options: string[]
    }[]
    expect(formats.map(({ name }) => name)).to.deep.equal(standardFormats().names)
    expect(formats.find(({ name }) => name === 'csv')!.options).to.include('delimiter')
  })

  it('gives each part an address of its version, which browsers keep', async () => {
    const { text } = await app.client.get('/console/')
    const parts = [...text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, part]) => part!)
    expect(parts.length).to.be.greaterThan(10)
    for (const part of parts) {
      const { status, headers } = await ask(`/console/${part}`)
      expect(status, part).to.equal(200)
      expect(headers.get('cache-control')).to.include('immutable')
      expect(headers.get('content-encoding')).to.equal('gzip')
    }
    const plain = await ask(`/console/${parts[0]}`, '*/*', 'gzip;q=0, identity')
    expect(plain.headers.get('content-encoding')).to.equal(null)
    const other = parts[0]!.replace(/assets\/[^/]+/, 'assets/000000000000')
    expect((await ask(`/console/${other}`)).status).to.equal(404)
    expect(
      (await ask(`/console/${parts[0]!.split('/', 2).join('/')}/%2e%2e/index.html`)).status,
    ).to.equal(404)
  })

  it('serves a page to senders that needs little before it is seen, and no other origin', async () => {
    const { status, headers } = await app.client.get('/deliver/')
    expect([status, headers.get('referrer-policy')]).to.deep.equal([200, 'no-referrer'])
    expect(headers.get('content-security-policy')).to.include("connect-src 'self';")
    expect(await bytesOf('/deliver/')).to.be.within(20_000, 100_000)
    expect(await bytesOf('/console/')).to.be.within(20_000, 120_000)
  })

  /** Of a page and everything that it names, on the wire. */
  async function bytesOf(page: string): Promise<number> {
    const text = await (await ask(page)).text()
    const parts = new Set([...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, part]) => part!))
    let bytes = text.length
    for (const part of parts) {
      const { pathname } = new URL(part, app.address + page)
      // The length that was sent; fetch shows what it is decompressed to.
      const { status, headers } = await ask(pathname)
      expect(status, pathname).to.equal(200)
      bytes += Number(headers.get('content-length'))
    }
    return bytes
  }
})

describe('the console beside an object storage', () => {
  let server: S3Server
  before('starts an object storage', async () => {
    server = await startS3Server({ buckets: ['documents'] })
  })
  after('stops the object storage', () => server.close())
  const app = useApp({
    env: () => ({ ...server.settings, S3_PUBLIC_ENDPOINT: 'https://files.example.com' }),
  })

  it('may send parts of files there, and nothing anywhere else', async () => {
    const { headers } = await app.client.get('/console/')
    const policy = headers.get('content-security-policy')!
    expect(policy).to.include("connect-src 'self' https://files.example.com;")
  })
})
