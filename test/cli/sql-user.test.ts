import { expect } from 'chai'
import { Pool } from 'pg'

import type { Actor } from '../../src/domain/actor.ts'
import { useApp } from '../support/app.ts'
import { runCli } from '../support/cli.ts'
import type { TestClient } from '../support/client.ts'
import { TEST_ENCRYPTION_KEYS } from '../support/factories.ts'
import { created, createFromFile, reloadWith } from '../support/sources.ts'

describe('cli sql-user', () => {
  // Roles are the whole server's: without this they outlive the database of the file.
  afterEach('drops the roles', async () => {
    for (const pool of opened.splice(0)) await pool.end()
    for (const name of made) await cli('drop', '--name', name)
    made.clear()
  })
  const app = useApp()
  let admin: Actor
  let client: TestClient
  const made = new Set<string>()
  const opened: Pool[] = []
  let named = 0

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  const cli = (...args: readonly string[]) =>
    runCli(['sql-user', ...args], {
      DATABASE_URL: app.database.url,
      AUTH_SECRET: 'x'.repeat(32),
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
    })
  const freshName = () => `reader_${process.pid}_${++named}`
  const create = async (enterpriseId = admin.enterprise!.id) => {
    const name = freshName()
    made.add(name)
    const outcome = await cli('create', '--enterprise', String(enterpriseId), '--name', name)
    expect(outcome.code, outcome.stderr).to.equal(0)
    const url = /^psql '(postgres(?:ql)?:[^']+)'$/m.exec(outcome.stdout)![1]!
    const pool = new Pool({ connectionString: url, max: 1 })
    pool.on('error', () => undefined)
    opened.push(pool)
    return { name, pool, url, stdout: outcome.stdout }
  }
  const schema = () => `enterprise_${admin.enterprise!.id}`
  const refused = async (pool: Pool, statement: string) => {
    const failure = await pool.query(statement).then(
      () => null,
      (error: Error) => error.message,
    )
    expect(failure, statement).to.match(/permission denied|must be|read-only|cannot|not allowed/)
  }
  const reload = reloadWith(() => client)

  it('makes a role that can read existing and future tables, whatever is loaded', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const { pool, stdout, name } = await create()
    expect(stdout).to.include(`role: ${name}\n`).and.to.include(`schema: ${schema()}\n`)
    const read = async (table = tableName) =>
      (await pool.query(`select v from ${schema()}.${table} order by _row`)).rows.map(
        ({ v }: { v: unknown }) => v,
      )
    expect(await read()).to.deep.equal(['a'])
    expect((await reload(uuid, 'k,v\n1,b\n2,c\n')).status).to.equal(200)
    expect(await read()).to.deep.equal(['b', 'c'])
    expect((await reload(uuid, 'k,v\n2,C\n', { mode: 'upsert', key: 'k' })).status).to.equal(200)
    expect(await read()).to.deep.equal(['b', 'C'])
    expect((await client.post(`/sources/${uuid}/rollback`, {})).status).to.equal(200)
    expect(await read()).to.deep.equal(['b', 'c'])
    const other = await created(createFromFile(client, 'v\nnew\n'))
    expect(await read(other.tableName)).to.deep.equal(['new'])
    expect((await client.delete(`/sources/${other.uuid}`)).status).to.equal(200)
  })

  it('makes a role that can do nothing else', async () => {
    const { tableName } = await created(createFromFile(client, 'v\n1\n'))
    const stranger = await app.build.user()
    const foreign = await created(createFromFile(app.client.as(stranger), 'v\n2\n'))
    const { pool } = await create()
    await pool.query('set default_transaction_read_only = off')
    const own = `${schema()}.${tableName}`
    const { rows } = await app.database.pool.query<{ statement: string }>(
      `select format('select from %s limit 1', c.oid::regclass) as statement
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'S') and n.nspname <> $1
         and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
      [schema()],
    )
    expect(rows.length).to.be.greaterThan(20)
    for (const { statement } of rows) await refused(pool, statement)
    await refused(pool, `select from enterprise_${stranger.enterprise!.id}.${foreign.tableName}`)
    const functions = await app.database.pool.query<{ function: string }>(
      `select p.oid::regprocedure::text as function from pg_proc p
       where p.pronamespace = 'public'::regnamespace and not exists (
         select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    )
    expect(functions.rows.length).to.be.greaterThan(0)
    for (const each of functions.rows) {
      const { rows: may } = await pool.query<{ may: boolean }>(
        `select has_function_privilege($1, 'execute') as may`,
        [each.function],
      )
      expect(may[0]!.may, each.function).to.equal(false)
    }
    for (const statement of [
      `insert into ${own} values (1)`,
      `update ${own} set v = 2`,
      `delete from ${own}`,
      `truncate ${own}`,
      `drop table ${own}`,
      `alter table ${own} add column w text`,
      `create index on ${own} (v)`,
      `comment on table ${own} is 'mine'`,
      `grant select on ${own} to public`,
      `create table ${schema()}.mine (v text)`,
      `create view ${schema()}.mine as select 1`,
      'create table public.mine (v text)',
      'create schema mine',
      'create role mine',
      'create database mine',
      'select from pg_authid',
      `select pg_read_file('PG_VERSION')`,
      `copy (select 1) to program 'true'`,
      `copy (select 1) to '/tmp/mine'`,
      'set role postgres',
    ]) {
      await refused(pool, statement)
    }
  })

  it('stays within limits that keep a forgotten session from holding up a publication', async () => {
    const { pool } = await create()
    const { rows } = await pool.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
       where source = 'user' and name not in ('client_encoding') order by name`,
    )
    expect(rows.map(({ name, setting }) => `${name}=${setting}`)).to.deep.equal([
      'default_transaction_read_only=on',
      'hash_mem_multiplier=1',
      'idle_in_transaction_session_timeout=60000',
      'lock_timeout=30000',
      'max_parallel_workers_per_gather=1',
      'statement_timeout=600000',
      'temp_file_limit=2097152',
      'work_mem=16384',
    ])
  })

  it('lets a role open five connections, and put so much on the disk as it is let, whatever it sets', async () => {
    const { pool, name, url } = await create()
    await refused(pool, 'set temp_file_limit = -1')
    const more = new Pool({ connectionString: url, max: 9 })
    more.on('error', () => undefined)
    opened.push(more)
    const tries = await Promise.allSettled(Array.from({ length: 9 }, () => more.connect()))
    const got = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    for (const each of got) each.release()
    const refusals = tries.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as Error).message] : [],
    )
    // The first pool may have closed its own meanwhile.
    expect(got.length).to.be.within(4, 5)
    expect(new Set(refusals)).to.deep.equal(new Set([`too many connections for role "${name}"`]))
  })

  it('makes no more roles than can open half of all connections', async () => {
    const { rows } = await app.database.pool.query<{ all: number }>(
      `select current_setting('max_connections')::integer as all`,
    )
    const { name } = await create()
    await app.database.pool.query(`alter role ${name} connection limit ${rows[0]!.all / 2 - 4}`)
    const refusal = await cli(
      'create',
      '--enterprise',
      String(admin.enterprise!.id),
      '--name',
      freshName(),
    )
    expect(refusal.code).not.to.equal(0)
    expect(refusal.stderr).to.include('max_connections')
    await app.database.pool.query(`alter role ${name} connection limit 1`)
    await create()
  })

  it('passes over what others have made in the schema', async () => {
    const owner = freshName()
    made.add(owner)
    const { pool } = app.database
    await createFromFile(client, 'v\n1\n')
    await pool.query(`create role ${owner}`)
    try {
      await pool.query(`grant ${owner} to current_user`)
      await pool.query(`grant create, usage on schema ${schema()} to ${owner}`)
      await pool.query(`create view ${schema()}.view_of_others as select 1 as one`)
      await pool.query(`alter view ${schema()}.view_of_others owner to ${owner}`)
      const { pool: reader } = await create()
      await refused(reader, `select from ${schema()}.view_of_others`)
    } finally {
      await pool.query(`drop owned by ${owner}; drop role ${owner}`)
      made.delete(owner)
    }
  })

  it('never shows the password again, not even to the server', async () => {
    const { url } = await create()
    const { password } = new URL(url)
    const { rows } = await app.database.pool.query<{ text: string }>(
      `select string_agg(query, ' ') as text from pg_stat_activity`,
    )
    expect(password).to.have.length(32)
    expect(rows[0]!.text).to.not.include(password)
    expect(app.log.join()).to.not.include(password)
  })

  it('drops a role, its rights and its sessions', async () => {
    const { pool, name } = await create()
    await pool.query('select 1')
    const dropped = await cli('drop', '--name', name)
    expect(dropped).to.deep.equal({ code: 0, stdout: `The role ${name} is gone\n`, stderr: '' })
    made.delete(name)
    const failure = await pool.query('select 1').catch((error: Error) => error)
    expect(failure).to.be.instanceOf(Error)
    const { rows } = await app.database.pool.query<{ count: number }>(
      'select count(*) as count from pg_default_acl d, aclexplode(d.defaclacl) a where grantee::regrole::text = $1',
      [name],
    )
    expect(rows[0]!.count).to.equal(0)
  })

  it('says in one sentence what it refuses to do', async () => {
    const { name } = await create()
    const enterprise = String(admin.enterprise!.id)
    const { rows } = await app.database.pool.query<{ me: string }>('select current_user as me')
    const { me } = rows[0]!
    for (const [args, sentence] of [
      [
        ['create', '--enterprise', '999999', '--name', 'reader_x'],
        'There is no enterprise 999999\n',
      ],
      [
        ['create', '--enterprise', enterprise, '--name', name],
        `There is a role “${name}” already\n`,
      ],
      [['drop', '--name', 'reader_nobody'], 'There is no role “reader_nobody”\n'],
      [
        ['drop', '--name', me],
        `The role “${me}” was not created by sql-user create, so it was not dropped\n`,
      ],
    ] as const) {
      const { code, stdout, stderr } = await cli(...args)
      expect([code, stdout, stderr]).to.deep.equal([2, '', sentence])
    }
    for (const bad of ['Reader', 'pg_reader', '1reader', 'a"; drop role x', 'x'.repeat(64)]) {
      const { code, stderr } = await cli('create', '--enterprise', enterprise, '--name', bad)
      expect(code).to.equal(2)
      expect(stderr).to.match(/^A name has 1 to 63/)
    }
  })

  it('is not dropped, nor loses its rights, by a role that did not make it, as after a restore', async () => {
    const { tableName } = await created(createFromFile(client, 'v\na\n'))
    const { name, pool } = await create()
    const restored = freshName()
    await app.database.pool.query(`create role ${restored} login createrole password 'secret'`)
    try {
      const url = Object.assign(new URL(app.database.url), {
        username: restored,
        password: 'secret',
      })
      const { code, stderr } = await cli('drop', '--name', name, '--admin-url', url.href)
      const [server] = (
        await pool.query(`select current_setting('server_version_num')::integer as v`)
      ).rows as { v: number }[]
      if (server!.v < 160_000) return
      expect(code).to.equal(2)
      expect(stderr).to.equal(
        `The role “${restored}” may not drop “${name}”, which another has made: use --admin-url with a role that can\n`,
      )
      expect((await pool.query(`select v from ${schema()}.${tableName}`)).rows).to.have.length(1)
    } finally {
      await app.database.pool.query(`drop role ${restored}`)
    }
  })

  it('needs a role that may create others, or the address of one', async () => {
    const { url } = await create()
    const name = freshName()
    const args = ['create', '--enterprise', String(admin.enterprise!.id), '--name', name]
    const refusal = await cli(...args, '--admin-url', url)
    expect(refusal.code).to.equal(2)
    expect(refusal.stderr).to.match(/cannot create roles: grant it CREATEROLE/)
    const done = await cli(...args, '--admin-url', app.database.url)
    expect(done.code, done.stderr).to.equal(0)
    made.add(name)
  })
})
