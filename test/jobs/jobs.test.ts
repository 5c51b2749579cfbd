import { once } from 'node:events'

import { expect } from 'chai'

import type { Actor } from '../../src/domain/actor.ts'
import { DatabaseUnavailableError } from '../../src/db/database-errors.ts'
import { type SchemaWatch, watchSchema } from '../../src/db/later-schema.ts'
import { createPool } from '../../src/db/pool.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import {
  fieldMessages,
  invalidField,
  JobAlreadyFinishedException,
  JobCancelledException,
  ServiceUnavailableException,
} from '../../src/errors/index.ts'
import { toProblem } from '../../src/errors/to-problem.ts'
import { type JobContext, NO_PROGRESS } from '../../src/jobs/job.ts'
import { firstRun, JobRecords, type JobRun } from '../../src/jobs/job-records.ts'
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts'
import type { KindOfWork } from '../../src/jobs/kind-of-work.ts'
import { type JobQueue, openJobQueue } from '../../src/jobs/queue.ts'
import { createOwners } from '../../src/jobs/owners.ts'
import { sweepJobs } from '../../src/jobs/sweep-jobs.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { createJobAccount } from '../../src/jobs/run-job.ts'
import type { EndedWork } from '../../src/observability/metrics.ts'
import { createLogger } from '../../src/observability/logger.ts'
import type { Presence } from '../../src/processes/presence.ts'
import { Releases } from '../../src/processes/releases.ts'
import type { Job } from '../../src/resources/job.ts'
import { StorageError } from '../../src/storage/storage-error.ts'
import { createFactories } from '../support/factories.ts'
import { useDatabase } from '../support/database.ts'
import { addProcess, removeProcess } from '../support/processes.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { found, PATIENCE_MS } from '../support/patience.ts'

const logger = createLogger({ level: 'silent', pretty: false })
const never = new AbortController().signal
const UNCHANGED: Pick<SchemaWatch, 'isOutdated'> = { isOutdated: async () => false }

