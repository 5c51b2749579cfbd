import { expect } from 'chai'

import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { useFolder } from '../support/folder.ts'

describe('cli seed', () => {
  const database = useDatabase()
  const dataDir = useFolder('cli-seed')

  const seed = (...args: string[]) =>
    runCli(['seed', ...args], {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir.path,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    })
  const count = async (table: string) => {
    const { rows } = await database.pool.query(`select count(*) as count from ${table}`)
    return rows[0].count as number
  }

  it('fills the demo world, and says how to reach the forms simulator', async () => {
    const { code, stdout, stderr } = await seed()
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.include('demo-password').and.include('OUTBOUND_ALLOW=127.0.0.1:')
    expect(await count('users')).to.equal(5)
    const { rows } = await database.pool.query(
      `select c.name, c.status, e.name as enterprise from connections c
       join enterprises e on e.id = c.enterprise_id`,
    )
    expect(rows).to.deep.equal([
      { name: 'Formulaires de démonstration', status: 'ACTIVE', enterprise: 'Atelier Lumière' },
    ])
  })

  it('adds nothing twice and keeps what was changed, also when two run at once', async () => {
    await database.pool.query("update connections set name = 'Mine now'")
    const outcomes = await Promise.all([seed(), seed()])
    expect(outcomes.map(({ code }) => code)).to.deep.equal([0, 0])
    expect(await count('users')).to.equal(5)
    expect(await count('enterprises')).to.equal(2)
    expect([await count('folders'), await count('documents')]).to.deep.equal([6, 3])
    const { rows } = await database.pool.query('select name from connections')
    expect(rows).to.deep.equal([{ name: 'Mine now' }])
  })

  it('leads the connection to a forms application that runs elsewhere', async () => {
    await database.pool.query('delete from connections')
    const { code, stdout } = await seed('--formulaires', 'http://forms:4117/')
    expect(code).to.equal(0)
    expect(stdout).to.include('the service needs OUTBOUND_ALLOW=forms:4117\n')
    const { rows } = await database.pool.query('select base_url from connections')
    expect(rows).to.deep.equal([{ base_url: 'http://forms:4117' }])
    const refused = await seed('--formulaires', 'forms:4117')
    expect(refused.code).to.equal(2)
    expect(refused.stderr).to.include('--formulaires must be an address that begins with http://')
  })
})
