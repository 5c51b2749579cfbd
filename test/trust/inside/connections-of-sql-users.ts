import { expect } from 'chai'
import { Client } from 'pg'

import { temporaryFolder } from '../../../benchmarks/support/temporary-folder.ts'
import { runCli } from '../../support/cli.ts'
import { TEST_ENCRYPTION_KEYS } from '../../support/factories.ts'
import { ownDatabase } from '../tools/world-database.ts'
import { openWorld } from '../world.ts'
import type { Intrusion } from './intrusion.ts'

const USERS = 5
/** More than the server has. */
const CONNECTIONS_EACH = 30
const QUESTIONS = 200
const AT_ONCE = 20

/** On the embedded server, which has a hundred connections for everybody. */
export const connectionsOfSqlUsers: Intrusion = {
  name: 'five SQL users who open as many connections as they get',
  async attempt({ trials }) {
    await using folder = await temporaryFolder('inside')
    const database = await ownDatabase(folder.path)
    await using world = await openWorld(trials, { database })
    const held: Client[] = []
    try {
      for (let nth = 1; nth <= USERS; nth++) {
        const url = await newUser(world.databaseUrl, world.people.enterprise.id, `reader_${nth}`)
        held.push(...(await takeAll(url)))
      }
      const as = world.client.as(world.people.admin)
      const statuses = new Map<number, number>()
      for (let asked = 0; asked < QUESTIONS; asked += AT_ONCE) {
        const answers = await Promise.all(
          Array.from({ length: AT_ONCE }, () => as.get('/sources?limit=1')),
        )
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      expect([...statuses]).to.deep.equal([[200, QUESTIONS]])
    } finally {
      await Promise.all(held.map((client) => client.end()))
    }
    return `they hold ${held.length}`
  },
}

async function newUser(databaseUrl: string, enterpriseId: number, name: string): Promise<string> {
  const { code, stdout, stderr } = await runCli(
    ['sql-user', 'create', '--enterprise', String(enterpriseId), '--name', name],
    {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    },
  )
  expect(code, stderr).to.equal(0)
  return /^psql '(postgres(?:ql)?:[^']+)'$/m.exec(stdout)![1]!
}

/** As many as the server gives. */
async function takeAll(url: string): Promise<Client[]> {
  const taken: Client[] = []
  for (let nth = 0; nth < CONNECTIONS_EACH; nth++) {
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
    } catch {
      // It gives no more.
      return taken
    }
    taken.push(client)
  }
  return taken
}
