import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useAppWithForms } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { startFormServer } from '../../support/form-server.ts'
import { found } from '../../support/patience.ts'
import { created, createFromFile, freshTableName } from '../../support/sources.ts'

const YEARLY = '0 0 1 1 *'

describe('a schedule of a source', () => {
  // What is due is looked for with each beat.
  const { app, forms } = useAppWithForms(startFormServer, { JOB_HEARTBEAT: '100ms' })

  let admin: Actor
  let client: TestClient
  let connectionUuid: string

  beforeEach(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
    const { url: baseUrl, apiKey } = forms()
    const connection = await client.post('/connections', { name: 'Forms', baseUrl, apiKey })
    connectionUuid = connection.body.uuid
  })

  /** A source of a form whose answers the test changes. */
  const madeFrom = async (...answers: string[]) => {
    const rows = answers.map((answer) => [answer])
    const labels = ['Answer']
    const formUuid = forms().add({ labels, rows })
    const { uuid } = await created(
      client.post('/sources', {
        source: 'api',
        name: 'Form',
        tableName: freshTableName(),
        connectionUuid,
        apiResourceType: 'form',
        formUuid,
      }),
    )
    return { uuid: uuid as string, rows, labels }
  }
  const put = (uuid: string, body: unknown) =>
    client.request('PUT', `/sources/${uuid}/schedule`, {
      content: JSON.stringify(body),
      type: 'application/json',
    })
  const set = async (uuid: string, body: Record<string, unknown> = {}) => {
    const answer = await put(uuid, { cron: YEARLY, ...body })
    expect(answer.status, answer.text).to.equal(200)
    return answer.body
  }
  const show = async (uuid: string) => (await client.get(`/sources/${uuid}/schedule`)).body
  const idOf = `(select id from sources where uuid = $1)`
  /** As if its time had come, and gone by for days. */
  const makeDue = (uuid: string) =>
    app.database.pool.query(
      `update source_schedules set next_run_at = now() - interval '3 days' where source_id = ${idOf}`,
      [uuid],
    )
  /** The run after the one that is given: how it ended, once that is counted. */
  const runAfter = async (uuid: string, last: string | null = null) =>
    found('a run that has ended', async () => {
      // Looked at with the next heartbeat, and not a second after it was last.
      await app.database.pool.query(
        `update sweeps set due_at = '-infinity' where name = 'schedules'`,
      )
      const schedule = await show(uuid)
      const { rows } = await app.database.pool.query<{ isRunning: boolean }>(
        `select is_running as "isRunning" from source_schedules where source_id = ${idOf}`,
        [uuid],
      )
      const isOver = schedule.lastRun !== null && schedule.lastRun.finishedAt !== null
      if (!isOver || rows[0]!.isRunning || schedule.lastRun.job === last) return null
      return show(uuid)
    })
  const run = async (uuid: string) => {
    const { lastRun } = await show(uuid)
    await makeDue(uuid)
    return runAfter(uuid, lastRun?.job ?? null)
  }
  const loadsOf = async (uuid: string) => (await client.get(`/sources/${uuid}/loads`)).body.items
  const rowCountOf = async (uuid: string) => (await client.get(`/sources/${uuid}`)).body.rowCount

  it('is set, shown, replaced and deleted', async () => {
    const { uuid } = await madeFrom('a')
    expect((await client.get(`/sources/${uuid}/schedule`)).status).to.equal(404)
    const schedule = await set(uuid, { cron: '0 6 * * 1-5', timezone: 'Europe/Paris' })
    expect(schedule).to.include({
      cron: '0 6 * * 1-5',
      timezone: 'Europe/Paris',
      publish: true,
      maxRowsLostPercent: 50,
      lastRun: null,
      failures: 0,
    })
    expect(Date.parse(schedule.nextRunAt)).to.be.greaterThan(Date.now())
    expect(await show(uuid)).to.deep.equal(schedule)
    const replaced = await set(uuid, { publish: false, maxRowsLostPercent: 0 })
    expect(replaced).to.include({ cron: YEARLY, timezone: 'UTC', publish: false })
    expect((await client.delete(`/sources/${uuid}/schedule`)).status).to.equal(200)
    const gone = await client.delete(`/sources/${uuid}/schedule`)
    expect([gone.status, gone.body.code]).to.deep.equal([404, 'SourceScheduleNotFoundException'])
  })

  it('is refused to a source of a file, with wrong times, and to others', async () => {
    const file = await created(createFromFile(client, 'v\n1\n'))
    const refused = await put(file.uuid, { cron: YEARLY })
    expect([refused.status, refused.body.code]).to.deep.equal([
      400,
      'SourceScheduleUnsupportedException',
    ])
    const { uuid } = await madeFrom('a')
    for (const [body, pointer] of [
      [{ cron: '* * *' }, '/cron'],
      [{ cron: YEARLY, timezone: 'Mars/Olympus' }, '/timezone'],
      [{ cron: YEARLY, maxRowsLostPercent: 101 }, '/maxRowsLostPercent'],
      [{ timezone: 'UTC' }, '/cron'],
    ] as const) {
      const answer = await put(uuid, body)
      expect(answer.status, answer.text).to.equal(400)
      expect(answer.body.errors[0].pointer).to.equal(pointer)
    }
    const other = app.client.as(await app.build.user())
    expect((await other.get(`/sources/${uuid}/schedule`)).status).to.equal(404)
  })

  it('is refused to a source whose connection was deleted', async () => {
    const { uuid } = await madeFrom('a')
    expect((await client.delete(`/connections/${connectionUuid}`)).status).to.equal(200)
    const refused = await put(uuid, { cron: YEARLY })
    expect([refused.status, refused.body.code]).to.deep.equal([
      404,
      'ApiConnectionNotFoundException',
    ])
    expect((await client.get(`/sources/${uuid}/schedule`)).status).to.equal(404)
  })

  it('loads the source when it is due, once for all the times that have gone by', async () => {
    const { uuid, rows } = await madeFrom('a', 'b')
    await set(uuid)
    rows.push(['c'])
    const schedule = await run(uuid)
    expect(schedule.lastRun.status).to.equal('SUCCEEDED')
    expect(Date.parse(schedule.nextRunAt)).to.be.greaterThan(Date.now())
    expect(await rowCountOf(uuid)).to.equal(3)
    const [last, first] = await loadsOf(uuid)
    expect(last).to.include({ kind: 'schedule', mode: 'replace', state: 'current' })
    expect(last.loadedBy.uuid).to.equal(admin.uuid)
    expect(first.kind).to.equal('creation')
    const job = await client.get(`/jobs/${schedule.lastRun.job}`)
    expect(job.body).to.include({ kind: 'source.schedule', status: 'SUCCEEDED' })
    expect(job.body.result.rowCount).to.equal(3)
  })

  it('leaves what is not to be published staged', async () => {
    const { uuid, rows } = await madeFrom('a')
    await set(uuid, { publish: false })
    rows.push(['b'])
    await run(uuid)
    expect(await rowCountOf(uuid)).to.equal(1)
    expect((await loadsOf(uuid))[0]).to.include({ kind: 'schedule', state: 'staged' })
    expect((await client.get(`/sources/${uuid}/changes`)).body).to.include({ added: 1 })
  })

  it('leaves staged what would lose too many rows, and says so', async () => {
    const { uuid, rows } = await madeFrom('a', 'b', 'c', 'd')
    await set(uuid)
    rows.splice(0, 2)
    await run(uuid)
    expect(await rowCountOf(uuid), 'half of them').to.equal(2)
    rows.splice(0, 2, ['e'])
    await set(uuid, { maxRowsLostPercent: 49 })
    const { lastRun } = await run(uuid)
    expect(lastRun.status).to.equal('SUCCEEDED')
    expect(await rowCountOf(uuid)).to.equal(2)
    const [load] = await loadsOf(uuid)
    expect(load).to.include({ kind: 'schedule', state: 'staged' })
    expect(JSON.stringify(load.report.warnings)).to.match(
      /stays staged: it has 1 row in the place of 2 rows/,
    )
    const published = await client.post(`/sources/${uuid}/loads/${load.uuid}/publish`)
    expect(published.status, published.text).to.equal(200)
    expect(await rowCountOf(uuid)).to.equal(1)
  })

  it('leaves staged what only people can explain, and says so', async () => {
    const { uuid, labels } = await madeFrom('a')
    await set(uuid)
    labels[0] = 'Reply'
    const { lastRun } = await run(uuid)
    expect(lastRun.status).to.equal('SUCCEEDED')
    const [load] = await loadsOf(uuid)
    expect(load).to.include({ kind: 'schedule', state: 'staged' })
    expect(load.questions[0]).to.include({ kind: 'renamed', header: 'Reply', column: 'Answer' })
    expect(load.report.warnings).to.deep.equal([
      {
        code: 'questions',
        message: 'The load stays staged: 1 question has to be answered before it is published.',
      },
    ])
    const published = await client.post(`/sources/${uuid}/loads/${load.uuid}/publish`, {
      mapping: { Reply: 'Answer' },
    })
    expect(published.status, published.text).to.equal(200)
    labels[0] = 'REPLY'
    await run(uuid)
    expect((await loadsOf(uuid))[0]).to.include({ kind: 'schedule', state: 'current' })
  })

  it('fails and says so when the creator may no longer load the source', async () => {
    const { uuid } = await madeFrom('a')
    await set(uuid)
    const failWith = async (change: string) => {
      await app.database.pool.query(`update users set ${change} where id = $1`, [admin.id])
      await makeDue(uuid)
      const job = await found('a failed run', async () => {
        const { rows } = await app.database.pool.query<{ code: string }>(
          `select j.error ->> 'code' as code from source_schedules s join jobs j on j.uuid = s.job_uuid
           where s.source_id = ${idOf} and not s.is_running and j.status = 'FAILED'`,
          [uuid],
        )
        return rows[0] ?? null
      })
      await app.database.pool.query(
        `update users set disabled_at = null, role_type = 'admin', enterprise_id = $2 where id = $1`,
        [admin.id, admin.enterprise!.id],
      )
      await app.database.pool.query(
        `update source_schedules set job_uuid = null where source_id = ${idOf}`,
        [uuid],
      )
      return job.code
    }
    expect(await failWith('disabled_at = now()')).to.equal('RightsLostException')
    expect(await failWith(`role_type = 'client'`)).to.equal('RightsLostException')
    const { id } = await app.build.enterprise()
    expect(await failWith(`enterprise_id = ${id}`)).to.equal('RightsLostException')
    expect(await show(uuid)).to.include({ failures: 3 })
    expect(await rowCountOf(uuid)).to.equal(1)
  })

  it('tells its creator of three failures in a row, and again after a success and three more', async () => {
    const { uuid, rows } = await madeFrom('a')
    await set(uuid)
    const mails = async () => {
      const folder = join(app.dataDir, 'outbox')
      const names = await readdir(folder).catch(() => [])
      const all = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
      return all.filter((mail) => mail.includes(admin.email))
    }
    const breakConnection = (status: string) =>
      app.database.pool.query('update connections set status = $2 where uuid = $1', [
        connectionUuid,
        status,
      ])
    for (let round = 1; round <= 2; round++) {
      await breakConnection('ERROR')
      for (let failure = 1; failure <= 4; failure++) {
        expect(await run(uuid)).to.include({ failures: failure })
        if (failure === 2) expect(await mails()).to.have.length(round - 1)
      }
      const told = await found('the mail', async () => {
        const sent = await mails()
        return sent.length === round ? sent : null
      })
      expect(told[0]).to.include('Auto-Submitted: auto-generated')
      await breakConnection('ACTIVE')
      rows.push(['b'])
      expect(await run(uuid)).to.include({ failures: 0 })
    }
    expect(await mails()).to.have.length(2)
    const kinds = (await loadsOf(uuid)).map(({ kind, state }: Record<string, string>) => [
      kind,
      state,
    ])
    expect(kinds.slice(0, 2)).to.deep.equal([
      ['schedule', 'current'],
      ['schedule', 'failed'],
    ])
  })
})
