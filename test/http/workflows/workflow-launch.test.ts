import { expect } from 'chai'

import { createTokens } from '../../../src/security/tokens.ts'
import { type Formulaires, startFormulaires } from '../../../src/simulator/formulaires.ts'
import { useApp } from '../../support/app.ts'
import { type FormServer, startFormServer } from '../../support/form-server.ts'
import { addProcess, fallSilent } from '../../support/processes.ts'
import { buildWorkflowWorld, type WorkflowWorld } from '../../support/workflow-world.ts'
import { patience, until } from '../../support/patience.ts'

const CSV = 'Nom;Né le;Prix\nÉlodie;31/12/1999;1 234,50\nMarc;;2\nNoé;01/02/2003;\n'
const KEPT = 2
/** More than the connector asks for at once. */
const ROWS = 1230
const LONG_LIVED = { issuer: null, audience: null, ttlMs: 60_000 }

describe('the launch of a workflow', () => {
  let simulator: Formulaires
  let forms: FormServer
  before('starts forms applications', async () => {
    simulator = await startFormulaires({ responsesPerForm: ROWS })
    forms = await startFormServer()
  })
  const app = useApp({
    env: () => ({
      OUTBOUND_ALLOW: [simulator.url, forms.url].map((url) => new URL(url).host).join(),
      RUN_TABLES_KEPT: String(KEPT),
      WORKER_CONCURRENCY: '4',
    }),
  })
  after('stops the forms applications', async () => {
    await simulator.close()
    await forms.close()
  })
  afterEach(() => simulator.faults.clear())

  const world = () => buildWorkflowWorld(app, simulator)
  const aForm = () => simulator.forms[0]!.uuid

  async function withDocument(bytes: string | Buffer = CSV) {
    const made = await world()
    const documentUuid = await made.upload('a.csv', bytes)
    await made.configure({ sourceType: 'document', documentUuid })
    return { ...made, documentUuid }
  }
  async function withForm() {
    const made = await world()
    await made.configure(made.api(aForm()))
    return made
  }
  const launch = ({ as, path }: WorkflowWorld) => as.post(`${path}/launch`)
  const queue = async ({ as, path }: WorkflowWorld) => {
    const answer = await as.withHeaders({ prefer: 'respond-async' }).post(`${path}/launch`)
    expect(answer.status, answer.text).to.equal(202)
    return answer
  }
  const runs = async ({ as, path }: WorkflowWorld) => (await as.get(`${path}/runs`)).body
  const query = async (sql: string) => (await app.database.pool.query(sql)).rows
  /** Every table of the enterprise, staging tables too. */
  const tablesOf = async ({ user }: WorkflowWorld) =>
    (
      await query(
        `select tablename as name from pg_tables
         where schemaname = 'enterprise_${user.enterprise!.id}' order by 1`,
      )
    ).map(({ name }) => name as string)

  /** The one run of the workflow, which is as the problem said. */
  async function failedRun(made: WorkflowWorld, problem: { runUuid: string; detail: string }) {
    const { total, items } = await runs(made)
    expect(total).to.equal(1)
    expect(items[0]).to.include({
      uuid: problem.runUuid,
      status: 'FAILED',
      rowCount: null,
      table: null,
      errorMessage: problem.detail,
    })
    expect(items[0].columns).to.deep.equal([])
    expect(items[0].startedAt).to.be.a('string')
    expect(items[0].finishedAt).to.be.a('string')
    expect(await tablesOf(made)).to.deep.equal([])
  }

  describe('that succeeds', () => {
    it('loads a document into a table of the run, which SQL reads under the name in the answer', async () => {
      const made = await withDocument()
      const { status, body } = await launch(made)
      expect(status).to.equal(201)
      expect(Object.keys(body)).to.have.members([
        'uuid',
        'status',
        'rowCount',
        'columns',
        'table',
        'loadUuid',
        'errorMessage',
        'startedAt',
        'finishedAt',
      ])
      expect(body).to.include({ status: 'SUCCEEDED', rowCount: 3, errorMessage: null })
      expect(body.columns).to.deep.equal([
        { name: 'Nom', column: 'nom', type: 'text', sqlType: 'text' },
        {
          name: 'Né le',
          column: 'ne_le',
          type: 'date',
          sqlType: 'date',
          dateFormat: 'DD/MM/YYYY',
        },
        { name: 'Prix', column: 'prix', type: 'number', sqlType: 'numeric' },
      ])
      expect(body.table).to.match(
        new RegExp(`^enterprise_${made.user.enterprise!.id}\\.run\\$[0-9a-f]{32}$`),
      )
      const rows = `select nom, ne_le::text, prix::text from ${body.table} order by _row`
      expect(await query(rows)).to.deep.equal([
        { nom: 'Élodie', ne_le: '1999-12-31', prix: '1234.50' },
        { nom: 'Marc', ne_le: null, prix: '2' },
        { nom: 'Noé', ne_le: '2003-02-01', prix: null },
      ])
      expect((await made.as.get(`${made.path}/runs/${body.uuid}`)).body).to.deep.equal(body)
      expect(await runs(made)).to.deep.equal({ items: [body], total: 1, page: 1, limit: 20 })
    })

    it('loads a form to its last row, with the columns of the preview', async () => {
      const made = await withForm()
      const preview = (await made.as.get(`${made.path}/source-preview`)).body
      const { status, body } = await launch(made)
      expect(status).to.equal(201)
      expect(body.rowCount).to.equal(ROWS)
      expect(
        body.columns.map(({ name, type }: { name: string; type: string }) => ({ name, type })),
      ).to.deep.equal(preview.columns)
      expect((await query(`select count(*)::int from ${body.table}`))[0].count).to.equal(ROWS)
    })

    it('takes headers alone for an empty table of a document', async () => {
      const made = await withDocument('a;b\n')
      const { body } = await launch(made)
      expect(body).to.include({ status: 'SUCCEEDED', rowCount: 0 })
    })

    it('makes a table for each of several at once', async () => {
      const made = await withForm()
      const answers = await Promise.all([launch(made), launch(made)])
      expect(answers.map(({ status, body }) => [status, body.rowCount])).to.deep.equal([
        [201, ROWS],
        [201, ROWS],
      ])
      expect(new Set(answers.map(({ body }) => body.table)).size).to.equal(2)
      expect((await runs(made)).total).to.equal(2)
    })

    it('is repeated as the same run under the same Idempotency-Key', async () => {
      const made = await withDocument()
      const as = made.as.withHeaders({ 'idempotency-key': 'once' })
      const [first, second] = [
        await as.post(`${made.path}/launch`),
        await as.post(`${made.path}/launch`),
      ]
      expect(second.body).to.deep.equal(first.body)
      expect((await runs(made)).total).to.equal(1)
    })

    it('takes no body but an empty one', async () => {
      const made = await withDocument()
      expect((await made.as.post(`${made.path}/launch`, {})).status).to.equal(201)
      expect((await made.as.post(`${made.path}/launch`, { table: 'mine' })).status).to.equal(400)
    })

    it('keeps the tables of the last runs, and drops what is older', async () => {
      const other = await withDocument()
      const kept = (await launch(other)).body
      const made = await withDocument()
      const uuids: string[] = []
      for (let run = 0; run < KEPT + 2; run++) uuids.unshift((await launch(made)).body.uuid)
      const { items } = await runs(made)
      expect(items.map(({ uuid }: { uuid: string }) => uuid)).to.deep.equal(uuids)
      const tables = items.map(({ table }: { table: string | null }) => table)
      expect(tables.slice(KEPT)).to.deep.equal([null, null])
      expect(items[KEPT]).to.include({ status: 'SUCCEEDED', rowCount: 3 })
      expect(
        (await tablesOf(made)).map((name) => `enterprise_${made.user.enterprise!.id}.${name}`),
      ).to.have.members(tables.slice(0, KEPT))
      expect((await query(`select count(*)::int from ${kept.table}`))[0].count).to.equal(3)
    })
  })

  describe('that fails', () => {
    it('because there is no source records no run', async () => {
      const made = await world()
      const { status, body } = await launch(made)
      expect([status, body.code]).to.deep.equal([400, 'WorkflowSourceNotConfiguredException'])
      const queued = await made.as
        .withHeaders({ prefer: 'respond-async' })
        .post(`${made.path}/launch`)
      expect(queued.status).to.equal(400)
      expect((await runs(made)).total).to.equal(0)
    })

    it('because the connection is not active is recorded, and named in the problem', async () => {
      const made = await withForm()
      await made.as.patch(`/connections/${made.connectionUuid}`, { apiKey: 'not-a-key' })
      const refused = await launch(made)
      expect([refused.status, refused.body.code]).to.deep.equal([
        502,
        'ApiConnectionUnauthorizedException',
      ])
      await failedRun(made, refused.body)
      const connection = (await made.as.get(`/connections/${made.connectionUuid}`)).body
      expect(connection.status).to.equal('ERROR')
      const inactive = await launch(made)
      expect([inactive.status, inactive.body.code]).to.deep.equal([
        400,
        'ApiConnectionNotActiveException',
      ])
      expect((await runs(made)).items[0]).to.include({
        uuid: inactive.body.runUuid,
        status: 'FAILED',
      })
    })

    for (const [what, rows] of [
      ['no row', []],
      [
        'blank rows alone',
        [
          [null, ' '],
          ['', null],
        ],
      ],
    ] as const) {
      it(`because the form has ${what} leaves no table`, async () => {
        const made = await buildWorkflowWorld(app, forms)
        await made.configure(made.api(forms.add({ labels: ['A', 'B'], rows })))
        const { status, body } = await launch(made)
        expect([status, body.code]).to.deep.equal([400, 'WorkflowSourceEmptyException'])
        await failedRun(made, body)
      })
    }

    it('because of values that do not fit names them, and the run', async () => {
      const made = await withDocument(`Né le\n${'31/12/1999\n'.repeat(9)}demain\n`)
      const { status, body } = await launch(made)
      expect([status, body.code]).to.deep.equal([400, 'SourceDataInvalidException'])
      expect(body.detail).to.match(/^Invalid date format/)
      expect(body.errors[0]).to.include({ row: 10, line: 11, column: 'Né le', value: 'demain' })
      await failedRun(made, body)
    })

    it('because the form broke off half-way leaves no table', async () => {
      const made = await withForm()
      simulator.faults.add({ kind: 'malformed', on: 'records', after: 1 })
      const { status, body } = await launch(made)
      expect([status, body.code]).to.deep.equal([502, 'RemoteApplicationException'])
      await failedRun(made, body)
    })

    it('because the document is gone is recorded as such', async () => {
      const made = await withDocument()
      await made.as.delete(`/documents/${made.documentUuid}`)
      const { status, body } = await launch(made)
      expect([status, body.code]).to.deep.equal([404, 'DocumentNotFoundException'])
      await failedRun(made, body)
    })

    it('because the client went away leaves no table', async () => {
      const made = await withForm()
      simulator.faults.add({ kind: 'hang', on: 'records' })
      const leaving = new AbortController()
      const { keys } = app.config.auth
      const secret = keys.kind === 'secret' ? keys.secret! : ''
      const tokens = createTokens({ keys: { kind: 'secret', secret }, ...LONG_LIVED })
      const { token } = await tokens.issue(made.user.uuid)
      const gone = fetch(`${app.address}${made.path}/launch`, {
        method: 'POST',
        headers: { 'x-app-access-token': token },
        signal: leaving.signal,
      }).catch((error: Error) => error.name)
      await until('a run', async () => (await runs(made)).total === 1)
      leaving.abort()
      expect(await gone).to.equal('AbortError')
      await until('its end', async () => (await runs(made)).items[0].status === 'CANCELLED')
      expect((await runs(made)).items[0].errorMessage).to.include('caller went away')
      expect(await tablesOf(made)).to.deep.equal([])
    })
  })

  describe('that is left to a worker', () => {
    it('answers with the job at once, and the run is there', async () => {
      const made = await withForm()
      simulator.faults.add({ kind: 'slow', delayMs: 3_000, on: 'records', times: 1 })
      const { body: job, headers } = await queue(made)
      expect(job).to.include({ kind: 'workflow.launch' })
      expect(headers.get('location')).to.equal(`/jobs/${job.uuid}`)
      const [waiting] = (await runs(made)).items
      expect(waiting.status).to.be.oneOf(['QUEUED', 'RUNNING'])
      expect(waiting).to.include({ rowCount: null, table: null, finishedAt: null })

      const show = async () => (await made.as.get(`/jobs/${job.uuid}`)).body
      await until('the job', async () => (await show()).status === 'SUCCEEDED')
      const done = await show()
      expect(done.progress).to.include({ rows: ROWS })
      expect(done.result).to.include({ uuid: waiting.uuid, status: 'SUCCEEDED', rowCount: ROWS })
      expect((await made.as.get(`${made.path}/runs/${waiting.uuid}`)).body).to.deep.equal(
        done.result,
      )
    })

    it('fails as it would have while the caller waited', async () => {
      const made = await withForm()
      await made.as.patch(`/connections/${made.connectionUuid}`, { apiKey: 'not-a-key' })
      const { body: job } = await queue(made)
      const show = async () => (await made.as.get(`/jobs/${job.uuid}`)).body
      await until('the job', async () => (await show()).status === 'FAILED')
      const { error } = await show()
      expect(error.code).to.equal('ApiConnectionUnauthorizedException')
      await failedRun(made, error)
    })

    it('is cancelled with its job, and leaves no table', async () => {
      const made = await withForm()
      simulator.faults.add({ kind: 'hang', on: 'records', after: 1 })
      const { body: job } = await queue(made)
      await until('the start', async () => (await runs(made)).items[0].status === 'RUNNING')
      expect((await made.as.post(`/jobs/${job.uuid}/cancel`)).status).to.equal(202)
      await until('the end', async () => (await runs(made)).items[0].status === 'CANCELLED')
      const [run] = (await runs(made)).items
      expect(run).to.include({ table: null, errorMessage: 'The job was cancelled' })
      expect(run.finishedAt).to.be.a('string')
      expect(await tablesOf(made)).to.deep.equal([])
    })

    it('is cancelled while a caller waits, and the caller gets a 409', async () => {
      const made = await withForm()
      simulator.faults.add({ kind: 'hang', on: 'records' })
      const waiting = launch(made)
      await until('the start', async () => (await runs(made)).items[0]?.status === 'RUNNING')
      const [job] = (await made.as.get('/jobs')).body.items
      await made.as.post(`/jobs/${job.uuid}/cancel`)
      const { status, body } = await waiting
      expect([status, body.code]).to.deep.equal([409, 'JobCancelledException'])
      expect((await runs(made)).items[0].status).to.equal('CANCELLED')
    })
  })
})

