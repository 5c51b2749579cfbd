import { hash } from 'node:crypto'

import { expect } from 'chai'

import { type TestApp, useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'
import { created, createFromFile, rowsOfSource } from '../../support/sources.ts'

const CSV = 'Client;Date;Montant\nAnn;31/12/2025;1\n'
const FILE = 'Client;Date;Montant\nBob;01/02/2026;2\n'
const SENDERS = [
  { key: 'BX', name: 'Bordeaux', email: 'bx@example.test' },
  { key: 'LY', name: 'Lyon', email: 'ly@example.test' },
]

/** What holds wherever the bytes lie. */
function uploadsOn(app: TestApp): void {
  const holderOf = (url: string): TestClient =>
    app.client.withHeaders({ 'x-delivery-token': url.split('#')[1]! })

  async function collect() {
    const as = app.client.as(await app.build.user())
    const source = await created(createFromFile(as, CSV))
    const given = { name: 'Ventes', sourceUuid: source.uuid, senders: SENDERS }
    const made = await created(as.post('/collections', { ...given, periods: ['Mai', 'Juin'] }))
    const path = `/collections/${made.uuid}`
    const holders = (made.links as { url: string }[]).map(({ url }) => holderOf(url))
    const slots = (await as.get(`${path}/slots`)).body.items.toReversed()
    const rows = async () =>
      (await rowsOfSource(() => as)(source.uuid)).map(
        ({ Client }: Record<string, unknown>) => Client,
      )
    return { as, path, holders, slots, rows, senders: made.links }
  }

  const begin = async (holder: TestClient, slot: string, size = Buffer.byteLength(FILE)) => {
    const announced = { filename: 'mai.csv', size, contentType: 'text/csv' }
    const begun = await holder.post(`/deliveries/${slot}/uploads`, announced)
    expect(begun.status, begun.text).to.equal(201)
    const { uuid, parts } = begun.body
    return { uuid, url: parts[0].url as string, at: `/deliveries/${slot}/uploads/${uuid}` }
  }

  const put = (holder: TestClient, slot: string, sent: object) =>
    holder.request('PUT', `/deliveries/${slot}`, {
      content: JSON.stringify(sent),
      type: 'application/json',
    })

  const sendPart = async (url: string, content = FILE) => {
    const { status } = await fetch(url, { method: 'PUT', body: content })
    return status
  }

  async function complete(holder: TestClient, slot: string, content = FILE) {
    const begun = await begin(holder, slot, Buffer.byteLength(content))
    expect(await sendPart(begun.url, content)).to.equal(200)
    const completed = await holder.post(`${begun.at}/complete`)
    expect(completed.status, completed.text).to.equal(200)
    return { ...begun, completed: completed.body }
  }

  const left = async () => {
    const { rows } = await app.database.pool.query<{ path: string }>(
      'select path from document_uploads',
    )
    return rows.map(({ path }) => path)
  }

  it('are checked, sent into their slot, and then gone', async () => {
    const { holders, slots, rows } = await collect()
    const [holder] = holders
    const slot = slots[0].uuid
    const { uuid, at, completed } = await complete(holder!, slot)
    const sha256 = hash('sha256', FILE)
    expect(completed).to.deep.equal({ uuid, filename: 'mai.csv', sizeBytes: FILE.length, sha256 })
    expect((await holder!.post(`${at}/complete`)).body).to.deep.equal(completed)
    const checked = await holder!.post(`/deliveries/${slot}/check`, { uploadUuid: uuid })
    expect([checked.status, checked.body.valid, checked.body.rows]).to.deep.equal([200, true, 1])
    const sent = await put(holder!, slot, { uploadUuid: uuid })
    expect(sent.status, sent.text).to.equal(200)
    expect(sent.body).to.deep.include({ state: 'accepted', filename: 'mai.csv', rows: 1, sha256 })
    expect(await rows()).to.have.members(['Ann', 'Bob'])
    const again = await put(holder!, slot, { uploadUuid: uuid })
    expect([again.status, again.body.code]).to.deep.equal([404, 'UploadNotFoundException'])
    const same = await complete(holder!, slot)
    const answer = await put(holder!, slot, { uploadUuid: same.uuid })
    expect([answer.status, answer.body.receipt]).to.deep.equal([200, sent.body.receipt])
    expect(await left()).to.deep.equal([])
    const { rows: claims } = await app.database.pool.query('select path from object_claims')
    expect(claims).to.deep.equal([])
  })

  it('can be sent again where what they hold was refused', async () => {
    const { holders, slots, rows } = await collect()
    const [holder] = holders
    const slot = slots[0].uuid
    const wrong = 'Client;Date;Total TTC\nBob;01/02/2026;2\n'
    const { uuid } = await complete(holder!, slot, wrong)
    const refused = await put(holder!, slot, { uploadUuid: uuid })
    expect([refused.status, refused.body.code]).to.deep.equal([
      400,
      'DeliveryNotUnderstoodException',
    ])
    const mapping = { 'Total TTC': 'Montant' }
    const sent = await put(holder!, slot, { uploadUuid: uuid, mapping })
    expect(sent.status, sent.text).to.equal(200)
    expect(await rows()).to.have.members(['Ann', 'Bob'])
  })

  it('are not taken before all of their parts have come', async () => {
    const { holders, slots } = await collect()
    const [holder] = holders
    const slot = slots[0].uuid
    const { uuid, at, url } = await begin(holder!, slot)
    const missing = await holder!.post(`${at}/complete`)
    expect([missing.status, missing.body.missingParts]).to.deep.equal([409, [1]])
    expect(await sendPart(url)).to.equal(200)
    const early = await put(holder!, slot, { uploadUuid: uuid })
    expect([early.status, early.body.code]).to.deep.equal([409, 'UploadIncompleteException'])
    expect((await holder!.delete(at)).status).to.equal(200)
    expect((await holder!.delete(at)).status).to.equal(404)
    expect(await sendPart(url)).to.equal(404)
  })

  it('do not exist for other links, other slots and users', async () => {
    const { as, holders, slots } = await collect()
    const [bordeaux, lyon] = holders
    const [mine, mySecond, other] = slots.map(({ uuid }: { uuid: string }) => uuid)
    const { uuid, at } = await complete(bordeaux!, mine)
    const foreign = [
      await lyon!.post(`${at}/complete`),
      await lyon!.delete(`/deliveries/${other}/uploads/${uuid}`),
      await put(lyon!, other, { uploadUuid: uuid }),
      await lyon!.post(`/deliveries/${other}/check`, { uploadUuid: uuid }),
      await put(bordeaux!, mySecond, { uploadUuid: uuid }),
      await as.post(`/documents/uploads/${uuid}/complete`),
      await as.delete(`/documents/uploads/${uuid}`),
    ]
    expect(foreign.map(({ status }) => status)).to.deep.equal(foreign.map(() => 404))
    const { body } = await as.post('/documents/uploads', { filename: 'a.csv', size: 5 })
    const ofUser = await bordeaux!.post(`/deliveries/${mine}/uploads/${body.uuid}/complete`)
    expect([ofUser.status, ofUser.body.code]).to.deep.equal([404, 'UploadNotFoundException'])
    await as.delete(`/documents/uploads/${body.uuid}`)
    expect((await bordeaux!.delete(at)).status).to.equal(200)
  })

  it('end with their link, and the addresses of their parts with them', async () => {
    const { as, path, holders, slots, senders } = await collect()
    const [bordeaux, lyon] = holders
    const before = await left()
    const begun = await begin(bordeaux!, slots[0].uuid)
    const waiting = await complete(bordeaux!, slots[1].uuid)
    const ofOther = await begin(lyon!, slots[2].uuid)
    const renewed = await as.post(`${path}/slots/${slots[0].uuid}/link`)
    expect(renewed.status).to.equal(200)
    expect(await sendPart(begun.url)).to.be.oneOf([403, 404])
    expect((await bordeaux!.post(`${begun.at}/complete`)).status).to.equal(401)
    const next = holderOf(renewed.body.url)
    expect((await next.post(`${waiting.at}/complete`)).status).to.equal(404)
    expect(await sendPart(ofOther.url)).to.equal(200)
    expect(await left()).to.have.length(before.length + 1)
    await as.delete(`${path}/senders/${senders[1].sender.uuid}`)
    expect(await sendPart(ofOther.url)).to.be.oneOf([403, 404])
    const last = await begin(next, slots[0].uuid)
    await as.delete(path)
    expect(await sendPart(last.url)).to.be.oneOf([403, 404])
    expect(await left()).to.have.members(before)
  })

  it('are so many of a link, and begun so often', async () => {
    const { holders, slots } = await collect()
    const [holder, other] = holders
    const slot = slots[0].uuid
    const announce = (size = 5) =>
      holder!.post(`/deliveries/${slot}/uploads`, { filename: 'a.csv', size })
    const begun = await Promise.all(Array.from({ length: 12 }, () => announce()))
    const statuses = begun.map(({ status }) => status).toSorted()
    expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 201), 429, 429])
    expect((await begin(other!, slots[2].uuid)).uuid).to.be.a('string')
    const open = begun.filter(({ status }) => status === 201)
    for (const { body } of open) {
      expect((await holder!.delete(`/deliveries/${slot}/uploads/${body.uuid}`)).status).to.equal(
        200,
      )
    }
    await app.database.pool.query(
      `insert into collection_tries (sender_id, tried_at, is_upload)
       select sender_id, now() - interval '59 minutes', true
       from collection_slots, generate_series(1, 20) where uuid = $1`,
      [slot],
    )
    const many = await announce()
    expect([many.status, many.body.code]).to.deep.equal([429, 'TooManyRequestsException'])
    expect(Number(many.headers.get('retry-after'))).to.be.within(1, 60)
    const large = await holder!.post(`/deliveries/${slot}/uploads`, {
      filename: 'a.csv',
      size: Number.MAX_SAFE_INTEGER,
    })
    expect(large.status).to.equal(413)
  })

  it('are named in what is sent, or refused', async () => {
    const { holders, slots } = await collect()
    const none = await put(holders[0]!, slots[0].uuid, {})
    expect([none.status, none.body.errors[0].pointer]).to.deep.equal([400, '/uploadUuid'])
  })
}

describe('deliveries in parts', () => {
  describe('on this machine', () => {
    uploadsOn(useApp())
  })
  describe('in S3', () => {
    let server: S3Server
    before('starts an S3 server', async () => {
      server = await startS3Server({ buckets: ['files'] })
    })
    uploadsOn(useApp({ env: () => server.settings }))
    after('stops the S3 server', () => server.close())
  })
})
