import { hash } from 'node:crypto'
import { request } from 'node:http'

import { expect } from 'chai'

import { type TestApp, useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { until } from '../../support/patience.ts'
import { type S3Server, startS3Server } from '../../support/s3-server/index.ts'
import { created, createFromFile, rowsOfSource } from '../../support/sources.ts'

const CSV = 'Client;Date;Montant\nAnn;31/12/2025;1\n'
const FILE = 'Client;Date;Montant\nBob;01/02/2026;2\n'
const SENDERS = [
  { key: 'BX', name: 'Bordeaux', email: 'bx@example.test' },
  { key: 'LY', name: 'Lyon', email: 'ly@example.test' },
]

/** What holds wherever the bytes lie. */
function uploadsOn(app: TestApp) {
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
    return { as, sourceUuid: source.uuid, path, holders, slots, rows, senders: made.links }
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

  async function cutInTheMiddle(url: string, bytes: Buffer): Promise<void> {
    const outgoing = request(url, {
      method: 'PUT',
      agent: false,
      headers: { 'content-length': bytes.length },
    })
    outgoing.on('error', () => undefined)
    outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy())
    await new Promise((resolve) => outgoing.on('close', resolve))
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
    const same = await complete(holder!, slot)
    const answer = await put(holder!, slot, { uploadUuid: same.uuid })
    expect([answer.status, answer.body.receipt]).to.deep.equal([200, sent.body.receipt])
    expect(await left()).to.deep.equal([])
    const { rows: claims } = await app.database.pool.query('select path from object_claims')
    expect(claims).to.deep.equal([])
  })

  it('are answered the same once more where the first answer was lost', async () => {
    const { as, path, holders, slots, rows } = await collect()
    const [holder] = holders
    const slot = slots[0].uuid
    const { uuid } = await complete(holder!, slot)
    const [first, second] = await Promise.all(
      [uuid, uuid].map((uploadUuid) => put(holder!, slot, { uploadUuid })),
    )
    expect([first!.status, second!.status], second!.text).to.deep.equal([200, 200])
    expect(second!.body).to.deep.equal(first!.body)
    const { body: changed } = await as.patch(path, { approval: true })
    expect(changed.approval).to.equal(true)
    const again = await put(holder!, slot, { uploadUuid: uuid })
    expect([again.status, again.body]).to.deep.equal([200, first!.body])
    const elsewhere = await put(holder!, slots[1].uuid, { uploadUuid: uuid })
    expect([elsewhere.status, elsewhere.body.code]).to.deep.equal([404, 'UploadNotFoundException'])
    expect(await rows()).to.have.members(['Ann', 'Bob'])
    const { body } = await as.get(`${path}/slots?state=accepted`)
    expect(body.items[0].deliveries).to.have.length(1)
    const returned = await as.post(`${path}/slots/${slot}/return`, { message: 'Again' })
    expect(returned.status, returned.text).to.equal(200)
    const late = await put(holder!, slot, { uploadUuid: uuid })
    expect([late.status, late.body.code]).to.deep.equal([404, 'UploadNotFoundException'])
  })

  it('come in several parts, in any order and again, and go on after a cut', async () => {
    const { as, sourceUuid, holders, slots } = await collect()
    const [holder] = holders
    const slot = slots[0].uuid
    const cell = 'x'.repeat(30_000)
    const file = Buffer.from(`Client;Date;Montant\n${`${cell};01/02/2026;2\n`.repeat(2300)}`)
    const announced = { filename: 'long.csv', size: file.length }
    const { status, text, body } = await holder!.post(`/deliveries/${slot}/uploads`, announced)
    expect(status, text).to.equal(201)
    const { uuid, partSize, parts } = body
    expect(parts.map(({ size }: { size: number }) => size)).to.deep.equal([
      partSize,
      file.length - partSize,
    ])
    const [one, two] = parts as { url: string }[]
    const [head, tail] = [file.subarray(0, partSize), file.subarray(partSize)]
    const at = `/deliveries/${slot}/uploads/${uuid}`
    const missing = async () => (await holder!.post(`${at}/complete`)).body.missingParts
    const send = async ({ url }: { url: string }, bytes: Buffer) =>
      (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status
    expect(await send(two!, tail)).to.equal(200)
    expect(await missing()).to.deep.equal([1])
    await cutInTheMiddle(one!.url, head)
    expect(await missing()).to.deep.equal([1])
    expect(await send(one!, Buffer.alloc(head.length, 'y'))).to.equal(200)
    expect(await send(one!, head)).to.equal(200)
    expect(await send(two!, tail)).to.equal(200)
    const completed = await holder!.post(`${at}/complete`)
    const twice = await holder!.post(`${at}/complete`)
    const sha256 = hash('sha256', file)
    const expected = { uuid, filename: 'long.csv', sizeBytes: file.length, sha256 }
    expect([completed.body, twice.body]).to.deep.equal([expected, expected])
    expect(await send(one!, head)).to.be.oneOf([403, 404])
    const sent = await put(holder!, slot, { uploadUuid: uuid })
    expect([sent.status, sent.body.rows, sent.body.sha256]).to.deep.equal([200, 2300, sha256])
    const { body: table } = await as.get(`/sources/${sourceUuid}/data?limit=1`)
    expect(table.total).to.equal(2301)
    expect(await left()).to.deep.equal([])
  })

  it('are not taken in parts of another size', async () => {
    const { holders, slots } = await collect()
    const [holder] = holders
    for (const content of [FILE.slice(1), `${FILE}\n`]) {
      const { url, at } = await begin(holder!, slots[0].uuid)
      await sendPart(url, content).catch(() => 0)
      const { status, body } = await holder!.post(`${at}/complete`)
      expect([status, body.missingParts], content).to.deep.equal([409, [1]])
      expect((await holder!.delete(at)).status).to.equal(200)
    }
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

  return { collect, begin, sendPart }
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
    const app = useApp({ env: () => server.settings })
    const { collect, begin, sendPart } = uploadsOn(app)

    /** The second comes while the first joins the parts, when the bucket has neither them nor the object. */
    async function completeTwice(as: TestClient, at: string) {
      const joined = Promise.withResolvers<void>()
      server.addFault({
        operation: 'CompleteMultipartUpload',
        kind: 'joins-late',
        until: joined.promise,
      })
      const calls = server.calls.length
      const isLost = () =>
        server.calls
          .slice(calls)
          .some(({ operation, status }) => /^(?:Get|Head)Object$/.test(operation) && status === 404)
      const first = as.post(`${at}/complete`)
      const isJoining = () =>
        server.calls.slice(calls).some(({ operation }) => operation === 'CompleteMultipartUpload')
      await until('the parts are being joined', isJoining)
      const second = as.post(`${at}/complete`)
      await until('the second finds nothing', isLost)
      joined.resolve()
      return Promise.all([first, second])
    }

    it('are completed twice at once with the same answer', async () => {
      const { holders, slots } = await collect()
      const [holder] = holders
      const { at, url } = await begin(holder!, slots[0].uuid)
      expect(await sendPart(url)).to.equal(200)
      const [first, second] = await completeTwice(holder!, at)
      expect([first.status, second.status], second.text).to.deep.equal([200, 200])
      expect(second.body).to.deep.equal(first.body)
    })

    it('are completed twice at once with the same answer where they are documents', async () => {
      const as = app.client.as(await app.build.user())
      const announced = { filename: 'mai.csv', size: FILE.length, contentType: 'text/csv' }
      const { uuid, parts } = await created(as.post('/documents/uploads', announced))
      const at = `/documents/uploads/${uuid}`
      expect(await sendPart(parts[0].url)).to.equal(200)
      const [first, second] = await completeTwice(as, at)
      expect([first.status, second.status], second.text).to.deep.equal([201, 201])
      expect(second.body).to.deep.equal(first.body)
      const later = await as.post(`${at}/complete`)
      expect([later.status, later.body]).to.deep.equal([201, first.body])
      const other = app.client.as(await app.build.user())
      expect((await other.post(`${at}/complete`)).status).to.equal(404)
      const file = await fetch((await as.get(`/documents/${first.body.uuid}/download`)).body.url)
      expect(await file.text()).to.equal(FILE)
      expect((await as.delete(`/documents/${first.body.uuid}`)).status).to.equal(200)
      expect((await as.post(`${at}/complete`)).status).to.equal(404)
    })
    after('stops the S3 server', () => server.close())
  })
})
