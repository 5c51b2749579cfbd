import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import { freshTableName, sourceForm } from '../../support/sources.ts'
import { uploadOf } from '../../support/uploads.ts'

const BELOW = '/tools/administration'

/** A proxy that has the service below a path, and takes that off. */
async function startProxy(target: () => string) {
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    if (!url.startsWith(`${BELOW}/`)) return outgoing.writeHead(404).end('not below the path')
    const path = url.slice(BELOW.length)
    const passed = ask(new URL(path, target()), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    return incoming.pipe(passed)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('a service below a path', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>
  before(async () => {
    proxy = await startProxy(() => app.address)
  })
  after(() => proxy.close())
  const app = useApp({ env: () => ({ PUBLIC_URL: `${proxy.origin}${BELOW}/` }) })

  const get = async (url: string | URL) => {
    const answer = await fetch(url)
    return { status: answer.status, text: await answer.text(), url: answer.url }
  }

  it('shows its documentation with all that the page needs, and what it is called there', async () => {
    const page = await get(`${proxy.origin}${BELOW}/docs`)
    const parts = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, part]) => part!)
    expect(parts).to.have.length(3)
    for (const part of parts) {
      const { status, text } = await get(new URL(part, page.url))
      expect(status, part).to.equal(200)
      const [, document] = /url: '([^']+)'/.exec(part.endsWith('start.js') ? text : '') ?? []
      if (document === undefined) continue
      const described = await get(new URL(document, page.url))
      const { servers } = JSON.parse(described.text) as { servers: object[] }
      expect(servers).to.deep.equal([{ url: BELOW }])
    }
  })

  it('opens its console there', async () => {
    const console = await fetch(`${proxy.origin}${BELOW}/`, { headers: { accept: 'text/html' } })
    expect([console.status, new URL(console.url).pathname]).to.deep.equal([
      200,
      `${BELOW}/console/`,
    ])
  })

  it('says where a queued job and a stored file are', async () => {
    const admin = app.client.as(await app.build.user())
    const form = sourceForm({ source: 'file', name: 'x', tableName: freshTableName() }, 'a\n1\n')
    const queued = await admin
      .withHeaders({ prefer: 'respond-async' })
      .request('POST', '/sources', { content: form })
    expect(queued.headers.get('location')).to.equal(`${BELOW}/jobs/${queued.body.uuid}`)
    const stored = await admin
      .withHeaders({ 'x-filename': 'stored.txt' })
      .request('POST', '/documents', uploadOf(Buffer.from('stored')))
    expect(stored.status, stored.text).to.equal(201)
    const link = await admin.get(`/documents/${stored.body.uuid}/download`)
    expect(link.status, link.text).to.equal(200)
    expect(await get(link.body.url as string)).to.deep.include({ status: 200, text: 'stored' })
  })
})