describe('the launch of a workflow, while no worker runs', () => {
  const app = useApp({ env: { WORKER: 'false', RUN_TABLES_KEPT: '1' } })
  const NOWHERE = { url: 'https://forms.test', apiKey: 'a-key-of-nowhere' }

  async function queued() {
    const made = await buildWorkflowWorld(app, NOWHERE)
    const configureCsv = async (csv: string) => {
      const documentUuid = await made.upload('a.csv', csv)
      await made.configure({ sourceType: 'document', documentUuid })
      return documentUuid
    }
    const documentUuid = await configureCsv(CSV)
    const { body: job } = await made.as
      .withHeaders({ prefer: 'respond-async' })
      .post(`${made.path}/launch`)
    const [run] = (await made.as.get(`${made.path}/runs`)).body.items
    const show = async () => (await made.as.get(`${made.path}/runs/${run.uuid}`)).body
    return { ...made, job, run, show, documentUuid, configureCsv }
  }
  const setJob = (uuid: string, change: string) =>
    app.database.pool.query(`update jobs set ${change} where uuid = $1`, [uuid])
  const work = (made: Awaited<ReturnType<typeof queued>>) =>
    app.services.workflows.launch(
      made.user,
      { workflowUuid: made.uuid, runUuid: made.run.uuid },
      {
        jobUuid: made.job.uuid,
        signal: patience(),
        report: () => undefined,
        seal: async () => undefined,
        requireRights: async () => undefined,
      },
    )

  /** By a process that lives, and that nobody looks into. */
  const setRunning = async (jobUuid: string) => {
    const { processId } = await addProcess(app.database.pool)
    await setJob(jobUuid, `status = 'RUNNING', process_id = ${processId}`)
  }

  it('is a queued run, which is cancelled at once with its job', async () => {
    const { as, job, run, show } = await queued()
    expect(run).to.include({ status: 'QUEUED', startedAt: null, finishedAt: null })
    await as.post(`/jobs/${job.uuid}/cancel`)
    const cancelled = await show()
    expect(cancelled).to.include({ status: 'CANCELLED', startedAt: null })
    expect(cancelled.finishedAt).to.be.a('string')
  })

  it('ends as failed when the process that ran it died', async () => {
    const { job, show } = await queued()
    const { processId } = await addProcess(app.database.pool)
    await setJob(job.uuid, `status = 'RUNNING', queued = false, process_id = ${processId}`)
    expect((await show()).status).to.equal('RUNNING')
    await fallSilent(app.database.pool, { processId })
    await until('its end is noticed', async () => (await show()).status !== 'RUNNING')
    expect(await show()).to.include({
      status: 'FAILED',
      errorMessage: 'The process that did this work ended before it was done',
    })
  })

  it('loads what the workflow had for its source when it was launched', async () => {
    const made = await queued()
    await made.configureCsv('autre\n1\n')
    await setRunning(made.job.uuid)
    const { columns } = await work(made)
    expect(columns.map(({ name }) => name)).to.deep.equal(['Nom', 'Né le', 'Prix'])
  })

  it('is not repeated by a worker that takes it over after its rows were published', async () => {
    const made = await queued()
    await setRunning(made.job.uuid)
    const first = await work(made)
    expect((await made.as.delete(`/documents/${made.documentUuid}`)).status).to.equal(200)
    expect(await work(made)).to.deep.equal(first)
    expect((await made.show()).finishedAt).to.equal(first.finishedAt!.toISOString())
  })

  it('publishes nothing once its job was given up', async () => {
    const made = await queued()
    await setJob(made.job.uuid, `status = 'FAILED', error = '{"detail": "given up"}'`)
    const error: unknown = await work(made).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'ServiceUnavailableException' })
    expect(await made.show()).to.include({
      status: 'FAILED',
      errorMessage: 'given up',
      table: null,
    })
  })

  it('does not wait for readers of an old table, which the next sweep drops', async () => {
    const made = await queued()
    await setRunning(made.job.uuid)
    const old = await work(made)
    const reader = await app.database.pool.connect()
    try {
      await reader.query(`begin; lock table ${old.table} in share mode`)
      expect((await made.as.post(`${made.path}/launch`)).status).to.equal(201)
      expect((await made.show()).table).to.be.a('string')
    } finally {
      await reader.query('rollback')
      reader.release()
    }
    expect((await made.as.post(`${made.path}/launch`)).status).to.equal(201)
    expect((await made.show()).table).to.equal(null)
  })
})
