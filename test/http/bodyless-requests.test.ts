import { expect } from 'chai'

import { useApp } from '../support/app.ts'

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

  it('is told what is missing where fields are required', async () => {
    const admin = app.client.as(await app.build.user())
    const { status, body } = await admin.post('/sources')
    expect(status).to.equal(400)
    expect(body.errors[0].pointer).to.equal('/source')
  })
})
