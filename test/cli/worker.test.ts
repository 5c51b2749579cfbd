import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { expect } from 'chai'

import { useApp } from '../support/app.ts'
import { startCli } from '../support/cli.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'

describe('cli worker', function () {
  this.timeout(20_000)
  const app = useApp({ env: { WORKER: 'false' } })
  let dataDir: string
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'cli-worker-'))
  })
  after(() => rm(dataDir, { recursive: true, force: true }))

  it('takes queued jobs without listening, and ends with 0 when asked to', async () => {
    const owner = await app.build.user()
    const { uuid } = await app.services.jobs.enqueue(owner, 'nothing.of-the-kind', {})
    await delay(300)
    expect((await app.services.jobs.show(owner, uuid)).status).to.equal('QUEUED')

    const child = startCli(['worker'], {
      DATABASE_URL: app.database.url,
      DATA_DIR: dataDir,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      LOG_LEVEL: 'silent',
    })
    try {
      const [line] = (await once(child.stdout!, 'data')) as [Buffer]
      expect(line.toString()).to.equal('Taking jobs\n')
      let job = await app.services.jobs.show(owner, uuid)
      for (let tries = 0; job.finishedAt === null && tries < 200; tries++) {
        await delay(50)
        job = await app.services.jobs.show(owner, uuid)
      }
      // Nobody knows this kind: that it FAILED shows that the worker took it.
      expect(job.status).to.equal('FAILED')
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).to.deep.equal([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
