import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { formOf } from '../../support/uploads.ts'

const QUOTA = 1024

describe('the quota of documents', () => {
  const app = useApp({ env: { DOCUMENTS_QUOTA: '1KB' } })

  const upload = (user: Actor, bytes: number) =>
    app.client.as(user).request('POST', '/documents', formOf('a.bin', 'x'.repeat(bytes)))
  const begin = (user: Actor, size: number) =>
    app.client.as(user).post('/documents/uploads', { filename: 'a.bin', size })

  /** What is counted, and what there is. */
  async function bytesOf({ id, enterprise }: Actor) {
    const { rows } = await app.database.pool.query<{ counted: number; there: number }>(
      `select coalesce((select bytes from document_bytes where enterprise_share = $1), 0) as counted,
              (select coalesce(sum(size_bytes), 0)::bigint from documents
               where coalesce(enterprise_id, uploader_share) = $1) as there`,
      [enterprise?.id ?? -id],
    )
    return rows[0]!
  }

  it('refuses what has no room, says what is left, and has room again after a deletion', async () => {
    const enterprise = await app.build.enterprise()
    const [user, colleague] = [
      await app.build.user({ role: 'client', enterprise }),
      await app.build.user({ role: 'admin', enterprise }),
    ]
    const { body: kept } = await upload(user, 1000)
    const refused = await upload(colleague, 25)
    expect(refused.status, refused.text).to.equal(413)
    expect(refused.body).to.include({ code: 'DocumentsQuotaExceededException' })
    expect(refused.body.detail)
      .to.include('24 bytes are left')
      .and.match(/1.024 bytes/)
    expect((await upload(colleague, 24)).status).to.equal(201)
    expect(await bytesOf(user)).to.deep.equal({ counted: QUOTA, there: QUOTA })
    expect((await app.client.as(user).delete(`/documents/${kept.uuid}`)).status).to.equal(200)
    expect(await bytesOf(user)).to.deep.equal({ counted: 24, there: 24 })
    expect((await upload(colleague, 1000)).status).to.equal(201)
  })

  it('is that of one enterprise, and of each who has none', async () => {
    const nobodys = () =>
      app.build.user({ role: 'client', accountType: 'personal', enterprise: null })
    const [first, second] = [await nobodys(), await nobodys()]
    expect((await upload(first, QUOTA)).status).to.equal(201)
    expect((await upload(first, 1)).status).to.equal(413)
    expect((await upload(second, QUOTA)).status).to.equal(201)
    expect(await bytesOf(first)).to.deep.equal({ counted: QUOTA, there: QUOTA })
  })

  it('holds for uploads that come at once', async () => {
    const user = await app.build.user()
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(user, 400)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).to.deep.equal([201, 201, 413, 413])
    expect(await bytesOf(user)).to.deep.equal({ counted: 800, there: 800 })
  })

  it('counts what is announced for parts, once, until it is completed or given up', async () => {
    const user = await app.build.user()
    const as = app.client.as(user)
    const given = await begin(user, 600)
    expect(given.status, given.text).to.equal(201)
    const refused = await begin(user, 500)
    expect(refused.status).to.equal(413)
    expect(refused.body.detail).to.include('424 bytes are left')
    expect((await upload(user, 425)).status).to.equal(413)
    const { uuid, parts } = given.body
    await fetch(parts[0].url, { method: 'PUT', body: 'x'.repeat(600) })
    expect((await as.post(`/documents/uploads/${uuid}/complete`)).status).to.equal(201)
    expect(await bytesOf(user)).to.deep.equal({ counted: 600, there: 600 })

    const abandoned = await begin(user, 424)
    expect(abandoned.status).to.equal(201)
    expect((await upload(user, 1)).status).to.equal(413)
    await as.delete(`/documents/uploads/${abandoned.body.uuid}`)
    expect((await upload(user, 424)).status).to.equal(201)
  })

  it('counts a document in a folder for the enterprise of the folder, until the root is deleted', async () => {
    const boss = await app.build.user({ role: 'super-admin' })
    const owner = await app.build.user()
    const root = await app.build.folder({ enterprise: owner.enterprise! })
    const as = app.client.as(boss)
    const form = formOf('a.bin', 'x'.repeat(1000), { folderUuid: root.uuid })
    expect((await as.request('POST', '/documents', form)).status).to.equal(201)
    expect((await upload(owner, 100)).status).to.equal(413)
    const deleted = await as.delete(`/folders/${root.uuid}/root`, { folderName: root.name })
    expect(deleted.status, deleted.text).to.equal(200)
    expect(await bytesOf(owner)).to.deep.equal({ counted: 0, there: 0 })
    expect((await upload(owner, QUOTA)).status).to.equal(201)
  })
})