/** What the log and the counters were told of jobs. */
const lines: Readonly<Record<string, unknown>>[] = []
const counted: EndedWork[] = []
const account = createJobAccount({
  counts: { jobEnded: (ended) => counted.push(ended) },
  logger: createLogger(
    { level: 'info', pretty: false },
    { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  ),
})

describe('jobs', () => {
  let queue: JobQueue
  after(() => queue.close())
  const database = useDatabase()
  let records: JobRecords
  let jobs: Jobs<Record<string, unknown>>
  const kinds: Record<string, KindOfWork> = {}
  const releases = new Releases()
  let owner: Actor
  /** Null: the owner may not act any more. */
  let actsNow: (actor: Actor) => Actor | null = (actor) => actor
  /** What was asked of the database, of whom. */
  const askedFor: (readonly number[])[] = []
  const owners = createOwners({
    async findAll(ids) {
      askedFor.push(ids)
      const actor = actsNow(owner)
      return new Map(actor === null ? [] : ids.map((id) => [id, actor]))
    },
    hold: async () => actsNow(owner),
  })

  before(async () => {
    queue = await openJobQueue({ url: database.url, sessionUrl: database.url }, logger)
    records = new JobRecords(database.pool, await addProcess(database.pool))
    jobs = createJobs({
      pool: database.pool,
      records,
      queue,
      owners,
      releases,
      account,
      kinds,
    })
    owner = await createFactories(() => database.pool).user()
  })

  const parts = () => ({
    pool: database.pool,
    records,
    queue,
    owners,
    releases,
    account,
    recordDone: async () => undefined,
    traces: null,
    logger,
    schema: UNCHANGED,
  })
  type Work = (context: JobContext, input: unknown) => Promise<unknown>
  const kindOf = (work: Work): KindOfWork => ({
    access: 'user',
    run: (_actor, input, context) => work(context, input),
    present: (result) => result,
  })
  const kindsOf = (works: Record<string, Work>) =>
    Object.fromEntries(Object.entries(works).map(([kind, work]) => [kind, kindOf(work)]))
  const workWith = (works: Record<string, Work>, schema = UNCHANGED) =>
    startWorker({
      ...parts(),
      schema,
      kinds: kindsOf(works),
      concurrency: 2,
      waitLimitMs: PATIENCE_MS,
    })
  const newJob = (kind: string) => ({
    kind,
    ownerId: owner.id,
    enterpriseId: null,
    about: null,
    input: null,
    requestId: null,
  })
  const sweep = () => sweepJobs({ ...parts(), lostAfterMs: 1000 })
  const perform = (signal: AbortSignal, work: Work) => {
    kinds['test'] = kindOf(work)
    return jobs.perform(owner, 'test', null, signal)
  }
  const enqueue = (kind: string, input: unknown) => {
    kinds[kind] ??= kindOf(async () => undefined)
    return jobs.enqueue(owner, kind, input)
  }

  /** Records on a connection that can be cut. */
  async function openAway() {
    await using opened = new AsyncDisposableStack()
    const proxy = opened.use(await startTcpProxy(database.url))
    const pool = opened.adopt(createPool(proxy.through(database.url), { max: 2 }), (open) =>
      open.end(),
    )
    const awayRecords = new JobRecords(pool, await addProcess(database.pool))
    const resources = opened.move()
    return {
      proxy,
      pool,
      records: awayRecords,
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    }
  }

  /** Another process, its records, and its death. */
  async function openOther(): Promise<{ records: JobRecords; die(): Promise<void> }> {
    const presence: Presence = await addProcess(database.pool)
    return {
      records: new JobRecords(database.pool, presence),
      die: () => removeProcess(database.pool, presence),
    }
  }

  const until = (uuid: string, reached: (job: Job) => boolean): Promise<Job> =>
    found('the state of the job', async () => {
      const job = await jobs.show(owner, uuid)
      return reached(job) ? job : null
    })
  const waitingForLock = async () => {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0] ?? null
  }
  /** Work that nothing but its signal ends. */
  async function untilAborted(signal: AbortSignal): Promise<never> {
    if (!signal.aborted) await once(signal, 'abort')
    throw signal.reason
  }
  const finished = (uuid: string) =>
    until(uuid, ({ status }) => status !== 'QUEUED' && status !== 'RUNNING')

  describe('run while the caller waits', () => {
    it('is cancelled when the caller goes away, and the record says why', async () => {
      const gone = new AbortController()
      const work = perform(gone.signal, async ({ signal }) => {
        gone.abort(new Error('gone'))
        signal.throwIfAborted()
      })
      expect(await work.catch((error: Error) => error.message)).to.equal('gone')
      const { items } = await jobs.list(owner, { page: 1, limit: 1 }, never)
      expect(items[0]).to.include({ status: 'CANCELLED' })
      expect(items[0]!.error!.detail).to.deep.include({ code: 'job.abandoned' })
    })

    it('gives the result and keeps a record with the last progress', async () => {
      const result = await perform(never, async ({ report }) => {
        report({ phase: 'loading', rows: 7 })
        return { done: true }
      })
      expect(result).to.deep.equal({ done: true })
      const { items } = await jobs.list(owner, { page: 1, limit: 1 }, never)
      expect(items[0]).to.include({ kind: 'test', status: 'SUCCEEDED' })
      expect(items[0]!.progress).to.include({ phase: 'loading', rows: 7 })
      expect((await jobs.show(owner, items[0]!.uuid)).result).to.deep.equal({ done: true })
    })

    it('shows progress while it runs, and stops when cancelled', async () => {
      const begun = Promise.withResolvers<string>()
      const outcome = perform(never, async ({ jobUuid, signal, report }) => {
        report({ phase: 'loading', rows: 41 })
        begun.resolve(jobUuid)
        await untilAborted(signal)
      }).catch((error: unknown) => error)
      const uuid = await begun.promise
      await until(uuid, ({ progress }) => progress.rows === 41)
      await jobs.cancel(owner, uuid)
      expect(await outcome).to.be.instanceOf(JobCancelledException)
      expect((await jobs.show(owner, uuid)).status).to.equal('CANCELLED')
    })

    describe('and cancelled in its last step', () => {
      /** `work` is told the job, and ends well whatever its signal says. */
      const performed = (work: (context: JobContext) => Promise<unknown>) =>
        perform(never, work).catch((error: unknown) => error)

      it('ends as SUCCEEDED when its work finishes in spite of the cancellation', async () => {
        let uuid = ''
        const outcome = await performed(async ({ jobUuid }) => {
          uuid = jobUuid
          await jobs.cancel(owner, jobUuid)
          return 'done'
        })
        expect(outcome).to.equal('done')
        expect(await jobs.show(owner, uuid)).to.include({ status: 'SUCCEEDED', result: 'done' })
      })

      it('publishes nothing', async () => {
        const outcome = await performed(async ({ jobUuid, seal }) => {
          await jobs.cancel(owner, jobUuid)
          await withTransaction(database.pool, (client) => seal(client, null))
          throw new Error('It was sealed')
        })
        expect(outcome).to.be.instanceOf(JobCancelledException)
      })

      it('tells of the cancellation, whatever the work makes of it', async () => {
        let uuid = ''
        const outcome = await performed(async ({ jobUuid, seal }) => {
          uuid = jobUuid
          await jobs.cancel(owner, jobUuid)
          await withTransaction(database.pool, (client) => seal(client, null)).catch(
            (error: unknown) => {
              throw new Error('It was not to be', { cause: error })
            },
          )
        })
        expect(outcome).to.be.instanceOf(JobCancelledException)
        expect((await jobs.show(owner, uuid)).status).to.equal('CANCELLED')
      })

      it('ends as SUCCEEDED when its work was published first, and the cancellation is answered 409', async () => {
        let refusal: unknown
        const outcome = await performed(async ({ jobUuid, seal }) => {
          const { cancelling } = await withTransaction(database.pool, async (client) => {
            await seal(client, null)
            const asked = jobs.cancel(owner, jobUuid).catch((error: unknown) => error)
            await found('the cancellation waits', waitingForLock)
            return { cancelling: asked }
          })
          refusal = await cancelling
          return 'published'
        })
        expect(outcome).to.equal('published')
        expect(refusal).to.be.instanceOf(JobAlreadyFinishedException)
      })

      it('can still be cancelled after its publication was rolled back', async () => {
        const outcome = await performed(async ({ jobUuid, seal }) => {
          await withTransaction(database.pool, async (client) => {
            await seal(client, null)
            throw new Error('taken back')
          }).catch(() => undefined)
          return jobs.cancel(owner, jobUuid)
        })
        expect(outcome).to.include({ status: 'RUNNING' })
      })
    })

    it('is answered 503 when the database was away so long that the job was taken for dead', async () => {
      const outcome = perform(never, async ({ jobUuid, signal }) => {
        await database.pool.query(`update jobs set status = 'FAILED' where uuid = $1`, [jobUuid])
        await untilAborted(signal)
      })
      const refusal = await outcome.catch((error: unknown) => error)
      expect(refusal).to.be.instanceOf(ServiceUnavailableException)
    })

    it('keeps the problem it failed with', async () => {
      const failure = new Error('no')
      const outcome = perform(never, async () => Promise.reject(failure))
      expect(await outcome.catch((error: unknown) => error)).to.equal(failure)
      const { items } = await jobs.list(owner, { page: 1, limit: 1 }, never)
      expect(items[0]!.status).to.equal('FAILED')
      expect(items[0]!.error).to.include({ status: 500, code: 'InternalServerErrorException' })
    })
  })

  it('answers and records what the presenter of its kind gives, and describes its failures', async () => {
    kinds['explained'] = {
      access: 'user',
      run: async (_actor, input) => {
        if (input === 'bad') throw new Error('/mode/key is wrong')
        return { internal: 1, shown: input }
      },
      present: (result) => ({ shown: (result as { shown: unknown }).shown }),
      explain: () => invalidField('/key', fieldMessages.required()),
    }
    const body = await jobs.perform(owner, 'explained', 'good', never)
    expect(body).to.deep.equal({ shown: 'good' })
    const refusal = await jobs.perform(owner, 'explained', 'bad', never).catch((error) => error)
    expect(refusal).to.include({ message: '“key” is required', status: 400 })
    const { items } = await jobs.list(owner, { page: 1, limit: 2 }, never)
    expect(items[0]!.error!.errors).to.deep.equal([
      { pointer: '/key', message: fieldMessages.required().toJSON() },
    ])
    expect((await jobs.show(owner, items[1]!.uuid)).result).to.deep.equal({ shown: 'good' })
  })

  it('stores the input for the worker before it is queued', async () => {
    kinds['stored'] = { ...kindOf(async () => undefined), store: async () => ({ path: 'a/b' }) }
    await using _worker = await workWith({ stored: async (_context, input) => input })
    const { uuid } = await enqueue('stored', { stream: 'in the request' })
    expect((await finished(uuid)).result).to.deep.equal({ path: 'a/b' })
  })

  it('lists the newest first, without their results', async () => {
    await perform(never, async () => ({ rows: 'x'.repeat(1000) }))
    await perform(never, async () => 'last')
    const { items, total } = await jobs.list(owner, { page: 1, limit: 2 }, never)
    expect(items.every((item) => !('result' in item))).to.equal(true)
    expect(items[0]!.createdAt.getTime()).to.be.at.least(items[1]!.createdAt.getTime())
    expect((await jobs.show(owner, items[0]!.uuid)).result).to.equal('last')
    const past = await jobs.list(owner, { page: total + 1, limit: 1 }, never)
    expect(past).to.deep.equal({ items: [], total })
  })

  describe('have a line in the log and are counted when they end', () => {
    const toldOf = async (uuid: string) =>
      found('the line', async () => lines.find(({ job }) => job === uuid) ?? null)

    it('with how it went, who asked for it, and by which request', async () => {
      await using _worker = await workWith({
        told: async ({ report }) => report({ rows: 3, rejected: 1, bytesRead: 20 }),
      })
      kinds['told'] = kindOf(async () => undefined)
      const { uuid } = await jobs.enqueue(owner, 'told', null, { requestId: 'r-told' })
      const line = await toldOf(uuid)
      expect(line).to.include({
        msg: 'job succeeded',
        level: 30,
        requestId: 'r-told',
        kind: 'told',
        outcome: 'succeeded',
        owner: owner.id,
        attempt: 1,
        rows: 3,
        rejected: 1,
        bytes: 20,
      })
      expect(line['durationMs']).to.be.a('number')
      expect(counted.find(({ kind }) => kind === 'told')).to.include({
        outcome: 'succeeded',
        rows: 3,
        rejected: 1,
        bytes: 20,
      })
    })

    it('as a warning with the code and the error when it failed', async () => {
      await using _worker = await workWith({
        failing: async () => {
          throw new JobAlreadyFinishedException()
        },
      })
      kinds['failing'] = kindOf(async () => undefined)
      const { uuid } = await jobs.enqueue(owner, 'failing', null, { requestId: 'r-failing' })
      const line = await toldOf(uuid)
      expect(line).to.include({
        msg: 'job failed',
        level: 40,
        requestId: 'r-failing',
        outcome: 'failed',
        code: 'JobAlreadyFinishedException',
      })
      expect(line['err']).to.include({ type: 'JobAlreadyFinishedException' })
      expect(counted.find(({ kind }) => kind === 'failing')).to.include({ outcome: 'failed' })
    })

    it('also when it ran in the request', async () => {
      kinds['direct'] = kindOf(async () => undefined)
      await jobs.perform(owner, 'direct', null, never, { requestId: 'r-direct' })
      expect(lines.filter(({ requestId }) => requestId === 'r-direct')).to.have.lengthOf(1)
    })
  })

  describe('queued', () => {
    it('is run by a worker with its stored input', async () => {
      await using _worker = await workWith({ echo: async (_context, input) => ({ echoed: input }) })
      const { uuid } = await enqueue('echo', { text: 'é 😀' })
      const job = await finished(uuid)
      expect(job.status).to.equal('SUCCEEDED')
      expect(job.result).to.deep.equal({ echoed: { text: 'é 😀' } })
    })

    it('is run once when two workers take from the queue', async () => {
      const runs: string[] = []
      const work: Work = async ({ jobUuid }) => runs.push(jobUuid)
      await using _first = await workWith({ once: work })
      const made = await Promise.all(Array.from({ length: 20 }, () => enqueue('once', null)))
      for (const { uuid } of made) await finished(uuid)
      expect(runs.toSorted()).to.deep.equal(made.map(({ uuid }) => uuid).toSorted())
    })

    it('is not begun once it was cancelled', async () => {
      const input = { stored: 'for it alone' }
      const discarded: unknown[] = []
      kinds['kept'] = {
        ...kindOf(async () => undefined),
        discard: async (stored) => void discarded.push(stored),
      }
      const { uuid } = await enqueue('kept', input)
      expect((await jobs.cancel(owner, uuid)).status).to.equal('CANCELLED')
      expect(lines.filter(({ job }) => job === uuid)).to.have.lengthOf(1)
      expect(lines.at(-1)).to.deep.include({
        job: uuid,
        outcome: 'cancelled',
        msg: 'job cancelled',
      })
      expect(discarded).to.deep.equal([input])
      let ran = false
      await using _worker = await workWith({
        kept: async () => {
          ran = true
        },
        next: async () => undefined,
      })
      // The worker takes them in their order.
      const next = await enqueue('next', null)
      await finished(next.uuid)
      expect(ran).to.equal(false)
    })

    it('goes back into the queue when its process stops, and is finished by another', async () => {
      const begun = Promise.withResolvers<void>()
      const first = await workWith({
        long: async ({ signal }) => {
          begun.resolve()
          await untilAborted(signal)
        },
      })
      const { uuid } = await enqueue('long', null)
      await begun.promise
      await first[Symbol.asyncDispose]()
      expect((await jobs.show(owner, uuid)).status).to.equal('QUEUED')
      await using _second = await workWith({ long: async () => 'done' })
      expect((await finished(uuid)).result).to.equal('done')
    })

    it('goes back into the queue when a later version has changed the tables beneath it', async () => {
      const later = "insert into knex_migrations (name, batch) values ('9999_later', 99)"
      await using schema = await watchSchema(database.pool, PATIENCE_MS)
      const first = await workWith(
        {
          meets: async () => {
            await database.pool.query(later)
            await database.pool.query('select what_it_knew from users')
          },
        },
        schema,
      )
      try {
        const { uuid } = await enqueue('meets', null)
        await found('its end', async () => {
          const { status } = await jobs.show(owner, uuid)
          return schema.outdated.aborted || status === 'FAILED' || null
        })
        await first[Symbol.asyncDispose]()
        expect((await jobs.show(owner, uuid)).status).to.equal('QUEUED')
        await using _second = await workWith({ meets: async () => 'done' })
        expect((await finished(uuid)).result).to.equal('done')
      } finally {
        await database.pool.query("delete from knex_migrations where name = '9999_later'")
      }
    })

    it('is taken in turn by enterprise, even when one enterprise has many older jobs', async () => {
      const build = createFactories(() => database.pool)
      const own = async () => build.user({ enterprise: await build.enterprise() })
      const [many, few, alone] = [await own(), await own(), await build.user()]
      const ran: string[] = []
      kinds['turn'] = kindOf(async () => undefined)
      const name = (actor: Actor) =>
        new Map([
          [many, 'many'],
          [few, 'few'],
        ]).get(actor) ?? 'alone'
      const put = async (actor: Actor) => jobs.enqueue(actor, 'turn', name(actor))
      for (let nth = 0; nth < 6; nth++) await put(many)
      for (const actor of [few, few, alone]) await put(actor)
      {
        await using _worker = await startWorker({
          ...parts(),
          kinds: kindsOf({ turn: async (_context, input) => ran.push(String(input)) }),
          waitLimitMs: 60_000,
          concurrency: 1,
        })
        await found('all ran', () => (ran.length === 9 ? true : null))
      }
      expect(ran.slice(0, 5).toSorted()).to.deep.equal(['alone', 'few', 'few', 'many', 'many'])
      expect(ran.slice(5)).to.deep.equal(['many', 'many', 'many', 'many'])
    })

    it('is run by another process when the one that took it from the queue dies before starting it', async () => {
      const { uuid } = await withTransaction(database.pool, (client) =>
        records.addQueued(client, newJob('lost')),
      )
      await database.pool.query(
        `update jobs set created_at = now() - interval '1 minute' where uuid = $1`,
        [uuid],
      )
      expect(await queue.isWaiting(uuid)).to.equal(false)
      for (let time = 0; time < 3; time++) await sweep()
      expect(await queue.isWaiting(uuid)).to.equal(true)
      let runs = 0
      await using _worker = await workWith({ lost: async () => ++runs })
      expect((await finished(uuid)).result).to.equal(1)
    })

    it('is taken over from a worker taken for dead, whose late result is ignored', async () => {
      const other = await openOther()
      const { uuid } = await enqueue('dead', null)
      const dead = (await other.records.claim(database.pool, uuid))!
      await sweep()
      expect((await jobs.show(owner, uuid)).status).to.equal('RUNNING')
      await other.die()
      await sweep()
      await using _worker = await workWith({ dead: async () => 'taken over' })
      expect((await finished(uuid)).result).to.equal('taken over')
      await other.records.finish(dead, NO_PROGRESS, { status: 'SUCCEEDED', result: 'too late' })
      expect((await jobs.show(owner, uuid)).result).to.equal('taken over')
    })

    it('is not published by a worker taken for dead, even before another takes it over', async () => {
      const other = await openOther()
      const { uuid } = await enqueue('dead', null)
      const dead = (await other.records.claim(database.pool, uuid))!
      await other.die()
      const seal = withTransaction(database.pool, (client) => other.records.seal(client, dead))
      expect(await seal).to.equal('lost')
      await jobs.cancel(owner, uuid)
      await sweep()
    })

    it('is started when the answer to its worker’s claim was lost', async () => {
      await using away = await openAway()
      const cut = away.proxy.cutWhenSent(/set status = 'RUNNING'/, { when: 'after' })
      const { uuid } = await enqueue('heard', null)
      await using _worker = await startWorker({
        ...parts(),
        pool: away.pool,
        records: away.records,
        kinds: kindsOf({ heard: async () => 'done' }),
        concurrency: 1,
        waitLimitMs: PATIENCE_MS,
      })
      expect((await finished(uuid)).result).to.equal('done')
      expect(cut.happened).to.equal(true)
    })
  })

  describe('whose owner loses their rights', () => {
    afterEach(() => {
      actsNow = (actor) => actor
    })
    const lost = { status: 'FAILED', code: 'RightsLostException' }
    const outcomeOf = async (uuid: string) => {
      const { status, error } = await finished(uuid)
      return { status, code: error?.code }
    }

    it('ends while it runs, and what was stored for it is discarded', async () => {
      const discarded: unknown[] = []
      const work = kindOf(async ({ signal }) => {
        actsNow = () => null
        await untilAborted(signal)
      })
      await using _worker = await startWorker({
        ...parts(),
        kinds: { left: { ...work, discard: async (input) => void discarded.push(input) } },
        concurrency: 1,
        waitLimitMs: PATIENCE_MS,
      })
      const { uuid } = await enqueue('left', 'the input')
      expect(await outcomeOf(uuid)).to.deep.equal(lost)
      await until(uuid, () => discarded.length > 0)
      expect(discarded).to.deep.equal(['the input'])
    })

    it('ends with all others that run, and all of them ask once', async () => {
      const MANY = 20
      const all = new AbortController()
      let running = 0
      const works = Array.from({ length: MANY }, async () =>
        perform(all.signal, async ({ signal }) => {
          if (++running === MANY) {
            actsNow = () => null
            askedFor.length = 0
          }
          await untilAborted(signal)
        }).catch((error: unknown) => error),
      )
      for (const refusal of await Promise.all(works)) {
        expect(refusal).to.include({ status: 403, code: 'RightsLostException' })
      }
      expect(askedFor).to.deep.equal([[owner.id]])
    })

    it('is not begun when they were lost before', async () => {
      let runs = 0
      actsNow = (actor) => ({ ...actor, role: 'client' })
      const work = kindOf(async () => ++runs)
      await using _worker = await startWorker({
        ...parts(),
        kinds: { late: { ...work, access: 'admin' } },
        concurrency: 1,
        waitLimitMs: PATIENCE_MS,
      })
      const { uuid } = await enqueue('late', null)
      expect(await outcomeOf(uuid)).to.deep.equal(lost)
      expect(runs).to.equal(0)
    })

    it('publishes nothing, whatever the work makes of the refusal', async () => {
      const outcome = perform(never, async ({ seal }) => {
        actsNow = () => null
        await withTransaction(database.pool, (client) => seal(client, null)).catch(() => {
          throw new Error('It was not to be')
        })
      })
      const refusal = await outcome.catch((error: unknown) => error)
      expect(refusal).to.include({ status: 403, code: 'RightsLostException' })
    })

    it('takes no effect before its end either', async () => {
      const outcome = perform(never, async ({ requireRights }) => {
        actsNow = () => null
        await requireRights(database.pool)
      })
      const refusal = await outcome.catch((error: unknown) => error)
      expect(refusal).to.include({ status: 403, code: 'RightsLostException' })
    })
  })

  describe('that needs something which cannot be reached', () => {
    const storageAway = () => new StorageError('unavailable', 'The object storage is too slow')

    it('waits, says what for, and succeeds when it can be reached again', async () => {
      let isAway = true
      await using _worker = await workWith({
        waiting: async () => {
          // What a reader makes of the failure of its source.
          if (isAway) throw new Error('The source broke off', { cause: storageAway() })
          return 'done'
        },
      })
      const { uuid } = await enqueue('waiting', null)
      const waiting = await until(uuid, (job) => typeof job.waitingFor === 'string')
      expect(waiting).to.include({ status: 'QUEUED', waitingFor: 'object-storage' })
      isAway = false
      const done = await finished(uuid)
      expect(done).to.include({ status: 'SUCCEEDED', result: 'done', waitingFor: null })
    })

    it('doubles the wait after each attempt, up to a minute', async () => {
      const delays: (number | undefined)[] = []
      const impatient: JobQueue = {
        ...queue,
        async send(client, uuid, delaySeconds) {
          delays.push(delaySeconds)
          await client.query(`update jobs set due_at = '-infinity' where uuid = $1`, [uuid])
          await queue.send(client, uuid)
        },
      }
      let runs = 0
      await using _worker = await startWorker({
        ...parts(),
        queue: impatient,
        kinds: kindsOf({
          patient: async () => {
            runs++
            if (runs < 9) throw storageAway()
          },
        }),
        concurrency: 1,
        waitLimitMs: PATIENCE_MS,
      })
      const { uuid } = await enqueue('patient', null)
      expect((await finished(uuid)).status).to.equal('SUCCEEDED')
      expect(delays).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60])
    })

    it('fails after the longest wait, naming what it waited for', async () => {
      await using _worker = await startWorker({
        ...parts(),
        kinds: kindsOf({
          hopeless: async () => {
            throw storageAway()
          },
        }),
        concurrency: 1,
        waitLimitMs: 0,
      })
      const { uuid } = await enqueue('hopeless', null)
      const failed = await finished(uuid)
      expect(failed.status).to.equal('FAILED')
      expect(failed.error).to.include({ code: 'ServiceUnavailableException' })
      expect(JSON.stringify(failed.error!.detail)).to.include('job.gaveUpWaiting')
    })
  })

  it('ends as SUCCEEDED when its process dies after publishing, and is not run again', async () => {
    const publish = (run: JobRun) =>
      withTransaction(database.pool, (client) => other.records.seal(client, run))
    let runs = 0
    await using _worker = await workWith({ published: async () => void runs++ })
    const other = await openOther()
    const waiting = firstRun()
    await other.records.addRunning(waiting, newJob('request'))
    // Out of the worker's reach until it is claimed.
    const { uuid } = await withTransaction(database.pool, (client) =>
      records.addQueued(client, newJob('published')),
    )
    const queued = (await other.records.claim(database.pool, uuid))!
    for (const run of [waiting, queued]) expect(await publish(run)).to.equal('own')
    expect(
      await withTransaction(database.pool, (client) => records.handBack(client, queued)),
    ).to.equal(false)
    await other.die()
    await sweep()
    for (const run of [waiting, queued]) {
      expect(await finished(run.uuid)).to.include({ status: 'SUCCEEDED', result: null })
    }
    expect(runs).to.equal(0)
  })

  describe('that fails after publishing', () => {
    const publishAndFail = async ({ seal }: JobContext) => {
      await withTransaction(database.pool, (client) => seal(client, null))
      throw new Error('afterwards')
    }

    it('ends as SUCCEEDED, and its caller is told of the error', async () => {
      const outcome = perform(never, publishAndFail)
      expect(await outcome.catch((error: Error) => error.message)).to.equal('afterwards')
      const { items } = await jobs.list(owner, { page: 1, limit: 1 }, never)
      expect(items[0]).to.include({ status: 'SUCCEEDED', error: null })
    })

    it('ends as SUCCEEDED in a worker as well', async () => {
      await using _worker = await workWith({ fails: publishAndFail })
      const { uuid } = await enqueue('fails', null)
      expect(await finished(uuid)).to.include({ status: 'SUCCEEDED', result: null, error: null })
    })
  })

  describe('whose database goes away after it may have published', () => {
    const goesAway = new DatabaseUnavailableError('away')

    it('is reported as possibly done', async () => {
      const outcome = perform(never, async ({ seal }) => {
        await withTransaction(database.pool, (client) => seal(client, null))
        throw goesAway
      })
      const told = await outcome.catch((error: unknown) => error)
      expect(toProblem(told)).to.be.instanceOf(ServiceUnavailableException)
      expect(toProblem(told).message).to.match(/^The database went away while the change/)
    })

    it('gives the result that it could not write down, and writes it down later', async () => {
      await using away = await openAway()
      let uuid = ''
      const performing = createJobs({
        ...parts(),
        pool: away.pool,
        records: away.records,
        kinds: kindsOf({
          test: async ({ jobUuid, seal }) => {
            uuid = jobUuid
            await withTransaction(away.pool, (client) => seal(client, null))
            away.proxy.refuse(true)
            away.proxy.cutAll()
            return 'done'
          },
        }),
      })
      expect(await performing.perform(owner, 'test', null, never)).to.equal('done')
      away.proxy.refuse(false)
      await releases.retry()
      expect(await jobs.show(owner, uuid)).to.include({ status: 'SUCCEEDED', result: 'done' })
    })
  })

  it('ends as FAILED when the process of the request that ran it dies', async () => {
    const other = await openOther()
    const run = firstRun()
    await other.records.addRunning(run, newJob('request'))
    await other.die()
    await sweep()
    expect((await finished(run.uuid)).error).to.include({ status: 503 })
    expect(lines.filter(({ job }) => job === run.uuid)).to.have.lengthOf(1)
  })

  it('is recorded as ended once the database is back, when it ended while that was away', async () => {
    await using away = await openAway()
    let uuid = ''
    const performing = createJobs({
      ...parts(),
      pool: away.pool,
      records: away.records,
      kinds: kindsOf({
        test: async ({ jobUuid }) => {
          uuid = jobUuid
          away.proxy.refuse(true)
          away.proxy.cutAll()
          throw new Error('no')
        },
      }),
    })
    const outcome = performing.perform(owner, 'test', null, never)
    expect(await outcome.catch((error: Error) => error.message)).to.equal('no')
    expect((await jobs.show(owner, uuid)).status).to.equal('RUNNING')
    away.proxy.refuse(false)
    await releases.retry()
    expect((await jobs.show(owner, uuid)).status).to.equal('FAILED')
  })

  it('is hidden from everyone but its owner and super-admins', async () => {
    const build = createFactories(() => database.pool)
    const [other, boss] = [await build.user(), await build.user({ role: 'super-admin' })]
    const { uuid } = await enqueue('hidden', null)
    expect((await jobs.show(boss, uuid)).uuid).to.equal(uuid)
    const refusal = await jobs.show(other, uuid).catch((error: Error) => error)
    expect(refusal).to.include({ code: 'JobNotFoundException', status: 404 })
    await jobs.cancel(owner, uuid)
  })
})
