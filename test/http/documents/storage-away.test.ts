import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { found } from '../../support/patience.ts'
import { type Fault, type S3Server, startS3Server } from '../../support/s3-server/index.ts'
import { freshTableName } from '../../support/sources.ts'
import { formOf } from '../../support/uploads.ts'

/** How an object storage can be away, and what the log says of it. */
const WAYS: readonly (readonly [what: string, effect: object, said: RegExp])[] = [
  ['cuts the connection', { kind: 'reset', when: 'before' }, /object storage cannot be reached/],
  ['answers 500', { kind: 'answer', status: 500, code: 'InternalError' }, /storage answered 500/],
  ['answers 403', { kind: 'answer', status: 403, code: 'AccessDenied' }, /storage answered 403/],
  ['has no bucket', { kind: 'answer', status: 404, code: 'NoSuchBucket' }, /NoSuchBucket/],
]

describe('while the object storage is away', () => {
  let server: S3Server
  before('starts an S3 server', async () => {
    server = await startS3Server({ buckets: ['files'] })
  })
  const app = useApp({
    env: () => server.settings,
    // So nothing here is ended by the limit of a single call.
    adjust: (config) => ({
      ...config,
      storage: { ...config.storage, requestTimeoutMs: 3_600_000 },
    }),
  })
  after('stops the S3 server', () => server.close())
  let admin: Actor
  beforeEach(async () => {
    admin = await app.build.user()
  })
  afterEach(() => server.clearFaults())

  const claimed = async (): Promise<string[]> => {
    const { rows } = await app.database.pool.query<{ path: string }>(
      'select path from object_claims',
    )
    return rows.map(({ path }) => path)
  }
  const upload = () =>
    app.client.as(admin).request('POST', '/documents', formOf('a.csv', 'a,b\n1,2\n'))
  const meet = (operation: Fault['operation'], effect: object) =>
    server.addFault({ operation, times: Infinity, ...effect } as Fault)

  for (const [what, effect, said] of WAYS) {
    it(`names it in the answer when it ${what}, and keeps nothing`, async () => {
      meet('PutObject', effect)
      const answer = await upload()
      expect(answer.status, answer.text).to.equal(503)
      expect(answer.headers.get('retry-after')).to.equal('5')
      expect(answer.body.detail).to.include('object storage')
      expect(app.log.find((line) => line.includes(answer.body.requestId))).to.match(said)
      server.clearFaults()
      expect((await app.client.as(admin).get('/documents')).body.total).to.equal(0)
    })
  }

  it('names it in the answer when it freezes, and does not wait for it to remove what is left', async () => {
    meet('PutObject', { kind: 'answer', status: 500, code: 'InternalError' })
    for (const operation of ['DeleteObject', 'DeleteObjects'] as const) {
      meet(operation, { kind: 'hang', when: 'before' })
    }
    const answer = await upload()
    expect(answer.status, answer.text).to.equal(503)
    expect(answer.body.detail).to.include('object storage')
  })

  it('answers a load without it when it cannot remove a file, and remembers the file', async () => {
    const client = app.client.as(admin)
    const fields = { source: 'file', name: 'Grows', tableName: freshTableName() }
    const { body: source } = await client.request(
      'POST',
      '/sources',
      formOf('a.csv', 'a\n1\n', fields),
    )
    for (const operation of ['DeleteObject', 'DeleteObjects'] as const) {
      meet(operation, { kind: 'answer', status: 500, code: 'InternalError' })
    }
    // What could not be removed above may wait for the sweep still.
    const known = await claimed()
    const before = app.log.length
    const path = `/sources/${source.uuid}/reload`
    const added = await client.request('POST', path, formOf('b.csv', 'a\n2\n', { mode: 'append' }))
    expect(added.status, added.text).to.equal(200)
    expect(added.body.rowCount).to.equal(2)
    expect(app.log.slice(before).join('')).not.to.include('could not be removed')
    const remembered = (await claimed()).filter((each) => !known.includes(each))
    expect(remembered).to.have.length(1)
    expect(server.keysIn('files')).to.include(remembered[0])
  })

  it('tells so under /health/ready, which leaves the process to what works without', async () => {
    meet('HeadBucket', { kind: 'answer', status: 403, code: 'AccessDenied' })
    const answer = await app.client.get('/health/ready')
    expect(answer.status).to.equal(200)
    expect(answer.body).to.deep.equal({ status: 'ok', parts: { database: true, storage: false } })
  })

  it('lets jobs wait, which say for what, and succeed when it is back', async () => {
    const { body: document } = await upload()
    meet('GetObject', { kind: 'answer', status: 503, code: 'SlowDown' })
    const client = app.client.as(admin)
    const accepted = await client.withHeaders({ prefer: 'respond-async' }).post('/sources', {
      source: 'file',
      name: 'Waits',
      tableName: freshTableName(),
      documentUuid: document.uuid,
    })
    expect(accepted.status, accepted.text).to.equal(202)
    const job = async () => (await client.get(accepted.headers.get('location')!)).body
    const until = (wanted: (shown: Record<string, unknown>) => boolean) =>
      found('the state of the job', async () => {
        const shown = await job()
        return wanted(shown) ? shown : null
      })
    await until(({ status, waitingFor }) => status === 'QUEUED' && waitingFor === 'object-storage')
    expect((await client.get('/jobs')).body.items[0].waitingFor).to.equal('object-storage')
    server.clearFaults()
    const done = await until(({ status }) => status !== 'QUEUED' && status !== 'RUNNING')
    expect(done).to.include({ status: 'SUCCEEDED' })
    expect(done).not.to.have.property('waitingFor')
    expect((await client.get('/sources')).body.items[0]).to.include({ rowCount: 1 })
  })
})

describe('the upload of a queued job', () => {
  const app = useApp({ env: { WORKER: 'false', JOB_WAIT_LIMIT: '72h' } })

  it('stays as long as the job may wait for what is away, and a day for its turn', async () => {
    const client = app.client.as(await app.build.user())
    const fields = { source: 'file', name: 'Later', tableName: freshTableName() }
    const queued = await client
      .withHeaders({ prefer: 'respond-async' })
      .request('POST', '/sources', formOf('a.csv', 'a\n1\n', fields))
    expect(queued.status, queued.text).to.equal(202)
    const { rows } = await app.database.pool.query<{ hours: number }>(
      `select round(extract(epoch from c.expires_at - j.created_at) / 3600)::integer as hours
       from object_claims c, jobs j`,
    )
    expect(rows).to.deep.equal([{ hours: 96 }])
  })
})
