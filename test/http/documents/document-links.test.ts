import { randomBytes, randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import { eventually } from '../../support/patience.ts'
import { formOf, objectsIn } from '../../support/uploads.ts'

describe('download links of the embedded storage', () => {
  const app = useApp()

  async function linkTo(filename: string, bytes: string | Buffer) {
    const user = await app.build.user({ role: 'client' })
    const client = app.client.as(user)
    const { body } = await client.request('POST', '/documents', formOf(filename, bytes))
    const answer = await client.get(`/documents/${body.uuid}/download`)
    expect(answer.status).to.equal(200)
    expect(answer.body.filename).to.equal(filename)
    return { url: answer.body.url as string, uuid: body.uuid as string, client, user }
  }

  it('give the bytes as an attachment under their name, without a token', async () => {
    const name = 'Çå "x"; é\u202e😀.csv'
    const { url } = await linkTo(name, 'a;b\n')
    const answer = await fetch(url)
    expect(answer.status).to.equal(200)
    expect(await answer.text()).to.equal('a;b\n')
    const disposition = answer.headers.get('content-disposition')!
    expect(disposition).to.match(/^attachment; filename="[ -~]+"; filename\*=UTF-8''/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).to.equal(name)
    expect(answer.headers.get('content-length')).to.equal('4')
    expect(answer.headers.get('content-security-policy')).to.include('sandbox')
  })

  it('continue a download that broke off', async () => {
    const bytes = randomBytes(100_000)
    const { url } = await linkTo('big.bin', bytes)
    const begun = await fetch(url, { headers: { range: 'bytes=0-99' } })
    expect(begun.headers.get('content-range')).to.equal('bytes 0-99/100000')
    await begun.body?.cancel()
    const etag = begun.headers.get('etag')!
    const rest = await fetch(url, { headers: { range: 'bytes=99990-', 'if-range': etag } })
    expect(rest.status).to.equal(206)
    expect(rest.headers.get('content-range')).to.equal('bytes 99990-99999/100000')
    expect(Buffer.from(await rest.arrayBuffer())).to.deep.equal(bytes.subarray(99_990))
    expect((await fetch(url, { headers: { range: 'bytes=100000-' } })).status).to.equal(416)
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).to.equal(304)
    expect((await fetch(url, { headers: { 'if-match': etag } })).status).to.equal(200)
    expect((await fetch(url, { headers: { 'if-match': '"of old"' } })).status).to.equal(412)
  })

  it('are never compressed', async () => {
    const { url } = await linkTo('text.csv', 'a'.repeat(50_000))
    const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding')).to.equal(null)
    expect(answer.headers.get('content-length')).to.equal('50000')
    expect(await answer.text()).to.have.length(50_000)
  })

  it('are refused when anything about them was changed', async () => {
    const { url } = await linkTo('a.csv', 'a')
    const altered = [
      url.replace('filename=a.csv', 'filename=b.csv'),
      url.replace(/expires=\d+/, (text) => `${text}0`),
      url.replace(/signature=.*$/, ''),
      `${url}&more=1`,
      `${url}&filename=b.csv`,
      url.replace(/\/storage\/objects\/[^/]+\//, '/storage/objects/other-bucket/'),
      url.replace('/documents/', '/documents/%2e%2e/'),
      url.split('?')[0]!,
    ]
    for (const address of altered) {
      const answer = await fetch(address)
      expect(answer.status, address).to.equal(403)
      expect(((await answer.json()) as { code: string }).code).to.equal(
        'DownloadLinkInvalidException',
      )
    }
    expect((await fetch(url, { method: 'POST' })).status).to.equal(405)
  })

  it('answer 404 once the document is deleted', async () => {
    const { url, uuid, client } = await linkTo('a.csv', 'a')
    await client.delete(`/documents/${uuid}`)
    expect((await fetch(url)).status).to.equal(404)
  })

  it('are refused once their user is disabled, and work again when the user does', async () => {
    const { url, user } = await linkTo('a.csv', 'a')
    const set = (value: string) =>
      app.database.pool.query(`update users set disabled_at = ${value} where id = $1`, [user.id])
    await set('now()')
    const refused = await fetch(url)
    expect(refused.status).to.equal(403)
    expect(await refused.json()).to.include({ code: 'DownloadLinkInvalidException' })
    await set('null')
    expect((await fetch(url)).status).to.equal(200)
  })

  it('leave no signature in the log', async () => {
    const { url } = await linkTo('a.csv', 'a')
    await fetch(url)
    await fetch(`${url}x`)
    const signature = new URL(url).searchParams.get('signature')!
    expect(app.log.join('')).to.not.include(signature)
  })

  describe('in parts', () => {
    const begin = async (size: number, given: object = {}) => {
      const client = app.client.as(await app.build.user({ role: 'client' }))
      const answer = await client.post('/documents/uploads', {
        filename: 'gros.csv',
        size,
        contentType: 'text/csv',
        ...given,
      })
      return { client, answer }
    }
    const put = (url: string, bytes: Buffer) =>
      fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })

    it('makes a document of what was sent to the addresses', async () => {
      const bytes = randomBytes(70_000)
      const { client, answer } = await begin(bytes.length)
      expect(answer.status).to.equal(201)
      const [part] = answer.body.parts
      expect(answer.body.parts).to.have.length(1)
      expect(part).to.include({ partNumber: 1, size: 70_000 })
      const early = await client.post(`/documents/uploads/${answer.body.uuid}/complete`)
      expect(early.status).to.equal(409)
      expect(early.body).to.deep.include({ code: 'UploadIncompleteException', missingParts: [1] })
      expect((await put(part.url, bytes.subarray(1))).status).to.equal(400)
      const sent = await put(part.url, bytes)
      expect(sent.status).to.equal(200)
      expect(sent.headers.get('etag')).to.be.a('string')
      const done = await client.post(`/documents/uploads/${answer.body.uuid}/complete`)
      expect(done.status).to.equal(201)
      expect(done.body).to.include({ filename: 'gros.csv', size: 70_000, contentType: 'text/csv' })
      const { body: link } = await client.get(`/documents/${done.body.uuid}/download`)
      expect(Buffer.from(await (await fetch(link.url)).arrayBuffer())).to.deep.equal(bytes)
      const again = await client.post(`/documents/uploads/${answer.body.uuid}/complete`)
      expect([again.status, again.body]).to.deep.equal([201, done.body])
      expect((await put(part.url, bytes)).status).to.equal(404)
    })

    it('is out of reach for other users, and leaves nothing when it is aborted', async () => {
      const before = await objectsIn(app.dataDir)
      const { client, answer } = await begin(10)
      await put(answer.body.parts[0].url, Buffer.alloc(10))
      const stranger = app.client.as(await app.build.user())
      const path = `/documents/uploads/${answer.body.uuid}`
      expect((await stranger.post(`${path}/complete`)).status).to.equal(404)
      expect((await stranger.delete(path)).status).to.equal(404)
      expect((await client.delete(path)).status).to.equal(200)
      expect((await client.delete(path)).status).to.equal(404)
      expect((await client.post(`${path}/complete`)).status).to.equal(404)
      expect(await objectsIn(app.dataDir)).to.deep.equal(before)
    })

    describe('whose uploader loses their rights', () => {
      async function beginInFolder() {
        const enterprise = await app.build.enterprise()
        const folder = await app.build.folder({ enterprise })
        const user = await app.build.user({ role: 'client', enterprise })
        const answer = await app.client.as(user).post('/documents/uploads', {
          filename: 'gros.csv',
          size: 5,
          folderUuid: folder.uuid,
        })
        expect(answer.status, answer.text).to.equal(201)
        return { user, url: answer.body.parts[0].url as string }
      }
      const bytes = Buffer.from('hello')

      for (const [what, change, status, code] of [
        ['is disabled', 'disabled_at = now()', 403, 'DownloadLinkInvalidException'],
        [
          'may no longer reach the folder',
          `account_type = 'personal'`,
          404,
          'FolderNotFoundException',
        ],
        ['belongs to another enterprise', 'enterprise_id = null', 404, 'FolderNotFoundException'],
      ] as const) {
        it(`takes no part once the user ${what}`, async () => {
          const { user, url } = await beginInFolder()
          expect((await put(url, bytes)).status).to.equal(200)
          await app.database.pool.query(`update users set ${change} where id = $1`, [user.id])
          const refused = await put(url, bytes)
          expect(refused.status).to.equal(status)
          expect(await refused.json()).to.include({ code })
        })
      }
    })

    it('is removed by the sweep when nobody completes it', async () => {
      const before = await objectsIn(app.dataDir)
      const { answer } = await begin(10)
      await put(answer.body.parts[0].url, Buffer.alloc(10))
      await app.database.pool.query(
        `update document_uploads set expires_at = now() - interval '1 second'`,
      )
      await app.services.documents.sweepDirectUploads()
      // The sweep of the service itself may have been first, and still be at it.
      await eventually(async () => expect(await objectsIn(app.dataDir)).to.deep.equal(before))
    })

    it('becomes one document, however often it is completed at once', async () => {
      const { client, answer } = await begin(5)
      await put(answer.body.parts[0].url, Buffer.from('hello'))
      const path = `/documents/uploads/${answer.body.uuid}/complete`
      const answers = await Promise.all([1, 2, 3].map(() => client.post(path)))
      const uuids = new Set(answers.map(({ body }) => body.uuid))
      expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201])
      expect(uuids.size).to.equal(1)
      expect((await client.get('/documents')).body.total).to.equal(1)
    })

    it('refuses folders out of reach, and sizes and names that cannot be', async () => {
      expect((await begin(1, { folderUuid: randomUUID() })).answer.status).to.equal(404)
      expect((await begin(20 * 1024 ** 3)).answer.status).to.equal(413)
      for (const given of [
        { size: 0 },
        { size: 1.5 },
        { filename: '..' },
        { filename: 'a\0' },
        { colour: 1 },
      ]) {
        expect((await begin(1, given)).answer.status, JSON.stringify(given)).to.equal(400)
      }
    })
  })
})
