import { expect } from 'chai'
import type { Pool } from 'pg'

import { createPasswords } from '../../../src/security/passwords.ts'
import type { TestResponse } from '../../support/client.ts'
import { formOf } from '../../support/uploads.ts'
import { csvOf } from '../tools/csv-of.ts'
import { postSource, uniqueTable } from '../deeds/sources.ts'
import type { Scene } from './intrusion.ts'

/** Who reads a table with SQL, has a schema to put things into, and may refer to the table. */
export interface Analyst extends AsyncDisposable {
  readonly role: string
  /** A schema of theirs, into which everybody may write: what runs with other rights leaves its loot there. */
  readonly schema: string
  /** The table of a source of the enterprise, as SQL takes it. */
  readonly table: string
  readonly sourceUuid: string
  readonly pool: Pool
  run(sql: string): Promise<Record<string, unknown>[]>
  /** The service replaces the rows of the table. */
  reload(): Promise<TestResponse>
  /** Password hashes, and as whom they were read. */
  loot(): Promise<Record<string, unknown>[]>
}

export async function openAnalyst({ world, service }: Scene): Promise<Analyst> {
  const { people, build, client, pool } = world
  const schema = `enterprise_${people.enterprise.id}`
  const tableName = uniqueTable()
  const as = client.as(people.admin)
  const made = await postSource(as, { tableName, content: csvOf('first', 10) })
  expect(made.status, made.text).to.equal(201)
  await build.user({ passwordHash: await createPasswords().hash('nobody is to see this') })
  const table = `${schema}.${tableName}`
  const database = new URL(service.url).pathname.slice(1)
  const analyst = await service.signIn([
    `create on database "${database}"`,
    `usage on schema ${schema}`,
    `select, references on ${table}`,
  ])
  const own = analyst.role
  const run = async (sql: string) => (await analyst.pool.query(sql)).rows as never
  await run(`create schema ${own};
    grant usage on schema ${own} to public;
    create table ${own}.loot (reader text, email text, hash text);
    grant insert on ${own}.loot to public;
    create function ${own}.take() returns void language plpgsql as $$ begin
      insert into ${own}.loot select current_user, email, password_hash from public.users
        where password_hash is not null;
    exception when insufficient_privilege then
      insert into ${own}.loot values (current_user, null, null);
    end $$`)
  return {
    role: own,
    schema: own,
    table,
    sourceUuid: made.body.uuid as string,
    pool: analyst.pool,
    run,
    reload: () =>
      as.request(
        'POST',
        `/sources/${made.body.uuid as string}/reload`,
        formOf('second.csv', csvOf('second', 10)),
      ),
    async loot() {
      const { rows } = await pool.query(`select * from ${own}.loot where hash is not null`)
      return rows
    },
    [Symbol.asyncDispose]: async () => void (await run(`drop schema ${own} cascade`)),
  }
}

/** Refused with what to do about it; nothing was taken, neither at once nor when the table is reloaded. */
export async function expectRefused({ reload, loot, role }: Analyst): Promise<void> {
  const { status, body, text } = await reload()
  expect(await loot(), 'what was taken').to.deep.equal([])
  expect([status, body.code], text).to.deep.equal([409, 'SourceInUseException'])
  expect(body.detail, text).to.include('owner to')
  expect(text, 'names of others').not.to.include(role)
}
