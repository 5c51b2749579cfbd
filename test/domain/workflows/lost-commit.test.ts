import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'
import type { Knex } from 'knex'

import { createEngine, OutcomeUnknownError } from '../../../pipelines/index.ts'
import { createKnex } from '../../../src/db/knex.ts'
import type { Actor } from '../../../src/domain/actor.ts'
import { createIngest } from '../../../src/domain/ingest/ingest.ts'
import type { Ingest } from '../../../src/domain/ingest/ingest.ts'
import { createRunTables } from '../../../src/domain/workflows/run-tables.ts'
import { createWorkflows } from '../../../src/domain/workflows/create-workflows.ts'
import type { JobContext } from '../../../src/jobs/job.ts'
import { firstRun, JobRecords } from '../../../src/jobs/job-records.ts'
import { createLogger } from '../../../src/observability/logger.ts'
import { useDatabase } from '../../support/database.ts'
import { createFactories } from '../../support/factories.ts'
import { loadsParts } from '../../support/loads.ts'
import { addProcess } from '../../support/processes.ts'

const signal = new AbortController().signal
const logger = createLogger({ level: 'silent', pretty: false })
const lost = () => new OutcomeUnknownError('1', { cause: new Error('connection lost') })

describe('a launch whose connection is lost at the commit', () => {
  let knex: Knex
  after(() => knex.destroy())
  const database = useDatabase()
  before(() => {
    knex = createKnex(database.url, { max: 2 })
  })

  async function ingestOf(csv: string, enterpriseId: number): Promise<Ingest> {
    const { pool } = database
    return createIngest({
      engine: createEngine({ tempDir: tmpdir() }),
      pool,
      concurrentLoads: 1,
      documents: {
        openForReading: async () => ({
          source: { kind: 'bytes', open: async () => Readable.from([Buffer.from(csv)]) },
          enterpriseId,
          sha256: '',
        }),
      },
      connections: {
        openResource: async () => Promise.reject(new Error('There are no connections here')),
        requireActive: async () => Promise.reject(new Error('There are no connections here')),
      },
    })
  }

  /** Launches with a connection that is lost at the last commit: before or after the database has done it. */
  async function launch(isCommitted: boolean) {
    const { pool } = database
    const user: Actor = await createFactories(() => pool).user()
    const parts = await loadsParts(pool, await ingestOf('a;b\n1;2\n', user.enterprise!.id))
    const { leases } = parts
    const runTables = createRunTables({ pool, leases, logger, kept: 1 })
    const workflows = createWorkflows({ ...parts, knex, runTables })
    const { uuid } = await workflows.create(user, { name: 'Reprise' })
    const config = { sourceType: 'document', documentUuid: randomUUID() } as const
    await workflows.configureSource(user, uuid, config, signal)
    const job = firstRun()
    const records = new JobRecords(pool, await addProcess(pool))
    await records.addRunning(job, {
      kind: 'workflow.launch',
      ownerId: user.id,
      requestId: null,
      about: null,
    })
    const prepared = await workflows.prepareLaunch(user, uuid)
    const seal: JobContext['seal'] = async (client) => {
      if (isCommitted) await client.query('commit')
      throw lost()
    }
    const context = {
      jobUuid: job.uuid,
      signal,
      report: () => undefined,
      seal,
      requireRights: async () => undefined,
    }
    return { prepared, outcome: workflows.launch(user, prepared, context) }
  }

  it('has succeeded when its rows are there', async () => {
    const { outcome } = await launch(true)
    expect(await outcome).to.include({ status: 'SUCCEEDED', rowCount: 1 })
  })

  it('has failed when they are not', async () => {
    const { prepared, outcome } = await launch(false)
    const problem: unknown = await outcome.catch((error: unknown) => error)
    expect(problem).to.have.nested.property('extras.members.runUuid', prepared.runUuid)
  })
})
