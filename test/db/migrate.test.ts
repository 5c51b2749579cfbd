import { readdir } from 'node:fs/promises'

import { expect } from 'chai'
import type { Knex } from 'knex'
import { Client } from 'pg'

import { DatabaseUnavailableError } from '../../src/db/database-errors.ts'
import { LaterSchemaError } from '../../src/db/later-schema.ts'
import { createKnex } from '../../src/db/knex.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createMigrationSource, MIGRATIONS_FOLDER } from '../../src/db/migration-source.ts'
import { createEmptyDatabase } from '../support/database.ts'

const LATER = `insert into knex_migrations (name, batch, migration_time)
  values ('9999_from_the_future', 99, now())`

describe('migrate', () => {
  let url = ''
  let drop: () => Promise<void>

  beforeEach(async () => {
    ;({ url, drop } = await createEmptyDatabase())
  })

  afterEach(() => drop())

  it('runs every migration of the folder once, in order', async () => {
    const files = (await readdir(MIGRATIONS_FOLDER)).toSorted()
    expect(await migrate(url)).to.deep.equal(files.map((file) => file.replace('.ts', '')))
    expect(await migrate(url)).to.deep.equal([])
  })

  it('is safe from several processes at once: each migration runs in one of them', async () => {
    const files = await readdir(MIGRATIONS_FOLDER)
    const ran = await Promise.all([migrate(url), migrate(url), migrate(url)])
    expect(ran.flat()).to.have.length(files.length)
    expect(ran.filter((names) => names.length > 0)).to.have.length(1)
  })

  it('is not held up by the lock row of a process that was killed while it migrated', async () => {
    await migrate(url)
    await run(url, 'update knex_migrations_lock set is_locked = 1')
    expect(await migrate(url)).to.deep.equal([])
  })

  it('undoes everything again, and can do it once more', async () => {
    await migrate(url)
    const knex = createKnex(url, { max: 2, createsIn: 'public' })
    try {
      await knex.migrate.rollback({ migrationSource: createMigrationSource() }, true)
    } finally {
      await knex.destroy()
    }
    expect(
      await run(url, "select tablename from pg_tables where schemaname = 'public' order by 1"),
    ).to.deep.equal([{ tablename: 'knex_migrations' }, { tablename: 'knex_migrations_lock' }])
    expect(await migrate(url)).not.to.deep.equal([])
  })

  it('gets out of the way of whoever uses a table, says so, and is done once they are', async () => {
    await run(url, 'create table one (id integer); create table two (id integer)')
    const other = new Client({ connectionString: url })
    await other.connect()
    try {
      await other.query('begin; insert into two values (1)')
      const changesBoth =
        'alter table one add column more text; alter table two add column more text'
      const { migrated, waited } = migrateTold(url, () => changesBoth)
      expect(await waited).to.match(/held the lock for too long/)
      // With the first lock in its hands it would have been waited for, and for ever.
      await other.query('insert into one values (1); commit')
      expect(await migrated).to.deep.equal(['0001_told'])
    } finally {
      await other.end()
    }
    expect(await run(url, 'select one.more, two.more from one, two')).to.have.length(1)
  })

  it('tries again when the server ends it for the sake of another transaction', async () => {
    const fails = `create table half (id integer);
      do $$ begin raise exception using errcode = '40P01'; end $$`
    const { migrated, waited } = migrateTold(url, (attempt) =>
      attempt === 1 ? fails : 'create table whole (id integer)',
    )
    expect(await waited).to.match(/in each other's way/)
    expect(await migrated).to.deep.equal(['0001_told'])
    const tables = await run(
      url,
      "select to_regclass('half') as half, to_regclass('whole') as whole",
    )
    expect(tables).to.deep.equal([{ half: null, whole: 'whole' }])
  })

  it('changes nothing at all when one of several migrations fails', async () => {
    const source = {
      getMigrations: async () => ['0001_good', '0002_bad'],
      getMigrationName: (name: unknown) => String(name),
      getMigration: async (name: unknown): Promise<Knex.Migration> => ({
        async up(knex) {
          await knex.raw(`create table ${String(name).slice(5)} (id integer)`)
          if (name === '0002_bad') throw new Error('half-way')
        },
        async down(knex) {
          await knex.raw(`drop table ${String(name).slice(5)}`)
        },
      }),
    }
    const error = await migrate(url, { source }).catch((reason: unknown) => reason)
    expect(String(error)).to.match(/half-way/)
    const tables = await run(url, "select to_regclass('good') as good, to_regclass('bad') as bad")
    expect(tables).to.deep.equal([{ good: null, bad: null }])
  })

  it('says of a database that a later version has migrated that it is of a later version', async () => {
    await migrate(url)
    await run(url, LATER)
    const error = await migrate(url).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(LaterSchemaError)
    expect(String(error))
      .to.include('of a later version of the service')
      .and.to.include('9999_from_the_future')
  })

  it('says which server cannot be reached, without the password', async () => {
    const nowhere = 'postgres://someone:s3cret@127.0.0.1:1/product'
    const error = await migrate(nowhere).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(DatabaseUnavailableError)
    expect(String(error)).to.include('product at 127.0.0.1:1').and.not.include('s3cret')
  })
})

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** One migration that does what it is told at each attempt, and what it said when it gave way. */
function migrateTold(url: string, sqlOf: (attempt: number) => string) {
  const { promise: waited, resolve } = Promise.withResolvers<string>()
  let attempt = 0
  const source = {
    getMigrations: async () => ['0001_told'],
    getMigrationName: String,
    getMigration: async (): Promise<Knex.Migration> => ({
      up: (knex) => knex.raw(sqlOf(++attempt)),
      down: async () => undefined,
    }),
  }
  const ignore = () => undefined
  const tell = { begins: ignore, goesOn: ignore, ended: ignore, waits: resolve }
  return { migrated: migrate(url, { source, tell }), waited }
}
