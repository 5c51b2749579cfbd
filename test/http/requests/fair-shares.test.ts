import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestResponse } from '../../support/client.ts'
import { until } from '../../support/patience.ts'
import { formOf, uploadsUnderWay } from '../../support/uploads.ts'

const GB = 10 ** 9

describe('the shares of what a process handles at once', () => {
  const app = useApp({ env: { MAX_UPLOADS: '8', WORKER: 'false' } })

  const refusal = ({ status, body, headers }: TestResponse) => ({
    status,
    code: body.code as string,
    waits: Number(headers.get('retry-after')) > 0,
  })
  const SHARE_TAKEN = { status: 429, code: 'ShareExceededException', waits: true }
  const ALL_TAKEN = { status: 503, code: 'ServiceUnavailableException', waits: true }

  async function open(head: string): Promise<Socket> {
    const { hostname, port } = new URL(app.address)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.on('error', () => undefined)
    socket.write(head)
    return socket
  }

  /** An upload that has begun, and goes on no further. */
  async function holdUpload(actor: Actor): Promise<Socket> {
    const token = await app.client.as(actor).token()
    return open(
      `POST /documents HTTP/1.1\r\nHost: x\r\nX-App-Access-Token: ${token}\r\n` +
        'Content-Type: text/csv\r\nX-Filename: a.csv\r\nContent-Length: 100000\r\n\r\nx',
    )
  }

  const sendAs = (actor: Actor) =>
    app.client.as(actor).request('POST', '/documents', formOf('a.csv', 'a'))

  it('are a quarter of the uploads for one, half for an enterprise, and the rest for others', async () => {
    const enterprise = await app.build.enterprise()
    const [first, second, third] = [
      await app.build.user({ enterprise }),
      await app.build.user({ enterprise }),
      await app.build.user({ enterprise }),
    ]
    const other = await app.build.user()
    const held: Socket[] = []
    const hold = async (actor: Actor) => {
      for (let nth = 0; nth < 2; nth++) held.push(await holdUpload(actor))
      await until('they are stored', async () => (await uploadsUnderWay(app)) === held.length)
    }
    try {
      await hold(first)
      expect(refusal(await sendAs(first))).to.deep.equal(SHARE_TAKEN)
      await hold(second)
      expect(refusal(await sendAs(third))).to.deep.equal(SHARE_TAKEN)
      expect((await sendAs(other)).status).to.equal(201)
      for (let nth = 0; nth < 2; nth++) await hold(await app.build.user())
      expect(refusal(await sendAs(other))).to.deep.equal(ALL_TAKEN)
      const preview = await app.client
        .as(other)
        .request('POST', '/sources/preview', formOf('a.csv', 'a\n1'))
      expect(preview.status, 'previews have places of their own').to.equal(200)
    } finally {
      for (const socket of held) socket.destroy()
    }
    await until('the places are free again', async () => (await sendAs(first)).status === 201)
  })

  it('are twenty streams of events for one', async () => {
    const owner = await app.build.user()
    const { uuid } = await app.services.jobs.enqueue(owner, 'folder.delete-root', {
      uuid: randomUUID(),
      folderName: 'x',
    })
    const headers = { 'x-app-access-token': await app.client.as(owner).token() }
    const streams = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const request = get(`${app.address}/jobs/${uuid}/events`, { headers, agent: false })
        const [answer] = (await once(request, 'response')) as [IncomingMessage]
        expect(answer.statusCode).to.equal(200)
        return answer.resume().on('error', () => undefined)
      }),
    )
    const again = () => app.client.as(owner).get(`/jobs/${uuid}/events`)
    expect(refusal(await again())).to.deep.equal(SHARE_TAKEN)
    streams[0]!.destroy()
    await app.client.as(owner).post(`/jobs/${uuid}/cancel`)
    await until('a place is free', async () => (await again()).status === 200)
    for (const stream of streams) stream.destroy()
  })

  it('count parts of uploads for the user who began the upload', async () => {
    const [owner, other] = [await app.build.user(), await app.build.user()]
    const begin = async (actor: Actor) => {
      const { body } = await app.client
        .as(actor)
        .post('/documents/uploads', { filename: 'a.bin', size: 1000 })
      return new URL(body.parts[0].url as string)
    }
    const put = async (url: URL) =>
      fetch(`${app.address}${url.pathname}${url.search}`, {
        method: 'PUT',
        body: new Uint8Array(1000),
      })
    const address = await begin(owner)
    const hold = async () =>
      open(
        `PUT ${address.pathname}${address.search} HTTP/1.1\r\nHost: x\r\n` +
          'Content-Length: 1000\r\n\r\nx',
      )
    const held = [await hold(), await hold()]
    const elsewhere = await begin(other)
    try {
      await until('the owner has their share', async () => (await put(address)).status === 429)
      expect((await put(elsewhere)).status).to.equal(200)
    } finally {
      for (const socket of held) socket.destroy()
    }
    await until('the places are free again', async () => (await put(address)).status === 200)
  })
})

