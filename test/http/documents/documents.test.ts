import { randomBytes, randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { sha256 } from '../../contracts/stored-bytes.ts'
import { useApp } from '../../support/app.ts'
import { formOf, objectsIn, uploadOf } from '../../support/uploads.ts'

const withoutRequestId = (body: object) => ({ ...body, requestId: '' })

describe('documents', () => {
  const app = useApp({ env: { MAX_UPLOAD_SIZE: '300KB' } })

  const rows = async (table: string) => {
    const { rows: found } = await app.database.pool.query<{ count: number }>(
      `select count(*) from ${table}`,
    )
    return found[0]!.count
  }

  it('stores the file of a form, and says its size and hash', async () => {
    const client = app.client.as(await app.build.user({ role: 'client' }))
    const bytes = randomBytes(200_000)
    const answer = await client.request('POST', '/documents', formOf('relevé été.csv', bytes))
    expect(answer.status).to.equal(201)
    expect(answer.body).to.include({
      filename: 'relevé été.csv',
      size: bytes.length,
      sha256: sha256(bytes),
      contentType: 'text/csv',
      folderUuid: null,
    })
    expect((await client.get(`/documents/${answer.body.uuid}`)).body).to.deep.equal(answer.body)
  })

  it('stores a raw body under the name in X-Filename', async () => {
    const user = await app.build.user({ role: 'client' })
    const client = app.client
      .as(user)
      .withHeaders({ 'x-filename': encodeURIComponent('a/ü "x".pdf') })
    const answer = await client.request('POST', '/documents', uploadOf(Buffer.from('%PDF')))
    expect(answer.status).to.equal(201)
    expect(answer.body).to.include({
      filename: 'ü "x".pdf',
      size: 4,
      contentType: 'application/pdf',
    })
  })

  it('keeps an empty file', async () => {
    const client = app.client.as(await app.build.user())
    const answer = await client.request('POST', '/documents', formOf('empty.txt', Buffer.alloc(0)))
    expect(answer.status).to.equal(201)
    expect(answer.body.size).to.equal(0)
  })

  it('lists the newest of the caller first, six to a page, with the number of pages', async () => {
    const client = app.client.as(await app.build.user({ role: 'client' }))
    const names = ['1', '2', '3', '4', '5', '6', '7']
    for (const name of names) await client.request('POST', '/documents', formOf(name, name))
    const first = await client.get('/documents')
    expect(first.body.items.map((item: { filename: string }) => item.filename)).to.deep.equal(
      names.toReversed().slice(0, 6),
    )
    expect(first.body).to.include({ total: 7, page: 1, limit: 6, totalPages: 2 })
    const second = await client.get('/documents?page=2')
    expect(second.body.items).to.have.length(1)
    expect((await client.get('/documents?page=3')).body.items).to.deep.equal([])
  })

  it('finds names without regard to case and accents, and takes % literally', async () => {
    const client = app.client.as(await app.build.user({ role: 'client' }))
    for (const name of ['Été 100%.csv', 'hiver.csv']) {
      await client.request('POST', '/documents', formOf(name, 'x'))
    }
    expect((await client.get('/documents?search=ETE')).body.total).to.equal(1)
    expect((await client.get(`/documents?search=${encodeURIComponent('%')}`)).body.total).to.equal(
      1,
    )
    expect((await client.get('/documents?search=_')).body.total).to.equal(0)
  })

  it('shows, links and deletes for the owner alone, and answers 404 to everybody else', async () => {
    const enterprise = await app.build.enterprise()
    const owner = await app.build.user({ role: 'client', enterprise })
    const { body: made } = await app.client
      .as(owner)
      .request('POST', '/documents', formOf('a', 'a'))
    const others = [
      await app.build.user({ role: 'client', enterprise }),
      await app.build.user({ role: 'admin', enterprise }),
      await app.build.user({ role: 'super-admin' }),
    ]
    for (const other of others) {
      const client = app.client.as(other)
      expect((await client.get('/documents')).body.total).to.equal(0)
      for (const [method, suffix] of [
        ['GET', ''],
        ['GET', '/download'],
        ['DELETE', ''],
      ] as const) {
        const foreign = await client.request(method, `/documents/${made.uuid}${suffix}`)
        const absent = await client.request(method, `/documents/${randomUUID()}${suffix}`)
        expect(foreign.status).to.equal(404)
        expect(withoutRequestId(foreign.body)).to.deep.equal(withoutRequestId(absent.body))
        expect(foreign.body.code).to.equal('DocumentNotFoundException')
      }
    }
    expect((await app.client.as(owner).get(`/documents/${made.uuid}`)).status).to.equal(200)
  })

  it('deletes the stored file with the document', async () => {
    const client = app.client.as(await app.build.user())
    const before = await objectsIn(app.dataDir)
    const { body } = await client.request('POST', '/documents', formOf('a', 'a'))
    expect(await objectsIn(app.dataDir)).to.have.length(before.length + 1)
    const gone = await client.delete(`/documents/${body.uuid}`)
    expect(gone.status).to.equal(200)
    expect(gone.body.message).to.be.a('string')
    expect(await objectsIn(app.dataDir)).to.deep.equal(before)
    expect((await client.get(`/documents/${body.uuid}`)).status).to.equal(404)
    expect((await client.delete(`/documents/${body.uuid}`)).status).to.equal(404)
  })

  describe('refusals', () => {
    let objectsBefore: string[]
    let rowsBefore: number

    beforeEach(async () => {
      objectsBefore = await objectsIn(app.dataDir)
      rowsBefore = await rows('documents')
    })
    afterEach('left nothing behind', async () => {
      expect(await objectsIn(app.dataDir)).to.deep.equal(objectsBefore)
      expect(await rows('documents')).to.equal(rowsBefore)
      expect(await rows('object_claims')).to.equal(0)
    })

    const refused = async (body: Parameters<typeof app.client.request>[2], headers = {}) =>
      app.client
        .as(await app.build.user())
        .withHeaders(headers)
        .request('POST', '/documents', body)

    it('413 past MAX_UPLOAD_SIZE, announced or not', async () => {
      const large = Buffer.alloc(400_000)
      expect((await refused(formOf('large', large))).status).to.equal(413)
      const raw = { 'x-filename': 'large' }
      expect((await refused(uploadOf(large), raw)).status).to.equal(413)
      const stream = new Blob([large]).stream()
      expect((await refused({ content: stream, type: 'text/csv' }, raw)).status).to.equal(413)
    })

    it('400 without a file, without a name, with unknown, late or repeated fields', async () => {
      const form = (parts: readonly (readonly [string, string | Blob])[]) => {
        const content = new FormData()
        for (const [name, value] of parts) content.append(name, value)
        return { content }
      }
      const file = new Blob(['x'])
      const cases = [
        [form([['folderUuid', randomUUID()]]), '/file'],
        [
          form([
            ['colour', 'red'],
            ['file', file],
          ]),
          '/colour',
        ],
        [
          form([
            ['file', file],
            ['folderUuid', randomUUID()],
          ]),
          '/folderUuid',
        ],
        [
          form([
            ['folderUuid', 'x'],
            ['folderUuid', 'y'],
            ['file', file],
          ]),
          '/folderUuid',
        ],
        [
          form([
            ['folderUuid', 'no uuid'],
            ['file', file],
          ]),
          '/folderUuid',
        ],
        [
          form([
            ['file', file],
            ['file', file],
          ]),
          '/file',
        ],
        [formOf('a\0b', 'x'), '/file'],
        [formOf('..', 'x'), '/file'],
        [formOf('n'.repeat(256), 'x'), '/file'],
        [uploadOf(Buffer.from('x')), '/headers/x-filename'],
      ] as const
      for (const [body, pointer] of cases) {
        const answer = await refused(body)
        expect(answer.status, pointer).to.equal(400)
        expect(answer.body.errors[0].pointer).to.equal(pointer)
      }
    })

    it('404 for folders that are absent or out of reach', async () => {
      const enterprise = await app.build.enterprise()
      const { uuid } = await app.build.folder({ enterprise })
      const personal = await app.build.user({ role: 'client', accountType: 'personal', enterprise })
      for (const [user, folder] of [
        [await app.build.user({ role: 'admin' }), uuid],
        [await app.build.user({ role: 'client' }), uuid],
        [personal, uuid],
        [await app.build.user({ role: 'super-admin' }), randomUUID()],
      ] as const) {
        const body = formOf('a', 'a', { folderUuid: folder })
        const answer = await app.client.as(user).request('POST', '/documents', body)
        expect(answer.status).to.equal(404)
        expect(answer.body.code).to.equal('FolderNotFoundException')
      }
    })

    it('400 for a form without a boundary or with a broken end', async () => {
      const type = 'multipart/form-data'
      expect((await refused({ content: 'x', type })).status).to.equal(400)
      const broken = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'
      expect((await refused({ content: broken, type: `${type}; boundary=b` })).status).to.equal(400)
    })
  })

  it('puts documents into folders of the enterprise, whose enterprise they take', async () => {
    const enterprise = await app.build.enterprise()
    const folder = await app.build.folder({ enterprise })
    for (const user of [
      await app.build.user({ role: 'super-admin' }),
      await app.build.user({ role: 'admin', accountType: 'personal', enterprise }),
      await app.build.user({ role: 'client', enterprise }),
    ]) {
      const body = formOf('a', 'a', { folderUuid: folder.uuid })
      const answer = await app.client.as(user).request('POST', '/documents', body)
      expect(answer.status).to.equal(201)
      expect(answer.body.folderUuid).to.equal(folder.uuid)
      const raw = app.client
        .as(user)
        .withHeaders({ 'x-filename': 'b', 'x-folder-uuid': folder.uuid })
      expect((await raw.request('POST', '/documents', uploadOf(Buffer.from('b')))).status).to.equal(
        201,
      )
    }
    const { rows: found } = await app.database.pool.query(
      'select distinct enterprise_id from documents where folder_id = $1',
      [folder.id],
    )
    expect(found).to.deep.equal([{ enterprise_id: enterprise.id }])
  })

  it('answers a repeated Idempotency-Key with the first document, and refuses another file', async () => {
    const user = await app.build.user()
    const client = app.client.as(user).withHeaders({ 'idempotency-key': randomUUID() })
    const first = await client.request('POST', '/documents', formOf('a.csv', 'same'))
    const again = await client.request('POST', '/documents', formOf('a.csv', 'same'))
    expect(again.status).to.equal(201)
    expect(again.body).to.deep.equal(first.body)
    expect((await client.request('POST', '/documents', formOf('a.csv', 'other'))).status).to.equal(
      422,
    )
    expect((await app.client.as(user).get('/documents')).body.total).to.equal(1)
  })

  it('applies the size limit to a repeated upload, too', async () => {
    const client = app.client
      .as(await app.build.user())
      .withHeaders({ 'idempotency-key': randomUUID(), 'x-filename': 'a.csv' })
    expect(
      (await client.request('POST', '/documents', uploadOf(Buffer.from('x')))).status,
    ).to.equal(201)
    const large = Buffer.alloc(400_000)
    const again = [
      uploadOf(large),
      formOf('a.csv', large),
      { content: new Blob([large]).stream(), type: 'application/pdf' },
    ]
    for (const body of again) {
      const { status } = await client.request('POST', '/documents', body)
      expect(status).to.equal(413)
    }
  })

  it('hides the documents of a deleted folder', async () => {
    const user = await app.build.user({ role: 'client' })
    const folder = await app.build.folder({ enterprise: user.enterprise! })
    const client = app.client.as(user)
    const { body } = await client.request(
      'POST',
      '/documents',
      formOf('a', 'a', { folderUuid: folder.uuid }),
    )
    await app.database.pool.query('update folders set deleted_at = now() where id = $1', [
      folder.id,
    ])
    expect((await client.get('/documents')).body.total).to.equal(0)
    expect((await client.get(`/documents/${body.uuid}/download`)).status).to.equal(404)
  })
})
