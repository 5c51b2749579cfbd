import { type ClientRequest, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { formBody } from '../../../benchmarks/support/form-body.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { DEAD_PROCESS } from '../../support/processes.ts'
import {
  created,
  createFromFile,
  footprint,
  freshTableName,
  sourceForm,
} from '../../support/sources.ts'
import { eventually } from '../../support/patience.ts'

const NOTHING = { sources: [], tables: [], parts: 0, claims: 0, objects: 0 }
const ROW = 'some text,2024-01-31,12345\n'

const FIRST_LINE = 'a,b,c\n'
const formOfTable = (tableName: string) =>
  formBody({ source: 'file', name: 'Big', tableName }, 'a.csv')

const statusOf = (sending: ClientRequest): Promise<number> =>
  new Promise((resolve) => {
    sending.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })

describe('a load that does not come to its end', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient

  beforeEach(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  // What earlier tests have left is theirs.
  afterEach(async () => {
    const { body } = await client.get('/sources?limit=100')
    for (const { uuid } of body.items) await client.delete(`/sources/${uuid}`)
  })

  async function openUpload(tableName: string, length: number | null = null) {
    const { type, head } = formOfTable(tableName)
    const sending = await openForm('/sources', type, length)
    sending.write(head + FIRST_LINE)
    return sending
  }

  async function openForm(path: string, type: string, length: number | null) {
    const sending = request(app.address + path, {
      method: 'POST',
      headers: {
        'content-type': type,
        'x-app-access-token': await client.token(),
        ...(length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
      },
    })
    sending.on('error', () => undefined)
    return sending
  }

  const noLoadRuns = async () => {
    const { rows } = await app.database.pool.query(
      `select from pg_stat_activity where datname = current_database()
         and (query ilike 'copy%' and state = 'active' or state like 'idle in transaction%')`,
    )
    expect(rows).to.have.length(0)
  }

  for (const percent of [1, 50, 99]) {
    it(`leaves nothing when the client hangs up at ${percent} %`, async () => {
      const sending = await openUpload(freshTableName())
      const chunks = Math.ceil((300 * percent) / 100)
      for (let chunk = 0; chunk < chunks; chunk++) {
        if (!sending.write(ROW.repeat(2000))) {
          await new Promise((resolve) => sending.once('drain', resolve))
        }
      }
      sending.destroy()
      await eventually(async () => {
        await noLoadRuns()
        expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(NOTHING)
      })
    })
  }

  it('is not judged on when the client of a check hangs up', async () => {
    const columns = [{ name: 'a', type: 'text', rules: [{ unique: true }] }]
    const { uuid: shapeUuid } = await created(client.post('/shapes', { name: 'Big', columns }))
    const tableName = freshTableName()
    const { uuid } = await created(createFromFile(client, 'a\nx\n', { shapeUuid, tableName }))
    const judging = async () => {
      const { rows } = await app.database.pool.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like $1`,
        [`%${tableName}%`],
      )
      return rows.length
    }
    const holder = await app.database.pool.connect()
    try {
      await holder.query(
        `begin; lock table enterprise_${admin.enterprise!.id}.${tableName} in access exclusive mode`,
      )
      const { type, head, end } = formBody({ mode: 'append' }, 'a.csv')
      const whole = Buffer.from(`${head}a\ny\n${end}`)
      const sending = await openForm(`/sources/${uuid}/check`, type, whole.length)
      sending.end(whole)
      await eventually(async () => expect(await judging()).to.equal(1))
      sending.destroy()
      await eventually(async () => expect(await judging()).to.equal(0))
    } finally {
      await holder.query('rollback')
      holder.release()
    }
  })

  it('leaves nothing when its job is cancelled', async () => {
    const sending = await openUpload(freshTableName())
    const answer = statusOf(sending)
    const pumping = { isOver: false }
    const pump = (async () => {
      while (!pumping.isOver) {
        sending.write(ROW.repeat(1000))
        await sleep(2)
      }
    })()
    let job: { uuid: string; progress: { rows: number } } | undefined
    await eventually(async () => {
      job = (await client.get('/jobs')).body.items[0]
      expect(job?.progress.rows).to.be.greaterThan(0)
    })
    const shown = (await client.get('/sources')).body.items[0]
    expect(shown.status).to.equal('LOADING')
    expect((await client.get(`/sources/${shown.uuid}/data`)).status).to.equal(409)
    expect((await client.delete(`/sources/${shown.uuid}`)).status).to.equal(409)

    expect((await client.post(`/jobs/${job!.uuid}/cancel`)).status).to.equal(202)
    await eventually(async () => {
      await noLoadRuns()
      expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(NOTHING)
    })
    pumping.isOver = true
    await pump
    sending.end()
    expect(await answer).to.equal(409)
  })

  it('leaves nothing when its job is cancelled as it comes to its end', async () => {
    const { pool } = app.database
    // However short the load is, it has been cancelled before its rows could be seen.
    await pool.query(`create function public.cancelled() returns trigger language plpgsql
      as 'begin new.cancel_requested := true; return new; end'`)
    await pool.query(`create trigger cancelled before insert on jobs
      for each row execute function cancelled()`)
    try {
      const { status, body } = await createFromFile(client, 'a\n1\n')
      expect([status, body.code]).to.deep.equal([409, 'JobCancelledException'])
    } finally {
      await pool.query('drop function cancelled cascade')
    }
    expect((await client.get('/jobs')).body.items[0].status).to.equal('CANCELLED')
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(NOTHING)
  })

  it('reports its bytes out of the length of the form, and at the end out of that of the file', async () => {
    const tableName = freshTableName()
    const { head, end } = formOfTable(tableName)
    const rows = ROW.repeat(50_000)
    const fileBytes = FIRST_LINE.length + 2 * rows.length
    const length = head.length + fileBytes + end.length
    const sending = await openUpload(tableName, length)
    const answer = statusOf(sending)
    sending.write(rows)
    await eventually(async () => {
      const [job] = (await client.get('/jobs')).body.items
      expect(job).to.include({ status: 'RUNNING' })
      expect(job.progress).to.include({ bytesTotal: length })
    })
    sending.end(rows + end)
    expect(await answer).to.equal(201)
    const [job] = (await client.get('/jobs')).body.items
    expect(job.progress).to.include({ bytesRead: fileBytes, bytesTotal: fileBytes })
  })

  it('is 503 when the database cuts its connection, and works when it is sent again', async () => {
    const tableName = freshTableName()
    const sending = await openUpload(tableName)
    const answer = statusOf(sending)
    sending.write(ROW.repeat(400_000))
    await eventually(async () => {
      const { rowCount } = await app.database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'copy%' and pid <> pg_backend_pid()`,
      )
      expect(rowCount).to.be.greaterThan(0)
    })
    sending.end(formOfTable(tableName).end)
    expect(await answer).to.equal(503)
    await eventually(async () => {
      expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(NOTHING)
    })
    await created(createFromFile(client, 'a\n1\n', { tableName }))
  })

  it('is answered 503 when its source was given to another load meanwhile, and publishes nothing', async () => {
    const tableName = freshTableName()
    const sending = await openUpload(tableName)
    const answer = statusOf(sending)
    sending.write(ROW)
    await eventually(async () => {
      const { rowCount } = await app.database.pool.query(
        `update generated_tables set lease_process = ${DEAD_PROCESS}, lease_token = gen_random_uuid()
         where current_load_id is null and enterprise_id = $1`,
        [admin.enterprise!.id],
      )
      expect(rowCount).to.equal(1)
    })
    sending.end(formOfTable(tableName).end)
    expect(await answer).to.equal(503)
    await created(createFromFile(client, 'a\n1\n', { tableName }))
    expect((await client.get('/sources')).body.total).to.equal(1)
  })

  it('leaves nothing when a late row is refused, and counts all that are wrong', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) =>
      at > 29_800 ? `${at},pas une date` : `${at},2024-01-01`,
    )
    const answer = await createFromFile(client, `n,d\n${rows.join('\n')}\n`)
    expect(answer.status).to.equal(400)
    expect(answer.body.detail).to.match(/^Invalid date format/)
    expect(answer.body.errors).to.have.length(100)
    expect(answer.body.totalErrors).to.equal(199)
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(NOTHING)
  })

  it('begins again from the stored bytes when a type turns out too narrow', async () => {
    const rows = Array.from({ length: 40_000 }, (_, at) => (at === 39_000 ? 'text' : String(at)))
    const body = await created(createFromFile(client, `n\n${rows.join('\n')}\n`))
    expect(body.report.restarts).to.equal(1)
    expect(body.columns[0].type).to.equal('text')
    expect(body.rowCount).to.equal(40_000)
  })

  it('is refused while a large upload is still being sent, and the client gets the answer', async () => {
    const tableName = freshTableName()
    await created(createFromFile(client, 'a\n1\n', { tableName }))
    const before = await footprint(app, admin.enterprise!.id)
    const answer = await createFromFile(client, `a,b,c\n${ROW.repeat(400_000)}`, { tableName })
    expect(answer.status).to.equal(409)
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
  })

  it('is cleared away when its process died, so that the same request works again', async () => {
    const tableName = freshTableName()
    // What a killed process leaves: a row under a number that nobody holds any more.
    await app.database.pool.query(
      `with taken as (
         insert into generated_tables (enterprise_id, name, lease_process, lease_token)
         values ($1, $2, ${DEAD_PROCESS}, gen_random_uuid()) returning id)
       insert into sources (enterprise_id, table_id, name, source)
       select $1, id, 'Dead', 'file' from taken`,
      [admin.enterprise!.id, tableName],
    )
    const body = await created(createFromFile(client, 'a\n1\n', { tableName }))
    expect(body.status).to.equal('READY')
    expect((await client.get('/sources')).body.total).to.equal(1)
  })

  it('does not lock a source whose reload was cut by the death of its process', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    await app.database.pool.query(
      `update generated_tables set lease_process = ${DEAD_PROCESS}, lease_token = gen_random_uuid()
       where id = (select table_id from sources where uuid = $1)`,
      [uuid],
    )
    const answer = await client.post(`/sources/${uuid}/reload`, {})
    expect(answer.status, answer.text).to.equal(200)
  })

  describe('in the background', () => {
    async function finished(content: string, tableName = freshTableName()) {
      const form = sourceForm({ source: 'file', name: 'Later', tableName }, content)
      const queued = await client
        .withHeaders({ prefer: 'respond-async' })
        .request('POST', '/sources', { content: form })
      expect(queued.status, queued.text).to.equal(202)
      let job = queued.body
      await eventually(async () => {
        job = (await client.get(`/jobs/${queued.body.uuid}`)).body
        expect(job.status).to.be.oneOf(['SUCCEEDED', 'FAILED'])
      })
      return job
    }

    it('gives the body that the synchronous call would have given', async () => {
      const job = await finished('a\n1\n2\n')
      expect(job.status, JSON.stringify(job.error)).to.equal('SUCCEEDED')
      const { uuid } = job.result
      expect((await client.get(`/sources/${uuid}`)).body).to.deep.equal(job.result)
      expect((await client.post(`/sources/${uuid}/reload`, {})).status).to.equal(200)
    })

    it('leaves nothing when the content is refused', async () => {
      const job = await finished('a,b\n1\n')
      expect(job.status).to.equal('FAILED')
      expect(job.error.code).to.equal('SourceFileMalformedException')
      // The file goes when the record says that nobody will read it again.
      await eventually(async () => {
        expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(NOTHING)
      })
    })
  })
})

describe('a load that is cancelled before any worker has taken it', () => {
  const app = useApp({ env: { WORKER: 'false' } })

  it('leaves nothing of the file that was stored for it', async () => {
    const admin = await app.build.user()
    const client = app.client.as(admin)
    const source = await created(createFromFile(client, 'a\n1\n'))
    const before = await footprint(app, admin.enterprise!.id)
    const creation = { source: 'file', name: 'Never', tableName: freshTableName() }
    const queue = async (path: string, fields: Record<string, string>) => {
      const content = sourceForm(fields, 'a\n2\n')
      const { body, status } = await client
        .withHeaders({ prefer: 'respond-async' })
        .request('POST', path, { content })
      expect(status).to.equal(202)
      return body.uuid as string
    }
    const jobs = [
      await queue('/sources', creation),
      await queue(`/sources/${source.uuid}/reload`, {}),
      await queue(`/sources/${source.uuid}/rejects`, {}),
    ]
    expect((await footprint(app, admin.enterprise!.id)).objects).to.equal(before.objects + 3)

    for (const uuid of jobs) {
      const { body } = await client.post(`/jobs/${uuid}/cancel`)
      expect(body.status).to.equal('CANCELLED')
    }
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
  })
})
