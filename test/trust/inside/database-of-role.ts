import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

import { createPool } from '../../../src/db/pool.ts'
import { createEmptyDatabase } from '../../support/database.ts'
import type { WorldDatabase } from '../tools/world-database.ts'

/** Who the service is to its database, and to whoever else is let into it. */
export interface ServiceRole extends WorldDatabase {
  /** The role that the service connects as: it owns the database and may create roles, no more. */
  readonly role: string
  /** As a member of it, and of whoever signs in. */
  readonly pool: Pool
  /** A pool of connections of a new role with these grants; both are gone when the database is. */
  signIn(grants?: readonly string[]): Promise<{ readonly role: string; readonly pool: Pool }>
}

const randomName = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`

/** In an empty database of the server that all tests share; as a good installation has it. */
export async function databaseOfRole(): Promise<ServiceRole> {
  await using opened = new AsyncDisposableStack()
  const empty = opened.adopt(await createEmptyDatabase(), (database) => database.drop())
  const database = new URL(empty.url).pathname.slice(1)
  const admin = createPool(empty.url, { max: 5 })
  const role = randomName('service')
  const roles = [role]
  const urlOf = (name: string) => {
    const url = new URL(empty.url)
    url.username = name
    url.password = name
    return url.href
  }
  const pools: Pool[] = [admin]
  opened.defer(async () => {
    const all = [...(await rolesBelow(admin, role)), ...roles]
    for (const name of all) {
      await admin.query(`reassign owned by "${name}" to current_user`)
      await admin.query(`drop owned by "${name}" cascade`)
    }
    // A role that the service made is dropped by its membership, which goes with the service.
    for (const name of all) await admin.query(`drop role "${name}"`)
    for (const pool of pools) await pool.end()
  })
  await admin.query(`create role "${role}" login createrole password '${role}'`)
  await admin.query(`grant "${role}" to current_user`)
  await admin.query(`alter database "${database}" owner to "${role}"`)
  const resources = opened.move()
  return {
    url: urlOf(role),
    pool: admin,
    role,
    async signIn(grants = []) {
      const name = randomName('person')
      await admin.query(`create role "${name}" login password '${name}'`)
      roles.push(name)
      await admin.query(`grant "${name}" to current_user`)
      for (const grant of grants) await admin.query(`grant ${grant} to "${name}"`)
      const pool = createPool(urlOf(name), { max: 2 })
      pools.push(pool)
      return { role: name, pool }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Those that the service has made for its tables. */
async function rolesBelow(admin: Pool, role: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select rolname as name from pg_roles where starts_with(rolname, $1)`,
    [`${role}_`],
  )
  return rows.map(({ name }) => name)
}
