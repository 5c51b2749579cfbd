import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'

describe('an address that takes no body', () => {
  const app = useApp()
  let uuid: string
  let folders: TestClient

  before(async () => {
    const admin = await app.build.user({ role: 'super-admin' })
    folders = app.client.as(admin)
    const enterprise = await app.build.enterprise()
    await app.build.user({ enterprise, accountType: 'enterprise' })
    const root = await folders.post('/folders', { name: 'Racine', enterpriseId: enterprise.id })
    uuid = root.body.uuid
  })

  for (const [what, content, type] of [
    ['fields', '{"cascade":true}', 'application/json'],
    ['a text', 'force', 'text/plain'],
    ['a large form', new URLSearchParams({ a: 'x'.repeat(100_000) }).toString(), undefined],
  ] as const) {
    it(`refuses one: ${what}`, async () => {
      const body = { content, ...(type && { type }) }
      for (const [method, path] of [
        ['DELETE', `/folders/${uuid}`],
        ['POST', `/folders/${uuid}/restore`],
      ] as const) {
        const answer = await folders.request(method, path, body)
        expect(answer.status, answer.text).to.equal(400)
        expect(answer.body.code).to.equal('ValidationException')
        expect(answer.body.detail).to.contain('takes no body')
      }
      expect((await folders.get('/folders')).body.total).to.equal(1)
    })
  }

  it('refuses one that is sent in chunks, unless it turns out to be empty', async () => {
    const chunks = (...texts: string[]) =>
      ReadableStream.from(texts.map((text) => Buffer.from(text)))
    const sent = (...texts: string[]) =>
      folders.request('DELETE', `/folders/${uuid}`, { content: chunks(...texts) })
    expect((await sent('{"a"', ':1}')).status).to.equal(400)
    expect((await sent()).status).to.equal(200)
  })

  it('treats an empty object as no body', async () => {
    const restored = await folders.post(`/folders/${uuid}/restore`, {})
    expect(restored.status, restored.text).to.equal(200)
  })
})

describe('a request without a body', () => {
  const app = useApp()

  it('reloads a source from the upload that is kept', async () => {
    const admin = app.client.as(await app.build.user())
    const form = new FormData()
    form.append('source', 'file')
    form.append('name', 'Kept')
    form.append('tableName', 'kept')
    form.append('file', new Blob(['a,b\n1,2\n']), 'kept.csv')
    const created = await admin.request('POST', '/sources', { content: form })
    const reloaded = await admin.post(`/sources/${created.body.uuid}/reload`)
    expect(reloaded.status, reloaded.text).to.equal(200)
    expect(reloaded.body.rowCount).to.equal(1)
  })

  it('is answered with the fields that are missing, where some are required', async () => {
    const admin = app.client.as(await app.build.user())
    const { status, body } = await admin.post('/sources')
    expect(status).to.equal(400)
    expect(body.errors[0].pointer).to.equal('/source')
  })
})