describe('part uploads', () => {
  const app = useApp({ env: { MAX_UPLOAD_SIZE: '10GB', WORKER: 'false' } })
  const begin = (actor: Actor, size: number) =>
    app.client.as(actor).post('/documents/uploads', { filename: 'a.bin', size })

  it('are a million million bytes for an enterprise, also when they begin at once', async () => {
    const enterprise = await app.build.enterprise()
    const [one, two] = [await app.build.user({ enterprise }), await app.build.user({ enterprise })]
    await app.database.pool.query(
      `insert into document_uploads (user_id, bucket, path, multipart_id, original_name,
              content_type, size_bytes, part_bytes, expires_at)
       select $1, 'documents', 'quota/' || n, 'none', 'a', 'text/csv', $2, $2, now() + interval '1 day'
       from generate_series(1, 98) n`,
      [one.id, 10 * GB],
    )
    const answers = await Promise.all(
      [one, two, one, two].map(async (actor) => begin(actor, 10 * GB)),
    )
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([201, 201, 429, 429])
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body.code).to.equal('UploadQuotaExceededException')
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0)
    expect((await begin(await app.build.user(), 10 * GB)).status).to.equal(201)
    const begun = answers.find(({ status }) => status === 201)!
    const owner = answers.indexOf(begun) % 2 === 0 ? one : two
    await app.client.as(owner).delete(`/documents/uploads/${begun.body.uuid}`)
    expect((await begin(one, 10 * GB)).status).to.equal(201)
  })

  it('are a thousand for an enterprise', async () => {
    const owner = await app.build.user()
    await app.database.pool.query(
      `insert into document_uploads (user_id, bucket, path, multipart_id, original_name,
              content_type, size_bytes, part_bytes, expires_at)
       select $1, 'documents', 'many/' || n, 'none', 'a', 'text/csv', 1, 1, now() + interval '1 day'
       from generate_series(1, 999) n`,
      [owner.id],
    )
    expect((await begin(owner, 1)).status).to.equal(201)
    expect((await begin(owner, 1)).body.code).to.equal('UploadQuotaExceededException')
  })

  it('store no signature, and get new links when the request is repeated', async () => {
    const client = app.client
      .as(await app.build.user())
      .withHeaders({ 'idempotency-key': 'the-same' })
    const again = () => client.post('/documents/uploads', { filename: 'a.bin', size: 1000 })
    const [first, second] = [await again(), await again()]
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
    expect(second.status).to.equal(201)
    expect(second.body.uuid).to.equal(first.body.uuid)
    const { rows } = await app.database.pool.query<{ kept: string }>(
      'select idempotency_keys::text as kept from idempotency_keys',
    )
    for (const { kept } of rows) expect(kept).not.to.match(/signature/i)
    const url = new URL(second.body.parts[0].url as string)
    const sent = await fetch(`${app.address}${url.pathname}${url.search}`, {
      method: 'PUT',
      body: new Uint8Array(1000),
    })
    expect(sent.status).to.equal(200)
    const done = await client
      .withHeaders({ 'idempotency-key': 'another' })
      .post(`/documents/uploads/${first.body.uuid}/complete`)
    expect(done.status).to.equal(201)
    expect((await again()).body.code).to.equal('UploadNotFoundException')
  })
})
