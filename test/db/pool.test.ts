import { expect } from 'chai'

import { createPool } from '../../src/db/pool.ts'
import { textTypes } from '../../src/db/type-parsers.ts'
import { useDatabase } from '../support/database.ts'
import { until } from '../support/patience.ts'

describe('createPool and createKnex', () => {
  const database = useDatabase()

  const SAMPLE = `select 9007199254740991::bigint as big, count(*) as count,
    date '2024-02-29' as day, timestamp '2024-02-29 10:00' as moment,
    timestamptz '2024-02-29 10:00:00.123+02' as instant, 1.10::numeric as exact`

  const EXPECTED = {
    big: 9007199254740991,
    count: 1,
    day: '2024-02-29',
    moment: '2024-02-29 10:00:00',
    instant: new Date('2024-02-29T08:00:00.123Z'),
    exact: '1.10',
  }

  it('give integers as numbers, days as text and instants as dates, both alike', async () => {
    const { rows } = await database.pool.query(SAMPLE)
    expect(rows).to.deep.equal([EXPECTED])
    const viaKnex = await database.knex.raw<{ rows: unknown[] }>(SAMPLE)
    expect(viaKnex.rows).to.deep.equal([EXPECTED])
  })

  it('refuse an integer that a number cannot hold, rather than change it', async () => {
    const error = await database.pool.query('select 9007199254740993::bigint').catch(String)
    expect(error).to.match(/9007199254740993 is past/)
  })

  it('give values as the text they are stored as, where that is asked for', async () => {
    const { rows } = await database.pool.query({
      text: 'select 9007199254740993::bigint as big, true as yes, null as none',
      types: textTypes,
    })
    expect(rows).to.deep.equal([{ big: '9007199254740993', yes: 't', none: null }])
  })

  it('cut days from instants in UTC', async () => {
    const sql = "select (timestamptz '2024-01-01 00:30+02')::date as day"
    expect((await database.pool.query(sql)).rows).to.deep.equal([{ day: '2023-12-31' }])
    const viaKnex = await database.knex.raw<{ rows: unknown[] }>(sql)
    expect(viaKnex.rows).to.deep.equal([{ day: '2023-12-31' }])
  })

  it('find the tables of the service, whatever temporary ones a session has', async () => {
    const pool = createPool(database.url, { max: 1 })
    try {
      await pool.query('create temporary table users as select 1 as uuid')
      const { rows } = await pool.query(
        "select 'users'::regclass = 'public.users'::regclass as ours",
      )
      expect(rows).to.deep.equal([{ ours: true }])
    } finally {
      await pool.end()
    }
  })

  it('have the server notice within half a minute that their machine is gone', async () => {
    const { rows } = await database.pool.query<{ idle: string; interval: string; count: string }>(
      `select current_setting('tcp_keepalives_idle') as idle,
              current_setting('tcp_keepalives_interval') as interval,
              current_setting('tcp_keepalives_count') as count`,
    )
    const { idle, interval, count } = rows[0]!
    expect(Number(idle) + Number(interval) * Number(count)).to.be.within(1, 30)
  })

  it('outlive the loss of an idle connection, and report it', async () => {
    const lost: Error[] = []
    const pool = createPool(database.url, { max: 1, onIdleError: (error) => lost.push(error) })
    try {
      const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      await until('it is reported', () => lost.length > 0)
      expect((await pool.query('select 1 as one')).rows).to.deep.equal([{ one: 1 }])
    } finally {
      await pool.end()
    }
  })
})
