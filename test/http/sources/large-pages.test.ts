import { get } from 'node:http'

import { expect } from 'chai'

import { MiB } from '../../../pipelines/index.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { until } from '../../support/patience.ts'
import { freshTableName } from '../../support/sources.ts'
import { formOf } from '../../support/uploads.ts'

const MOST_BYTES = 16 * MiB
const LOCKED_OUT = "wait_event_type = 'Lock'"

describe('a page', () => {
  const app = useApp({ env: { STATEMENT_TIMEOUT: '5s', WORKER: 'false' } })
  let admin: Actor
  let client: ReturnType<typeof app.client.as>

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  async function load(content: string, options: object = {}) {
    const tableName = freshTableName()
    const fields = {
      source: 'file',
      name: tableName,
      tableName,
      options: JSON.stringify({ format: 'csv', ...options }),
    }
    const made = await client.request('POST', '/sources', formOf('a.csv', content, fields))
    expect(made.status, made.text).to.equal(201)
    const schema = `enterprise_${admin.enterprise!.id}`
    return { path: `/sources/${made.body.uuid}`, table: `${schema}.${tableName}` }
  }

  const rows = (count: number, cell: (row: number) => string) =>
    `a;b\n${Array.from({ length: count }, (_, row) => `${row};${cell(row)}\n`).join('')}`

  it('of shapes has at most 16 MiB, too', async () => {
    await app.database.pool.query(
      `insert into shapes (enterprise_id, name, columns)
       select $1, 'Wide', (
         select jsonb_agg(jsonb_build_object('name', lpad(n::text, 1000), 'column', 'c' || n, 'type', 'text',
           'description', repeat('x', 1000), 'aliases', '[]'::jsonb, 'rules', '[]'::jsonb))
         from generate_series(1, 1500) as n)
       from generate_series(1, 7)`,
      [admin.enterprise!.id],
    )
    const answerTo = async (query: string) => {
      const { status, body } = await client.get(`/shapes?${query}`)
      return status === 200 ? body.items.length : [status, body.limit, body.page]
    }
    expect(await answerTo('limit=5')).to.equal(5)
    expect(await answerTo('limit=7')).to.deep.equal([413, 5, 1])
    expect(await answerTo('limit=5&page=2')).to.equal(2)
    expect(await answerTo('limit=5&page=3')).to.equal(0)
  })

  it('has at most 16 MiB as it is sent, and names a limit that would do', async () => {
    const { path } = await load(rows(60, () => 'x'.repeat(MiB)))
    for (const [query, from] of [
      ['limit=60', 0],
      ['limit=30&page=2', 30],
      ['limit=60&order=desc', 0],
      ['limit=60&sort=a', 0],
    ] as const) {
      const refused = await client.get(`${path}/data?${query}`)
      expect(refused.status, query).to.equal(413)
      expect(refused.body.code).to.equal('PageTooLargeException')
      const { limit, page } = refused.body as { limit: number; page: number }
      expect((page - 1) * limit, 'the same rows').to.equal(from)
      const rest = query.replace(/limit=\d+&?/, '').replace(/page=\d+/, '')
      const taken = await client.get(`${path}/data?limit=${limit}&page=${page}&${rest}`)
      expect(taken.status).to.equal(200)
      expect(taken.body.items).to.have.length(limit)
      expect(Buffer.byteLength(taken.text)).to.be.at.most(MOST_BYTES)
    }
  })

  it('counts what control characters grow to', async () => {
    const { path } = await load(rows(4, () => 'x'.repeat(64 * 1024) + '\u0001'.repeat(MiB)))
    expect((await client.get(`${path}/data?limit=4`)).body).to.include({ limit: 2, page: 1 })
    expect((await client.get(`${path}/data?limit=2`)).status).to.equal(200)
  })

  it('points to the export where one row alone is longer', async () => {
    const { path } = await load(rows(2, (row) => 'y'.repeat(row === 1 ? 17 * MiB : 1)))
    const refused = await client.get(`${path}/data?limit=1&page=2`)
    expect(refused.status).to.equal(413)
    expect(refused.body).not.to.have.property('limit')
    expect(refused.body.detail).to.include('export')
    expect((await client.get(`${path}/data?limit=2`)).body).to.include({ limit: 1, page: 1 })
    const { text } = await client.get(`${path}/export?format=ndjson`)
    const exported = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { b: string })
    expect(exported.map(({ b }) => b)).to.deep.equal(['y', 'y'.repeat(17 * MiB)])
  })

  it('of rejects is bounded alike', async () => {
    const { path } = await load(
      rows(12, () => `"${'z'.repeat(2 * MiB)}"`).replaceAll(/^(\d+)/gm, 'no$1'),
      { columns: [{ name: 'a', type: 'number' }], onInvalid: 'skip' },
    )
    const refused = await client.get(`${path}/rejects?limit=12`)
    expect(refused.body.code, refused.text.slice(0, 200)).to.equal('PageTooLargeException')
    const { limit } = refused.body as { limit: number }
    expect((await client.get(`${path}/rejects?limit=${limit}`)).body.items).to.have.length(limit)
  })

  it('of a preview is bounded alike', async () => {
    const preview = (limit: number, content: string) =>
      client.request('POST', `/sources/preview?limit=${limit}`, formOf('a.csv', content))
    const grown = rows(4, () => 'x'.repeat(64 * 1024) + '\u0001'.repeat(MiB))
    const refused = await preview(4, grown)
    expect([refused.status, refused.body.code]).to.deep.equal([413, 'PageTooLargeException'])
    const { limit } = refused.body as { limit: number }
    expect(limit).to.equal(2)
    const shown = await preview(limit, grown)
    expect(shown.body.data).to.have.length(limit)
    expect(Buffer.byteLength(shown.text)).to.be.at.most(MOST_BYTES)
    const long = await preview(
      1,
      rows(1, () => 'y'.repeat(17 * MiB)),
    )
    expect([long.status, long.body.code]).to.deep.equal([413, 'PageTooLargeException'])
    expect(long.body).not.to.have.property('limit')
  })

  it('of changes is bounded alike, both sides together', async () => {
    const { path } = await load(rows(12, () => 'x'.repeat(MiB)))
    const grown = 'x'.repeat(64 * 1024) + '\u0001'.repeat(MiB)
    const content = rows(12, (row) => (row < 2 ? grown : 'y'.repeat(MiB)))
    const staged = await client.request(
      'POST',
      `${path}/reload`,
      formOf('a.csv', content, { publish: 'false', options: '{"format":"csv"}' }),
    )
    expect(staged.status, staged.text.slice(0, 500)).to.equal(200)
    const refused = await client.get(`${path}/changes?key=a&limit=12`)
    expect([refused.status, refused.body.code]).to.deep.equal([413, 'PageTooLargeException'])
    expect(refused.body).to.include({ limit: 2, page: 1 })
    const shown = await client.get(`${path}/changes?key=a&limit=2`)
    expect(shown.body.items).to.have.length(2)
    expect(Buffer.byteLength(shown.text)).to.be.at.most(MOST_BYTES)
    expect((await client.get(`${path}/changes?key=a&limit=2&page=3`)).status).to.equal(200)
  })

  it('is 503 after STATEMENT_TIMEOUT, and the next one works', async () => {
    const { path, table } = await load(rows(3, () => 'x'))
    const locking = await app.database.pool.connect()
    try {
      await locking.query(`begin; lock table ${table} in access exclusive mode`)
      const late = await client.get(`${path}/data`)
      expect(late.status).to.equal(503)
      expect(late.headers.get('retry-after')).to.match(/^\d+$/)
      expect(late.body.detail).to.include('STATEMENT_TIMEOUT')
      await locking.query('rollback')
    } finally {
      locking.release(true)
    }
    expect((await client.get(`${path}/data`)).status).to.equal(200)
  })
})

