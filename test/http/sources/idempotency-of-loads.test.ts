import { expect } from 'chai'

import { createIdempotencyStore } from '../../../src/domain/idempotency.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { Releases } from '../../../src/processes/releases.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { addProcess, removeProcess } from '../../support/processes.ts'
import { formOf } from '../../support/uploads.ts'

/** As though the database, or the process, went away before the answer was written down. */
const LOSE_ANSWERS = `
  create function public.lose_answer() returns trigger language plpgsql as
    $$ begin raise exception 'away' using errcode = 'admin_shutdown'; end $$;
  create trigger lose_answer before update on idempotency_keys for each row
    when (new.status is not null) execute function lose_answer()`

describe('Idempotency-Key of a load whose answer was not written down', () => {
  const app = useApp()
  const form = (content: string, fields: Record<string, string>) =>
    formOf('rows.csv', content, fields)

  async function newSource(client: TestClient, tableName: string): Promise<string> {
    const fields = { source: 'file', name: tableName, tableName }
    const { body } = await client.request('POST', '/sources', form('k\n1\n', fields))
    return body.uuid as string
  }

  /** A source with one row, and a call that appends another: by its key, once. */
  async function appending() {
    const user = await app.build.user()
    const client = app.client.as(user)
    const uuid = await newSource(client, 'appended')
    const append = (content = 'k\n2\n', headers: Record<string, string> = {}) =>
      client
        .withHeaders({ 'idempotency-key': 'append', ...headers })
        .request('POST', `/sources/${uuid}/reload`, form(content, { mode: 'append' }))
    const rowCount = async () => (await client.get(`/sources/${uuid}`)).body.rowCount as number
    return { user, client, append, rowCount }
  }

  before(() => app.database.pool.query(LOSE_ANSWERS))

  it('gives the answer that the job has kept, and adds no row a second time', async () => {
    const { append, rowCount } = await appending()
    const first = await append()
    expect(first.status, first.text).to.equal(200)
    const again = await append()
    expect(again.status, again.text).to.equal(200)
    expect(again.headers.get('idempotent-replayed')).to.equal('true')
    expect(again.body).to.deep.equal(first.body)
    expect(await rowCount()).to.equal(2)
  })

  it('refuses another body', async () => {
    const { append } = await appending()
    await append()
    const other = await append('k\n3\n')
    expect(other.status).to.equal(422)
    expect(other.body.code).to.equal('IdempotencyKeyReusedException')
  })

  it('says that it is done where the job has no answer either', async () => {
    const { user, append, rowCount } = await appending()
    await append()
    const { pool } = app.database
    await pool.query('update jobs set result = null where owner_id = $1', [user.id])
    for (const _ of ['its record is kept', 'its record is gone']) {
      const again = await append()
      expect(again.status, again.text).to.equal(409)
      expect(again.body.code).to.equal('IdempotencyAnswerLostException')
      await pool.query('delete from jobs where owner_id = $1', [user.id])
    }
    expect(await rowCount()).to.equal(2)
  })

  it('waits for the first request while that has yet to answer', async () => {
    const { user, append } = await appending()
    await append()
    await app.database.pool.query(
      `update jobs set status = 'RUNNING', sealed = true where owner_id = $1 and kind = 'source.reload'`,
      [user.id],
    )
    expect((await append()).body.code).to.equal('IdempotencyKeyInUseException')
  })

  it('is not begun a second time where the process that had published it died', async () => {
    const { user, append, rowCount } = await appending()
    const { pool } = app.database
    const first = await append()
    const { rows } = await pool.query<{ fingerprint: string; job_uuid: string }>(
      'select fingerprint, job_uuid from idempotency_keys where actor_id = $1',
      [user.id],
    )
    await pool.query('delete from idempotency_keys where actor_id = $1', [user.id])
    const dying = await addProcess(pool)
    const store = createIdempotencyStore({ pool, presence: dying, releases: new Releases() })
    const begun = await store.begin({ actorId: user.id, key: 'append' })
    if (begun.kind !== 'begun') throw new Error(`It was ${begun.kind}`)
    const { fingerprint, job_uuid: job } = rows[0]!
    await withTransaction(pool, (client) => store.carryOut(client, begun.claim, fingerprint, job))
    await store.free(begun.claim)
    await removeProcess(pool, dying)
    expect((await append()).body).to.deep.equal(first.body)
    expect(await rowCount()).to.equal(2)
  })

  it('publishes nothing for a request that has lost its key to another', async () => {
    const { user, append, rowCount } = await appending()
    await app.database.pool.query(`
      create function public.take_key() returns trigger language plpgsql as
        $$ begin update idempotency_keys set token = gen_random_uuid() where key = 'append'; return new; end $$;
      create trigger take_key before insert on loads for each row execute function take_key()`)
    const refused = await append()
    await app.database.pool.query('drop function take_key cascade')
    expect(refused.status, refused.text).to.equal(409)
    expect(refused.body.code).to.equal('IdempotencyKeyInUseException')
    expect(await rowCount()).to.equal(1)
    const { body } = await app.client.as(user).get('/jobs')
    expect(body.items[0].status).to.equal('FAILED')
  })
})

describe('Idempotency-Key of a job that is queued', () => {
  const app = useApp({ env: { WORKER: 'false' } })

  it('is answered in the transaction that queues it', async () => {
    const user = await app.build.user()
    const key = { 'idempotency-key': 'queued', prefer: 'respond-async' }
    const create = () =>
      app.client
        .as(user)
        .withHeaders(key)
        .request(
          'POST',
          '/sources',
          formOf('rows.csv', 'k\n1\n', { source: 'file', name: 'Later', tableName: 'later' }),
        )
    const first = await create()
    expect(first.status, first.text).to.equal(202)
    const { rows } = await app.database.pool.query<{ together: boolean }>(
      `select k.xmin::text = j.xmin::text as together from idempotency_keys k, jobs j
       where k.actor_id = $1 and j.owner_id = $1`,
      [user.id],
    )
    expect(rows).to.deep.equal([{ together: true }])
    const again = await create()
    expect(again.headers.get('location')).to.equal(first.headers.get('location'))
    expect(again.text).to.equal(first.text)
  })
})
