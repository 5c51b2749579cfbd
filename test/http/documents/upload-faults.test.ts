import { once } from 'node:events'
import { connect } from 'node:net'

import { expect } from 'chai'

import { formBody } from '../../../benchmarks/support/form-body.ts'
import { useApp } from '../../support/app.ts'
import { formOf, objectsIn, uploadsUnderWay } from '../../support/uploads.ts'
import { eventually, until } from '../../support/patience.ts'

const FILE_BYTES = 400_000

function useUploads(env: Readonly<Record<string, string>>) {
  const app = useApp({ env })

  /** A connection that has sent the head of a form and the first bytes of its file. */
  async function beginUpload(sentBytes: number) {
    const token = await app.client.as(await app.build.user()).token()
    const { hostname, port } = new URL(app.address)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const { type, head, end } = formBody({}, 'a.csv')
    socket.write(
      `POST /documents HTTP/1.1\r\nHost: x\r\nX-App-Access-Token: ${token}\r\n` +
        `Content-Type: ${type}\r\n` +
        `Content-Length: ${head.length + FILE_BYTES + end.length}\r\n\r\n${head}`,
    )
    socket.write(Buffer.alloc(sentBytes, 'x'))
    return { socket, end }
  }

  const nothingIsLeft = () =>
    eventually(async () => {
      expect(await objectsIn(app.dataDir)).to.deep.equal([])
      const { rows } = await app.database.pool.query(
        `select (select count(*) from documents) as documents,
                (select count(*) from object_claims) as claims,
                (select count(*) from pg_stat_activity
                 where state = 'idle in transaction' and datname = current_database()) as idle`,
      )
      expect(rows).to.deep.equal([{ documents: 0, claims: 0, idle: 0 }])
    })

  return { app, beginUpload, nothingIsLeft }
}

describe('an upload that makes no progress', () => {
  const { beginUpload, nothingIsLeft } = useUploads({ UPLOAD_IDLE_TIMEOUT: '500ms' })

  it('is cut with 408', async () => {
    const { socket } = await beginUpload(1000)
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('error', () => undefined)
    const drip = setInterval(() => socket.write('x'), 50)
    try {
      await once(socket, 'close')
    } finally {
      clearInterval(drip)
      socket.destroy()
    }
    expect(answer).to.match(/^HTTP\/1\.1 408 /)
    expect(answer).to.include('RequestTimeoutException')
    await nothingIsLeft()
  })
})

describe('uploads that go wrong', () => {
  const { app, beginUpload, nothingIsLeft } = useUploads({ MAX_UPLOADS: '2' })

  for (const percent of [1, 50, 99]) {
    it(`leave nothing when the client hangs up at ${percent} %`, async () => {
      const { socket } = await beginUpload((FILE_BYTES * percent) / 100)
      await until('it is being stored', async () => (await uploadsUnderWay(app)) === 1)
      socket.resetAndDestroy()
      await nothingIsLeft()
    })
  }

  it('are answered 503 with Retry-After while too many are under way', async () => {
    const open = [await beginUpload(1000), await beginUpload(1000)]
    await until('both are being stored', async () => (await uploadsUnderWay(app)) === 2)
    const client = app.client.as(await app.build.user())
    const refused = await client.request('POST', '/documents', formOf('a', 'a'))
    expect(refused.status).to.equal(503)
    expect(Number(refused.headers.get('retry-after'))).to.be.greaterThan(0)
    for (const { socket } of open) socket.destroy()
    await nothingIsLeft()
    const taken = await client.request('POST', '/documents', formOf('a', 'a'))
    expect(taken.status).to.equal(201)
    await client.delete(`/documents/${taken.body.uuid}`)
  })

  it('leave nothing when their folder is deleted while they are received', async () => {
    const folder = await app.build.folder()
    const client = app.client.as(await app.build.user({ role: 'super-admin' }))
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(20_000))
        await until('it is being stored', async () => (await uploadsUnderWay(app)) === 1)
        await client.delete(`/folders/${folder.uuid}`)
        controller.enqueue(new Uint8Array(20_000))
        controller.close()
      },
    })
    const answer = await client
      .withHeaders({ 'x-filename': 'late', 'x-folder-uuid': folder.uuid })
      .request('POST', '/documents', { content: stream, type: 'text/csv' })
    expect(answer.status).to.equal(404)
    expect(answer.body.code).to.equal('FolderNotFoundException')
    await nothingIsLeft()
  })

  it('do not end the process, whatever is sent', async () => {
    const { socket, end } = await beginUpload(FILE_BYTES)
    socket.on('error', () => undefined)
    socket.write(end)
    socket.write('GARBAGE\r\n\r\n')
    await once(socket.resume(), 'close')
    expect((await app.client.get('/health/live')).status).to.equal(200)
  })
})
