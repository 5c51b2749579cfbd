import { expect } from 'chai'

import { createPasswords } from '../../../src/security/passwords.ts'
import type { Intrusion } from './intrusion.ts'

const PASSWORD = 'an intruder has chosen it'
const EMAIL = 'intruder@test.test'

/**
 * PostgreSQL looks for a name without a schema in the one that is called like the role, before any
 * other. Whoever may create schemas puts a table of users there, with a super-admin of theirs in it.
 */
export const schemaLikeTheRole: Intrusion = {
  name: 'a schema named like the role of the service, with a table of users',
  async attempt({ world, service }) {
    const database = new URL(service.url).pathname.slice(1)
    const { role, pool } = await service.signIn([`create on database "${database}"`])
    const { rows } = await service.pool.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = 'public.users'::regclass and attnum > 0 and not attisdropped`,
    )
    await pool.query(`create schema "${service.role}"`)
    try {
      const columns = rows.map(({ name, type }) => `${name} ${type}`)
      await pool.query(`create table "${service.role}".users (${columns.join(', ')})`)
      await pool.query(
        `insert into "${service.role}".users
           (id, uuid, email, name, password_hash, role_type, account_type, created_at, updated_at)
         values (1, gen_random_uuid(), $1, $2, $3, 'super-admin', 'enterprise', now(), now())`,
        [EMAIL, role, await createPasswords().hash(PASSWORD)],
      )
      await pool.query(`grant all on schema "${service.role}" to public`)
      await pool.query(`grant all on "${service.role}".users to public`)
      const session = await world.client.post('/auth/login', { email: EMAIL, password: PASSWORD })
      expect(session.status, session.text).to.equal(401)
    } finally {
      await pool.query(`drop schema "${service.role}" cascade`)
    }
  },
}