describe('a page whose client has left', () => {
  const app = useApp({ env: { STATEMENT_TIMEOUT: '10m', WORKER: 'false' } })

  /**
   * `waiting` tells its session from others, such as one that makes statistics of the same table. An
   * answer is a failure, and told as one: nothing would be left to wait for.
   */
  async function leave(path: string, token: string, waiting: string): Promise<void> {
    const isUnderWay = async () => {
      const { rowCount } = await app.database.pool.query(
        `select from pg_stat_activity where datname = current_database() and ${waiting}`,
      )
      return rowCount !== 0
    }
    const { promise: answered, reject } = Promise.withResolvers<never>()
    const request = get(app.address + path, { headers: { 'x-app-access-token': token } })
    request.on('error', reject).on('response', (response) => {
      reject(new Error(`${path} is answered: ${response.statusCode}`))
    })
    await Promise.race([answered, until(`${path} is under way`, isUnderWay)])
    request.destroy()
    await until(`${path} is under way no more`, async () => !(await isUnderWay()))
  }

  describe('is no longer searched for in a list', () => {
    let token: string

    before(async () => {
      token = await app.client.as(await app.build.user({ role: 'super-admin' })).token()
    })

    // Who asks is looked up in some of their tables: so these are slow instead of locked.
    it('that is searched', async () => {
      const { pool } = app.database
      const pattern = `'search_pattern'::regproc`
      const { rows } = await pool.query<{ asItWas: string }>(
        `select pg_get_functiondef(${pattern}) as "asItWas"`,
      )
      await pool.query(
        // Immutable: asked for while the statement is planned, whether there are rows or not.
        `create or replace function public.search_pattern(term text) returns text language plpgsql immutable
         as 'begin perform pg_sleep(600); return null; end'`,
      )
      try {
        for (const path of [
          '/documents',
          '/folders',
          '/folders/enterprises',
          '/enterprises',
          '/users',
          '/connections',
          '/workflows',
          '/sources',
        ])
          await leave(`${path}?search=a`, token, "wait_event = 'PgSleep'")
      } finally {
        await pool.query(rows[0]!.asItWas)
      }
    })

    it('that is not searched', async () => {
      const { client, build, database } = app
      const admin = client.as(await build.user())
      const workflow = await admin.post('/workflows', { name: 'w' })
      const folder = await build.folder()
      const locking = await database.pool.connect()
      try {
        for (const [table, path] of [
          ['folders', `/folders/${folder.uuid}/children`],
          ['jobs', '/jobs'],
          ['workflow_runs', `/workflows/${workflow.body.uuid}/runs`],
          ['personal_tokens', '/auth/tokens'],
        ] as const) {
          await locking.query(`begin; lock table ${table} in access exclusive mode`)
          await leave(path, token, `${LOCKED_OUT} and query like '%counted.total%'`)
          await locking.query('rollback')
        }
      } finally {
        locking.release(true)
      }
    })
  })

  it('is no longer read', async () => {
    const admin = await app.build.user()
    const client = app.client.as(admin)
    const tableName = freshTableName()
    const fields = { source: 'file', name: tableName, tableName }
    const made = await client.request('POST', '/sources', formOf('a.csv', 'a\n1\n', fields))
    const { pool } = app.database
    const locking = await pool.connect()
    try {
      await locking.query(
        `begin; lock table enterprise_${admin.enterprise!.id}.${tableName} in access exclusive mode`,
      )
      const waiting = `${LOCKED_OUT} and query like '%in access share mode%'`
      await leave(`/sources/${made.body.uuid}/data`, await client.token(), waiting)
      await locking.query('rollback')
    } finally {
      locking.release(true)
    }
    expect((await client.get(`/sources/${made.body.uuid}/data`)).body.total).to.equal(1)
  })
})
