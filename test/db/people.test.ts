import { expect } from 'chai'

import { seedPeople } from '../../seeds/people.ts'
import { UniqueViolationError, translateDatabaseError } from '../../src/db/database-errors.ts'
import { migrate } from '../../src/db/migrate.ts'
import { useDatabase } from '../support/database.ts'
import { databaseBefore } from '../support/earlier-database.ts'

const hashPassword = async (password: string): Promise<string> => `hash of ${password}`

describe('the people of the demo world', () => {
  const database = useDatabase()

  before(() => seedPeople(database.knex, hashPassword))

  it('are an administrator of everything, two of enterprises, and two clients', async () => {
    const { rows } = await database.pool.query(
      `select u.email, u.role_type, u.account_type, e.name as enterprise, u.password_hash
       from users u left join enterprises e on e.id = u.enterprise_id order by u.id`,
    )
    const password_hash = 'hash of demo-password'
    expect(rows).to.deep.equal([
      row('super@demo.test', 'super-admin', 'enterprise', null),
      row('admin@lumiere.test', 'admin', 'enterprise', 'Atelier Lumière'),
      row('admin@boreal.test', 'admin', 'enterprise', 'Boréal Conseil'),
      row('client@lumiere.test', 'client', 'enterprise', 'Atelier Lumière'),
      row('perso@demo.test', 'client', 'personal', 'Boréal Conseil'),
    ])

    function row(
      email: string,
      role_type: string,
      account_type: string,
      enterprise: string | null,
    ) {
      return { email, role_type, account_type, enterprise, password_hash }
    }
  })

  it('are created once, however often and by however many processes the seed is run', async () => {
    await Promise.all([1, 2, 3].map(() => seedPeople(database.knex, hashPassword)))
    const { rows } = await database.pool.query(
      'select (select count(*) from users) as users, (select count(*) from enterprises) as enterprises',
    )
    expect(rows).to.deep.equal([{ users: 5, enterprises: 2 }])
  })

  it('keep what was changed about them', async () => {
    await database.pool.query(
      "update users set role_type = 'client' where email = 'admin@boreal.test'",
    )
    await seedPeople(database.knex, hashPassword)
    const { rows } = await database.pool.query(
      "select role_type from users where email = 'admin@boreal.test'",
    )
    expect(rows).to.deep.equal([{ role_type: 'client' }])
  })

  it('have one account per address, without regard to case', async () => {
    const error = await database
      .knex('users')
      .insert({
        email: 'SUPER@Demo.test',
        name: 'Twin',
        role_type: 'client',
        account_type: 'personal',
      })
      .catch(translateDatabaseError)
    expect(error).to.be.instanceOf(UniqueViolationError)
  })
})

describe('the addresses of accounts that were there before', () => {
  it('are written as they are looked for now, but for those of twins', async () => {
    await using database = await databaseBefore('0065_addresses_of_accounts')
    const before = [
      'zoe\u0301@a.test',
      'e\u0301va@a.test',
      '\u00e9va@a.test',
      '\uff4c\u00e9o@a.test',
    ]
    await database.pool.query(
      `insert into users (email, name, role_type, account_type)
       select email, 'N', 'client', 'personal' from unnest($1::text[]) as email`,
      [before],
    )
    await migrate(database.url)
    const { rows } = await database.pool.query<{ email: string }>(
      'select email::text as email from users order by id',
    )
    expect(rows.map(({ email }) => email)).to.deep.equal([
      'zo\u00e9@a.test',
      'e\u0301va@a.test',
      '\u00e9va@a.test',
      'l\u00e9o@a.test',
    ])
  })
})
