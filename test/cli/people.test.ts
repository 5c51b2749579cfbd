import { expect } from 'chai'

import { createPeople, type NewUser } from '../../src/domain/people/people.ts'
import { createPasswords } from '../../src/security/passwords.ts'
import { runCli } from '../support/cli.ts'
import { useDatabase } from '../support/database.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'

describe('cli commands for users and enterprises', () => {
  const database = useDatabase()
  const cli = (...args: readonly string[]) =>
    runCli(args, {
      DATABASE_URL: database.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    })
  const create = (...more: readonly string[]) =>
    cli(
      'user',
      'create',
      '--name',
      'Ada',
      '--role',
      'admin',
      '--account-type',
      'enterprise',
      ...more,
    )

  it('creates an enterprise and a user of it, prints a made-up password once, and a bare token', async () => {
    const made = await cli('enterprise', 'create', '--name', ' Ici ', '--account-type', 'personal')
    const [, id] = /^id: (\d+)\nuuid: [0-9a-f-]{36}\n$/.exec(made.stdout)!
    const user = await create('--email', ' Ada@Cli.test ', '--enterprise', id!)
    expect(user.stdout).to.match(/^uuid: [0-9a-f-]{36}\npassword: \S{20}\n$/)
    const token = await cli('token', '--email', 'ada@cli.test')
    expect(token).to.include({ code: 0, stderr: '' })
    expect(token.stdout).to.match(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const reset = await cli('user', 'set-password', '--email', 'ada@cli.test')
    expect(reset.stdout).to.match(/^password: \S{20}\n$/)
    const { rows } = await database.pool.query(
      'select u.email, e.name from users u join enterprises e on e.id = u.enterprise_id',
    )
    expect(rows).to.deep.equal([{ email: 'ada@cli.test', name: 'Ici' }])
  })

  it('says in one sentence why it failed', async () => {
    const stderr = 'There is a user ada@cli.test already\n'
    expect(await create('--email', 'ada@cli.test')).to.deep.equal({ code: 2, stdout: '', stderr })
    await cli('user', 'disable', '--email', 'ada@cli.test')
    const token = (email: string) => cli('token', '--email', email)
    expect((await token('ada@cli.test')).stderr).to.equal('The user ada@cli.test is disabled\n')
    expect((await token('bob@cli.test')).stderr).to.equal('There is no user bob@cli.test\n')
    await cli('user', 'enable', '--email', 'ada@cli.test')
    expect((await token('ada@cli.test')).code).to.equal(0)
  })

  it('refuses to create a user that could never sign in', async () => {
    const people = createPeople(database.pool, createPasswords())
    const refusal = (change: Partial<NewUser>) =>
      people
        .createUser({
          email: 'b@cli.test',
          name: 'Bob',
          role: 'client',
          accountType: 'personal',
          enterpriseId: null,
          password: 'a good password',
          ...change,
        })
        .then(
          () => null,
          (error: Error) => error.message,
        )
    expect(await refusal({ email: 'nomail' })).to.equal('nomail is not an e-mail address')
    expect(await refusal({ password: '' })).to.equal('A password has 1 to 1,024 characters')
    expect(await refusal({ enterpriseId: 999 })).to.equal('There is no enterprise 999')
    expect(await refusal({ name: '  ' })).to.equal('A name has 1 to 255 characters')
  })
})
