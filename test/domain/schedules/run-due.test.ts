import { expect } from 'chai'

import { Catalogue } from '../../../pipelines/index.ts'
import { loadMessages } from '../../../src/stack/load-messages.ts'
import { runDueSchedules } from '../../../src/domain/schedules/run-due.ts'
import { tellOfFailures } from '../../../src/domain/schedules/tell-of-failures.ts'
import { JobRecords } from '../../../src/jobs/job-records.ts'
import type { JobQueue } from '../../../src/jobs/queue.ts'
import type { Mail } from '../../../src/notifications/mailer.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'
import { addProcess } from '../../support/processes.ts'

const logger = createLogger({ level: 'silent', pretty: false })

describe('schedules that are due', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)
  let parts: Parameters<typeof runDueSchedules>[0]
  let sent: string[]

  beforeEach(async () => {
    const { pool } = database
    sent = []
    const queue = {
      send: async (_client: unknown, job: string) => void sent.push(job),
    } as unknown as JobQueue
    parts = { pool, records: new JobRecords(pool, await addProcess(pool)), queue, logger }
  })

  /** The id of a source whose schedule has been due for so long. */
  async function scheduled(dueSince = '1 minute'): Promise<number> {
    const { id: userId, enterprise } = await build.user()
    const { rows } = await database.pool.query<{ id: number }>(
      `with made as (
         insert into generated_tables (enterprise_id, name) values ($1, 't') returning id)
       insert into sources (enterprise_id, table_id, name, source, created_by)
       select $1, id, 'Réponses', 'api', $2 from made returning id`,
      [enterprise!.id, userId],
    )
    await database.pool.query(
      `insert into source_schedules (source_id, cron, timezone, publish, max_rows_lost_percent, next_run_at)
       values ($1, '*/5 * * * *', 'UTC', true, 50, now() - $2::interval)`,
      [rows[0]!.id, dueSince],
    )
    return rows[0]!.id
  }
  const stateOf = async (id: number) => {
    const { rows } = await database.pool.query<{
      job_uuid: string
      is_running: boolean
      failures: number
      is_due: boolean
      is_told: boolean
    }>(
      `select job_uuid, is_running, failures, next_run_at <= now() as is_due,
              notice_at is null as is_told
       from source_schedules where source_id = $1`,
      [id],
    )
    return rows[0]!
  }
  const makeDue = (id: number) =>
    database.pool.query(
      `update source_schedules set next_run_at = now() - interval '1 minute' where source_id = $1`,
      [id],
    )
  const end = (job: string, status: string) =>
    database.pool.query(
      'update jobs set status = $2, finished_at = now(), error = $3 where uuid = $1',
      [job, status, { detail: loadMessages.notKept() }],
    )
  const endRun = async (id: number, status: string) => {
    await end((await stateOf(id)).job_uuid, status)
    await runDueSchedules(parts)
  }

  it('are run once, however many look and however often their time has gone by', async () => {
    const id = await scheduled('30 days')
    await Promise.all(Array.from({ length: 12 }, () => runDueSchedules(parts)))
    expect(sent).to.have.length(1)
    const state = await stateOf(id)
    expect(state).to.include({ job_uuid: sent[0], is_running: true, is_due: false })
  })

  it('are left out while the last run goes on, and run when it is over', async () => {
    const id = await scheduled()
    await runDueSchedules(parts)
    await makeDue(id)
    await runDueSchedules(parts)
    expect(sent).to.have.length(1)
    expect(await stateOf(id)).to.include({ is_running: true, is_due: false })
    await makeDue(id)
    await endRun(id, 'SUCCEEDED')
    expect(sent).to.have.length(2)
  })

  it('count failures until a run succeeds; one that was cancelled is neither', async () => {
    const id = await scheduled()
    await runDueSchedules(parts)
    const failures: number[] = []
    for (const status of ['FAILED', 'CANCELLED', 'FAILED', 'SUCCEEDED', 'FAILED']) {
      await endRun(id, status)
      failures.push((await stateOf(id)).failures)
      await makeDue(id)
      await runDueSchedules(parts)
    }
    expect(failures).to.deep.equal([1, 1, 2, 0, 1])
  })

  it('go on when the record of the last run’s job is gone', async () => {
    const id = await scheduled()
    await runDueSchedules(parts)
    await database.pool.query('delete from jobs')
    await makeDue(id)
    await runDueSchedules(parts)
    expect(sent).to.have.length(2)
  })

  it('leave nothing behind when the queue refuses the run, and stay due', async () => {
    const id = await scheduled()
    const queue = {
      send: async () => {
        throw new Error('The queue is away')
      },
    } as unknown as JobQueue
    const failure = await runDueSchedules({ ...parts, queue }).catch((error: Error) => error)
    expect(failure).to.be.instanceOf(Error)
    expect(await stateOf(id)).to.include({ is_running: false, is_due: true, job_uuid: null })
    await runDueSchedules(parts)
    expect(sent).to.have.length(1)
  })

  it('are started even if an earlier one cannot be, because its time zone is unknown here', async () => {
    const [unknown, other] = [await scheduled('2 minutes'), await scheduled()]
    await database.pool.query(
      `update source_schedules set timezone = 'Mars/Olympus' where source_id = $1`,
      [unknown],
    )
    const swept = runDueSchedules(parts).then(
      () => 'nothing',
      () => 'a failure',
    )
    expect(await swept, 'what the log is told of').to.equal('a failure')
    expect(await stateOf(unknown)).to.include({ job_uuid: null, is_due: true })
    expect(await stateOf(other)).to.include({ job_uuid: sent[0], is_due: false })
    await database.pool.query('delete from source_schedules where source_id = $1', [unknown])
  })

  it('that fail three times are told once, also where the mail is away for a while', async () => {
    const id = await scheduled()
    const mails: Mail[] = []
    let isAway = true
    const mailer = {
      send: async (mail: Mail) => {
        if (isAway) throw new Error('away')
        mails.push(mail)
      },
      check: async () => undefined,
      close: async () => undefined,
    }
    const catalogue = new Catalogue([loadMessages])
    const tell = () =>
      tellOfFailures({ pool: database.pool, mailer, logger, catalogue, language: 'fr' })
    await runDueSchedules(parts)
    for (let failure = 1; failure <= 3; failure++) {
      await tell()
      expect((await stateOf(id)).is_told).to.equal(true)
      await endRun(id, 'FAILED')
      await makeDue(id)
      await runDueSchedules(parts)
    }
    await tell()
    expect((await stateOf(id)).is_told, 'the mail is away').to.equal(false)
    isAway = false
    await tell()
    expect(mails, 'not before its time').to.have.length(0)
    await database.pool.query(
      `update source_schedules set notice_at = '-infinity' where source_id = $1`,
      [id],
    )
    await Promise.all([tell(), tell(), tell()])
    expect(mails).to.have.length(1)
    expect(mails[0]!.subject).to.equal('Chargements planifiés en échec\u00a0: Réponses')
    expect(mails[0]!.text).to.include(loadMessages.notKept().in('fr'))
    expect((await stateOf(id)).is_told).to.equal(true)
  })
})
