import { expect } from 'chai'

import { createPool } from '../../src/db/pool.ts'
import { removeOldJobs } from '../../src/jobs/remove-old-jobs.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'

const DAY_MS = 86_400_000

describe('records of jobs', () => {
  const database = useDatabase()

  it('are removed so long after their end, in batches, and those of others stay', async () => {
    const { id } = await createFactories(() => database.pool).user()
    await database.pool.query(
      `insert into jobs (kind, owner_id, queued, status, finished_at)
       select 'old', $1, true, 'SUCCEEDED', now() - interval '3 days' from generate_series(1, 2500)`,
      [id],
    )
    await database.pool.query(
      `insert into jobs (kind, owner_id, queued, status, created_at, finished_at) values
         ('young', $1, true, 'FAILED', now(), now() - interval '1 day'),
         ('waiting', $1, true, 'QUEUED', now() - interval '9 days', null)`,
      [id],
    )
    expect(await removeOldJobs(database.pool, 2 * DAY_MS)).to.equal(2500)
    const { rows } = await database.pool.query('select kind from jobs order by kind')
    expect(rows).to.deep.equal([{ kind: 'waiting' }, { kind: 'young' }])
  })

  it('are not looked up once more by their keys, which stand in no order', async () => {
    const pool = createPool(database.url, { max: 1 })
    const lookUps = async () => {
      await pool.query('select pg_stat_force_next_flush()')
      const { rows } = await pool.query<{ scans: number }>(
        `select idx_scan::integer as scans from pg_stat_user_indexes where indexrelname = 'jobs_uuid_key'`,
      )
      return rows[0]!.scans
    }
    try {
      const { id } = await createFactories(() => pool).user()
      await pool.query(
        `insert into jobs (kind, owner_id, queued, status, finished_at)
         select 'old', $1, true, 'SUCCEEDED', now() - interval '3 days' from generate_series(1, 100)`,
        [id],
      )
      const before = await lookUps()
      expect(await removeOldJobs(pool, 2 * DAY_MS)).to.equal(100)
      expect((await lookUps()) - before).to.equal(0)
    } finally {
      await pool.end()
    }
  })

  it('are found by their end, however many there are', async () => {
    const { id } = await createFactories(() => database.pool).user()
    await database.pool.query(
      `insert into jobs (kind, owner_id, queued, status, finished_at)
       select 'many', $1, true, 'SUCCEEDED', now() - n * interval '1 minute'
       from generate_series(1, 20000) n`,
      [id],
    )
    await database.pool.query('analyze jobs')
    const { rows } = await database.pool.query<Record<string, string>>(
      `explain select id from jobs where finished_at < now() - interval '13 days'
       order by finished_at limit 1000`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).to.include('jobs_finished')
  })
})
