import { expect } from 'chai'
import type { ClientBase } from 'pg'

import { dropStaged, removeOldLoads, sweepStates } from '../../../src/stack/keep/keep-states.ts'
import { forgetRejects } from '../../../src/stack/fill/rejects.ts'
import { inTransaction } from '../../../src/db/transaction.ts'
import { dropUnreferenced } from '../../../src/stack/keep/forget.ts'
import type { Ingest } from '../../../src/domain/ingest/ingest.ts'
import type { LoadsParts } from '../../../src/stack/fill/run-load.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { loadsParts } from '../../support/loads.ts'
import { eventually } from '../../support/patience.ts'
import { DEAD_PROCESS } from '../../support/processes.ts'
import { created, createFromFile, reloadWith, rowsOfSource } from '../../support/sources.ts'

const DAY_MS = 86_400_000
const logger = createLogger({ level: 'silent', pretty: false })

describe('the sweeps of loads', () => {
  const app = useApp()
  let client: TestClient
  let schema: string
  let parts: LoadsParts
  before(async () => {
    const admin = await app.build.user()
    client = app.client.as(admin)
    schema = `enterprise_${admin.enterprise!.id}`
    parts = {
      ...(await loadsParts(app.database.pool, {} as Ingest)),
      uploads: { discard: async () => undefined } as unknown as LoadsParts['uploads'],
    }
  })
  const reload = reloadWith(() => client)
  const rows = rowsOfSource(() => client)
  const states = async (uuid: string): Promise<string[]> => {
    const { body } = await client.get(`/sources/${uuid}/loads`)
    return body.items.map(({ number, state }: Record<string, unknown>) => `${number} ${state}`)
  }
  const keep = async (uuid: string, keepLoads: number) => {
    const { status, text } = await client.patch(`/sources/${uuid}`, { keepLoads })
    expect(status, text).to.equal(200)
  }
  const codeOf = ({ status, body }: TestResponse) => [status, body.code]
  const CONFLICT = [409, 'SourceLoadConflictException']

  /** Loaded beside what is shown, with a reject. */
  async function stage(uuid: string): Promise<string> {
    const columns = [{ name: 'v', type: 'number' }]
    const { status, body, text } = await reload(uuid, 'v\n7\nnone\n', {
      publish: 'false',
      options: { onInvalid: 'skip', columns },
    })
    expect(status, text).to.equal(200)
    expect(body.state).to.equal('staged')
    return body.uuid
  }

  async function rejectsOf(uuid: string): Promise<string> {
    const { rows: found } = await app.database.pool.query<{ rejects: string }>(
      `select format('%s_loads.rejects_%s', $2::text, table_id) as rejects from sources where uuid = $1`,
      [uuid, schema],
    )
    return found[0]!.rejects
  }

  /** A table that a sweep of the service is at work on is left to it. */
  const untilForgotten = (rejects: string, andThen?: () => Promise<unknown>) =>
    eventually(async () => {
      await sweepStates(parts)
      expect((await app.database.pool.query(`select from ${rejects}`)).rowCount).to.equal(0)
      await andThen?.()
    })

  /** All that any sweep does with loads, as if everything were old enough. */
  async function sweepAll(): Promise<void> {
    const { pool } = app.database
    await dropStaged(pool, 0)
    await dropUnreferenced({ pool, logger })
    await sweepStates(parts)
    await parts.leases.sweep()
    await removeOldLoads(pool, 0)
  }

  it('keep the record of each until long after nothing of the load is left and no other builds on it', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    await keep(uuid, 1)
    await reload(uuid, 'v\n2\n')
    const options = JSON.stringify({ columns: [{ name: 'v', type: 'number' }] })
    const refused = await reload(uuid, 'v\nnone\n', { options })
    expect(refused.status, refused.text).to.be.within(400, 499)
    await reload(uuid, 'v\n3\n')
    await reload(uuid, 'v\n4\n')
    expect(await states(uuid)).to.deep.equal([
      '5 current',
      '4 kept',
      '3 failed',
      '2 gone',
      '1 gone',
    ])

    expect(await removeOldLoads(app.database.pool, 2 * DAY_MS)).to.equal(0)
    await app.database.pool.query(`update loads set finished_at = finished_at - interval '3 days'`)
    expect(await removeOldLoads(app.database.pool, 2 * DAY_MS)).to.be.greaterThan(0)
    const left = await states(uuid)
    expect(left.slice(0, 2)).to.deep.equal(['5 current', '4 kept'])
    expect(left).not.to.include('3 failed')

    // What is left works on.
    expect((await client.post(`/sources/${uuid}/rollback`)).status).to.equal(200)
    expect(await rows(uuid)).to.deep.equal([{ v: 3 }])
    await reload(uuid, 'v\n5\n', { mode: 'append' })
    expect(await rows(uuid)).to.deep.equal([{ v: 3 }, { v: 5 }])
  })

  it('forget what has expired of other tables where one has rejects that others have changed', async () => {
    const { pool } = app.database
    const others = await created(createFromFile(client, 'v\n1\n'))
    await stage(others.uuid)
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    await stage(uuid)
    await reload(uuid, 'v\n2\n')
    const rejects = await rejectsOf(others.uuid)
    await pool.query(`alter table ${rejects} rename column load to changed`)
    await pool.query(
      `update generated_tables set keep_loads = 0, forgetting_due = true
       where id in (select table_id from sources where uuid = any ($1))`,
      [[others.uuid, uuid]],
    )
    await sweepStates(parts).then(
      () => expect.fail('what others have changed cannot be swept'),
      (error: unknown) => expect(error).to.be.instanceOf(Error),
    )
    // A table that a sweep of the service is at work on is left to it.
    await eventually(async () => {
      await dropStaged(pool, 0)
      expect(await states(uuid)).to.deep.equal(['3 current', '2 gone', '1 gone'])
      expect(await states(others.uuid)).to.deep.equal(['2 gone', '1 current'])
    })
    await pool.query(`alter table ${rejects} rename column changed to load`)
    await untilForgotten(rejects)
  })

  it('let a table be loaded while rejects that nobody can see any more are deleted', async () => {
    const { pool } = app.database
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    await keep(uuid, 1)
    const options = { onInvalid: 'skip', columns: [{ name: 'v', type: 'number' }] }
    await reload(uuid, 'v\n2\nnone\n', { options })
    await reload(uuid, 'v\n3\n')
    const rejects = await rejectsOf(uuid)
    const held = await holdLocks(pool, `select from ${rejects} for update`)
    await keep(uuid, 0)
    const swept = sweepStates(parts)
    await held.isRowWaitedFor()
    await eventually(async () => expect((await reload(uuid, 'v\n4\n')).status).to.equal(200))
    await held.release()
    await swept
    await untilForgotten(rejects)
  })

  it('read rejects as a whole once, in however many parts they are deleted', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    await stage(uuid)
    const rejects = await rejectsOf(uuid)
    await app.database.pool.query(
      `insert into ${rejects} (load, "row", message, raw)
       select -1, n, 'is no number', '{}' from generate_series(1, 45000) n`,
    )
    await app.database.pool.query(`analyze ${rejects}`)
    const [, enterpriseId, id] = /^enterprise_(\d+)_loads\.rejects_(\d+)$/
      .exec(rejects)!
      .map(Number)
    const one = await app.database.pool.connect()
    try {
      const before = await wholeReads(one, rejects)
      const table = { id: id!, enterpriseId: enterpriseId! }
      await forgetRejects((work) => inTransaction(one, () => work(one)), table)
      expect((await wholeReads(one, rejects)) - before).to.be.at.most(1)
      const { rows: left } = await one.query(`select load > 0 as real from ${rejects}`)
      expect(left).to.deep.equal([{ real: true }])
    } finally {
      one.release()
    }
  })

  it('mark the table of an expired load until its rejects are deleted', async () => {
    const { pool } = app.database
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    await stage(uuid)
    const rejects = await rejectsOf(uuid)
    const isMarked = async () =>
      (
        await pool.query(
          `select from generated_tables where forgetting_due
             and id = (select table_id from sources where uuid = $1)`,
          [uuid],
        )
      ).rowCount === 1
    const held = await holdLocks(pool, `select from ${rejects} for update`)
    await dropStaged(pool, 0)
    await eventually(async () => expect(await isMarked()).to.equal(true))
    await held.release()
    await untilForgotten(rejects, async () => expect(await isMarked()).to.equal(false))
  })

  it('come before a publication, dropping or comparison of the same staged load, which is refused then', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    const { pool } = app.database
    const changes: Readonly<Record<string, (load: string) => Promise<TestResponse>>> = {
      published: (load) => client.post(`/sources/${uuid}/loads/${load}/publish`),
      dropped: (load) => client.delete(`/sources/${uuid}/loads/${load}`),
    }
    for (const change of Object.values(changes)) {
      const load = await stage(uuid)
      const held = await holdLocks(pool, 'lock table object_claims in share mode')
      const swept = dropStaged(pool, 0)
      await held.isWaitedFor('object_claims', 'insert')
      const answer = change(load)
      await held.isRowWaitedFor()
      await held.release()
      await swept
      expect(codeOf(await answer)).to.deep.equal(CONFLICT)
    }

    const load = await stage(uuid)
    const { rows: found } = await pool.query<Record<'id' | 'partition' | 'rejects', string>>(
      `select t.id, format('%s_loads.%I', $2::text, t.name) as partition,
              format('%s_loads.%I', $2::text, 'rejects_' || t.table_id) as rejects
       from loads l join load_tables t on t.id = l.partition_id where l.uuid = $1`,
      [load, schema],
    )
    const [{ id, partition, rejects }] = found as [(typeof found)[0]]
    const held = await holdLocks(pool, `lock table ${partition} in access exclusive mode`)
    const compared = client.get(`/sources/${uuid}/changes`)
    await held.isWaitedFor(partition)
    await dropStaged(pool, 0)
    // As the sweep does next, for which the lock is not free.
    await held.run(`delete from load_tables where id = ${id}; drop table ${partition}`)
    await held.release()
    expect(codeOf(await compared)).to.deep.equal(CONFLICT)

    await sweepStates(parts)
    expect((await pool.query(`select from ${rejects}`)).rowCount).to.equal(0)
    expect(await rows(uuid)).to.deep.equal([{ v: 1 }])
  })

  it('leave alone what a load, a publication or a rollback under way needs', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'v\n1\n'))
    const { pool } = app.database
    const table = `${schema}.${tableName}`
    await keep(uuid, 0)
    const staged = await stage(uuid)

    // How many states are kept is said while rows are loaded: their publication goes by it.
    const loading = await holdLocks(pool, 'lock table load_tables in share mode')
    const loaded = reload(uuid, 'v\n2\n')
    await loading.isWaitedFor('load_tables', 'insert')
    await keep(uuid, 3)
    await sweepAll()
    await loading.release()
    expect((await loaded).status).to.equal(200)
    expect(await states(uuid)).to.deep.equal(['3 current', '2 staged', '1 kept'])

    // And while somebody who reads keeps a publication from its end: then the sweep goes by it.
    const reading = await holdLocks(pool, `lock table ${table} in access share mode`)
    const published = client.post(`/sources/${uuid}/loads/${staged}/publish`)
    await reading.isWaitedFor(table)
    await sweepAll()
    await reading.release()
    expect((await published).status).to.equal(200)
    expect(await states(uuid)).to.deep.equal(['3 kept', '2 current', '1 kept'])

    const readingAgain = await holdLocks(pool, `lock table ${table} in access share mode`)
    const back = client.post(`/sources/${uuid}/rollback`)
    await readingAgain.isWaitedFor(table)
    await keep(uuid, 1)
    await sweepAll()
    await readingAgain.release()
    expect((await back).status).to.equal(200)
    expect(await rows(uuid)).to.deep.equal([{ v: 2 }])
    await eventually(async () => {
      await sweepAll()
      expect(await states(uuid)).to.deep.equal(['4 current', '3 current', '2 kept'])
    })
    expect((await client.post(`/sources/${uuid}/rollback`)).status).to.equal(200)
    expect(await rows(uuid)).to.deep.equal([{ v: 7 }])
  })

  it('take what is left of a load whose process counts as dead, which is answered 503', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    const { pool } = app.database
    const loading = await holdLocks(pool, 'lock table load_tables in share mode')
    const answer = reload(uuid, 'v\n2\n')
    await loading.isWaitedFor('load_tables', 'insert')
    // Its upload has its claim by now; the load comes to a stop where it takes that over.
    const publishing = await holdLocks(pool, 'lock table object_claims in share mode')
    await loading.release()
    await publishing.isWaitedFor('object_claims', 'and not sweeping')
    await pool.query(
      `update generated_tables set lease_process = ${DEAD_PROCESS}
       where id = (select table_id from sources where uuid = $1)`,
      [uuid],
    )
    await sweepAll()
    await publishing.release()
    expect(codeOf(await answer)).to.deep.equal([503, 'ServiceUnavailableException'])
    expect(await rows(uuid)).to.deep.equal([{ v: 1 }])
    expect((await reload(uuid, 'v\n3\n')).status).to.equal(200)
    expect(await rows(uuid)).to.deep.equal([{ v: 3 }])
  })
})

/** How often a table was read from end to end, as far as this connection knows. */
async function wholeReads(client: ClientBase, table: string): Promise<number> {
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query<{ count: number }>(
    'select seq_scan::integer as count from pg_stat_user_tables where relid = $1::regclass',
    [table],
  )
  return rows[0]!.count
}
