import { expect } from 'chai'

import { temporaryFolder } from '../../../benchmarks/support/temporary-folder.ts'
import { DEMO_PASSWORD } from '../../../seeds/people.ts'
import { runCli } from '../../support/cli.ts'
import { type ServerProcess, startServer } from '../../support/server-process.ts'
import type { Intrusion } from './intrusion.ts'

async function refuseDemo({ address }: ServerProcess): Promise<void> {
  const { status } = await fetch(`${address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'super@demo.test', password: DEMO_PASSWORD }),
  })
  expect(status).to.equal(401)
}

/** Their password stands in the documents. */
export const demoPeopleAmongOthers: Intrusion = {
  name: 'the demo super-admin, at a service that others reach and at one that has users',
  async attempt() {
    await using folder = await temporaryFolder('trust-demo')
    const settings = { DATA_DIR: folder.path, LOG_LEVEL: 'error' }
    const exposed = await startServer({ ...settings, TRUST_PROXY: 'true' })
    try {
      await refuseDemo(exposed)
      const person = ['--email', 'ada@example.com', '--name', 'Ada', '--account-type', 'enterprise']
      const made = await runCli(['user', 'create', ...person, '--role', 'client'], settings)
      expect(made.code, made.stderr).to.equal(0)
    } finally {
      await exposed.stop()
    }
    const peopled = await startServer(settings)
    try {
      await refuseDemo(peopled)
    } finally {
      await peopled.stop()
    }
  },
}
