import { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'

import { expect } from 'chai'

import { makeFolder } from '../support/folder.ts'
import { type Formulaires, startFormulaires } from '../../src/simulator/formulaires.ts'
import { useApp } from '../support/app.ts'
import { CLI, startCli } from '../support/cli.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { found, PATIENCE_MS } from '../support/patience.ts'
import { startServer } from '../support/server-process.ts'

/** Longer than the test waits: what does not end before is not ended by it, either. */
const GRACE_MS = 2 * PATIENCE_MS

describe('cli worker', () => {
  let simulator: Formulaires
  let dataDir: string
  const workers: ChildProcess[] = []
  before('starts a forms application', async () => {
    simulator = await startFormulaires({ responsesPerForm: 1500 })
    dataDir = await makeFolder('cli-worker')
  })
  const app = useApp({
    env: () => ({ WORKER: 'false', OUTBOUND_ALLOW: new URL(simulator.url).host }),
  })
  after('stops what it started', async () => {
    for (const child of workers) child.kill('SIGKILL')
    await simulator.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const settings = () => ({
    DATABASE_URL: app.database.url,
    DATA_DIR: dataDir,
    AUTH_SECRET: 'x'.repeat(32),
    ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    OUTBOUND_ALLOW: new URL(simulator.url).host,
    SHUTDOWN_GRACE: `${GRACE_MS}ms`,
    LOG_LEVEL: 'silent',
  })

  async function startWorker(): Promise<ChildProcess> {
    const child = startCli(['worker'], settings())
    workers.push(child)
    const [line] = (await once(child.stdout!, 'data')) as [Buffer]
    expect(line.toString()).to.equal('Taking jobs\n')
    return child
  }

  async function queuedLaunch() {
    const as = app.client.as(await app.build.user({ role: 'super-admin' }))
    const enterprise = await app.build.enterprise()
    const connection = await app.build.connection({
      enterprise,
      baseUrl: simulator.url,
      apiKey: simulator.apiKey,
    })
    const workflow = await as.post('/workflows', { name: 'Launched', enterpriseId: enterprise.id })
    const path = `/workflows/${workflow.body.uuid}`
    const [form] = simulator.forms
    const configured = await as.post(`${path}/source-config`, {
      sourceType: 'api',
      connectionUuid: connection.uuid,
      formUuid: form!.uuid,
      formTitle: form!.title,
    })
    expect(configured.status).to.equal(200)
    const queued = await as.withHeaders({ prefer: 'respond-async' }).post(`${path}/launch`)
    expect(queued.status).to.equal(202)
    const show = async () => (await as.get(`/jobs/${queued.body.uuid}`)).body
    return async (status: string) => {
      return found(`the job is ${status}`, async () => {
        const job = await show()
        return job.status === status ? job : null
      })
    }
  }

  it('takes what the service left in the queue, and hands back what it cannot finish', async () => {
    const reaches = await queuedLaunch()
    // The service itself was told not to take jobs.
    await reaches('QUEUED')

    simulator.faults.add({ kind: 'hang', on: 'records', after: 1 })
    const first = await startWorker()
    await reaches('RUNNING')
    first.kill('SIGTERM')
    expect(await once(first, 'exit')).to.deep.equal([0, null])
    await reaches('QUEUED')

    simulator.faults.clear()
    const second = await startWorker()
    const { result } = await reaches('SUCCEEDED')
    expect(result.rowCount).to.equal(1500)
    second.kill('SIGTERM')
    expect(await once(second, 'exit')).to.deep.equal([0, null])
  })

  it('tells its health and metrics where it is given a port, and nothing else', async () => {
    await using server = await startServer(
      { ...settings(), WORKER_PORT: '0' },
      {
        script: CLI,
        arguments: ['worker'],
        ready: /^Serving health and metrics on (\S+)/,
      },
    )
    const get = (path: string) => fetch(server.address + path)
    expect((await get('/health/live')).status).to.equal(200)
    const ready = await get('/health/ready')
    expect(await ready.json()).to.deep.equal({
      status: 'ok',
      parts: { database: true, storage: true },
    })
    expect(await (await get('/metrics')).text()).to.include('process_resident_memory_bytes')
    expect((await get('/folders')).status).to.equal(404)
    expect((await server.stop()).code).to.equal(0)
  })
})
