import { brotliCompressSync, gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'

describe('content codings', () => {
  const app = useApp()

  it('answers without a content coding where none is acceptable', async () => {
    const picky = app.client.withHeaders({ 'accept-encoding': 'identity;q=0, *;q=0' })
    const { status, headers, body } = await picky.get('/openapi.json')
    expect(status).to.equal(200)
    expect(headers.get('content-encoding')).to.equal(null)
    expect(body.openapi).to.match(/^3\.1/)
  })

  for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
    it(`refuses a body that is declared as ${coding} and is something else`, async () => {
      const { status } = await app.client
        .withHeaders({ 'content-encoding': coding })
        .request('POST', '/auth/login', {
          content: Buffer.from('this is not compressed'),
          type: 'application/json',
        })
      expect(status).to.be.oneOf([400, 415])
    })
  }

  it('reads a body that is compressed as declared', async () => {
    const json = JSON.stringify({ email: 'nobody@test.test', password: 'none of mine' })
    const compressed = { gzip: gzipSync(json), br: brotliCompressSync(json) }
    for (const [coding, content] of Object.entries(compressed)) {
      const { status } = await app.client
        .withHeaders({ 'content-encoding': coding })
        .request('POST', '/auth/login', { content, type: 'application/json' })
      expect(status, coding).to.equal(401)
    }
  })
})
