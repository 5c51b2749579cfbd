import { type ClientRequest, request } from 'node:http'

import { expect } from 'chai'

import { formBody } from '../../benchmarks/support/form-body.ts'
import { temporaryFolder } from '../../benchmarks/support/temporary-folder.ts'
import type { Actor } from '../../src/domain/actor.ts'
import { SESSION_NAME } from '../../src/db/pool.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories, TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { createFromFile } from '../support/sources.ts'
import { objectsIn } from '../support/uploads.ts'
import { eventually, until } from '../support/patience.ts'

const AUTH_SECRET = 'a-secret-that-only-tests-know-of-0123456789'
const KEY = { 'idempotency-key': 'the-same-request' }
const FORM = formBody({ source: 'file', name: 'Half', tableName: 'half' }, 'a.csv')

describe('a service that dies in the middle of a load', () => {
  const database = useDatabase()
  let dataDir: string
  let admin: Actor
  let opened: AsyncDisposableStack
  let first: ServerProcess
  let second: ServerProcess

  beforeEach(async () => {
    opened = new AsyncDisposableStack()
    dataDir = opened.use(await temporaryFolder('deaths')).path
    admin = await createFactories(() => database.pool).user()
    first = opened.use(await start())
    second = opened.use(await start())
  })
  afterEach(() => opened.disposeAsync())

  const start = () =>
    startServer({
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      AUTH_SECRET,
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      JOB_HEARTBEAT: '1s',
      UPLOAD_IDLE_TIMEOUT: '10m',
    })
  const clientOf = ({ address }: ServerProcess): TestClient =>
    createClient(address, AUTH_SECRET).as(admin)
  const count = async (what: string): Promise<number> => {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from ${what}`,
    )
    return rows[0]!.count
  }

  const jobs = (status: string) => `jobs where owner_id = ${admin.id} and status = '${status}'`

  /** An upload to the first service of which the end does not come until somebody sends it. */
  async function beginUpload(): Promise<ClientRequest> {
    const sending = await send()
    await eventually(async () => {
      expect(await count(jobs('RUNNING'))).to.equal(1)
      expect(await count('object_claims')).to.equal(1)
      expect(await count(`idempotency_keys where actor_id = ${admin.id}`)).to.equal(1)
      expect(await objectsIn(dataDir)).to.have.length(1)
    })
    return sending
  }

  async function send(): Promise<ClientRequest> {
    const token = await clientOf(first).token()
    const sending = request(`${first.address}/sources`, {
      method: 'POST',
      headers: {
        'x-app-access-token': token,
        'content-type': FORM.type,
        ...KEY,
      },
    })
    // What becomes of it is told by the database.
    sending.on('error', () => undefined)
    opened.defer(() => void sending.destroy())
    sending.write(`${FORM.head}a,b\n${'1,2\n'.repeat(50_000)}`)
    return sending
  }

  /** Everything that the first one held is free for the second. */
  async function expectTakenOver(): Promise<void> {
    const again = clientOf(second).withHeaders(KEY)
    await eventually(async () => {
      const answer = await createFromFile(again, 'a,b\n1,2\n', { tableName: 'half' })
      expect(answer.status, answer.text).to.equal(201)
    })
    await eventually(async () => {
      expect(await count('object_claims')).to.equal(0)
      expect(await count(jobs('FAILED'))).to.equal(1)
      expect(await objectsIn(dataDir)).to.have.length(1)
    })
    expect(await count(`enterprise_${admin.enterprise!.id}.half`)).to.equal(1)
  }

  it('leaves nothing behind, and the same request succeeds in another process', async () => {
    await beginUpload()
    await first.kill()
    await expectTakenOver()
  })

  it('leaves nothing locked when it was frozen in the middle of a transaction', async () => {
    const others = `pg_stat_activity where datname = current_database() and application_name <> '${SESSION_NAME}'`
    await withTransaction(database.pool, async (client) => {
      await client.query('lock table sources in share mode')
      await send()
      await until('its transaction waits for ours', async () =>
        Boolean(await count(`${others} and wait_event_type = 'Lock'`)),
      )
      process.kill(first.pid, 'SIGSTOP')
    })
    await until('its transaction stands, and nobody ends it', async () =>
      Boolean(await count(`${others} and state = 'idle in transaction'`)),
    )
    const again = clientOf(second).withHeaders(KEY)
    await eventually(async () => {
      const answer = await createFromFile(again, 'a,b\n1,2\n', { tableName: 'half' })
      expect(answer.status, answer.text).to.equal(201)
    })
    process.kill(first.pid, 'SIGCONT')
    await eventually(async () => {
      const next = await createFromFile(clientOf(first), 'a\n1\n', { tableName: 'next' })
      expect(next.status, next.text).to.equal(201)
    })
  })

  it('publishes nothing after it was frozen and taken for dead, and goes on working', async () => {
    const sending = await beginUpload()
    const status = new Promise<number | undefined>((resolve) => {
      sending.once('response', (response) => resolve(response.resume().statusCode))
    })
    process.kill(first.pid, 'SIGSTOP')
    await expectTakenOver()
    process.kill(first.pid, 'SIGCONT')
    sending.end(`3,4\n${FORM.end}`)
    expect(await status).to.equal(503)
    await eventually(async () => expect(await objectsIn(dataDir)).to.have.length(1))
    expect(await count(`enterprise_${admin.enterprise!.id}.half`)).to.equal(1)
    const next = await createFromFile(clientOf(first), 'a\n1\n', { tableName: 'next' })
    expect(next.status, next.text).to.equal(201)
  })
})
