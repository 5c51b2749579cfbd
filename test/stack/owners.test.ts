import { expect } from 'chai'

import type { Actor } from '../../src/domain/actor.ts'
import { tellOwners } from '../../src/stack/table/enterprise-schemas.ts'
import { changeOwners } from '../../src/stack/upgrade/change-owners.ts'
import { createLogger } from '../../src/observability/logger.ts'
import { useApp } from '../support/app.ts'
import type { TestClient } from '../support/client.ts'
import { created, createFromFile, reloadWith } from '../support/sources.ts'

const silent = createLogger({ level: 'silent', pretty: false })
const PATIENT_MS = 60_000
const REJECTS = { options: '{"onInvalid":"skip","columns":[{"name":"n","type":"number"}]}' }

describe('the tables of an enterprise', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient
  let schema: string

  beforeEach(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
    schema = `enterprise_${admin.enterprise!.id}`
  })

  const reload = reloadWith(() => client)
  const run = async (sql: string) =>
    (await app.database.pool.query(sql)).rows as Record<string, string>[]
  const service = async () => (await run('select current_user as name'))[0]!['name']!
  const ownersOf = async () =>
    (
      await run(
        `select distinct relowner::regrole::text as owner from pg_class
         where relnamespace in ('${schema}'::regnamespace, '${schema}_loads'::regnamespace)`,
      )
    ).map(({ owner }) => owner)
  const ownRole = async () => `${await service()}_e${admin.enterprise!.id}`
  /** As an earlier version left them. */
  const takeBack = async () => {
    const tables = await run(
      `select oid::regclass as name from pg_class where relkind in ('r', 'p')
         and relnamespace in ('${schema}'::regnamespace, '${schema}_loads'::regnamespace)`,
    )
    for (const { name } of tables) await run(`alter table ${name!} owner to current_user`)
    return tables.length
  }

  it('belong to a role of its own, which cannot log in, whatever is loaded', async () => {
    const { uuid } = await created(createFromFile(client, 'k,n\n1,1\n2,2\n'))
    const steps = [
      await reload(uuid, 'k,n\n1,1\n2,x\n', REJECTS),
      await reload(uuid, 'k,n\n3,3\n', { mode: 'append' }),
      await reload(uuid, 'k,n\n2,3\n4,1.5\n', { mode: 'upsert', key: 'k' }),
      await client.post(`/sources/${uuid}/rollback`, {}),
    ]
    for (const { status, text } of steps) expect(status, text).to.equal(200)
    const role = await ownRole()
    expect(await ownersOf()).to.deep.equal([role])
    expect(
      await run(
        `select rolcanlogin as login, rolsuper or rolcreaterole or rolcreatedb as powers,
                pg_has_role(current_user, oid, 'MEMBER') as member
         from pg_roles where rolname = '${role}'`,
      ),
    ).to.deep.equal([{ login: false, powers: false, member: true }])
  })

  it('have an owner that may do nothing outside of its schemas', async () => {
    await created(createFromFile(client, 'k\n1\n'))
    const role = await ownRole()
    const allowed = await run(
      `select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname not in ('${schema}', '${schema}_loads', 'pg_catalog', 'information_schema', 'pg_toast')
         and c.relkind in ('r', 'p', 'v', 'S')
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
         and case when c.relkind = 'S' then has_sequence_privilege('${role}', c.oid, 'usage, select')
             else has_table_privilege('${role}', c.oid, 'select, insert, update, delete') end`,
    )
    expect(allowed).to.deep.equal([])
  })

  for (const part of ['', '_loads']) {
    it(`are not made in a schema enterprise_N${part} of others, who could drop them`, async () => {
      const squatter = `squatter_${admin.enterprise!.id}`
      const taken = `${schema}${part}`
      // Whoever made the role is no member of it, as little as of the role of a SQL user.
      const [server] = await run(
        `select current_setting('server_version_num')::integer >= 160000 as inherits`,
      )
      const member = (inherits: boolean) =>
        run(
          `grant ${squatter} to current_user ${server!['inherits'] ? `with inherit ${inherits}` : ''}`,
        )
      await run(`create role ${squatter}`)
      await member(false)
      await run(`create schema ${taken} authorization ${squatter}`)
      try {
        const { status, body } = await createFromFile(client, 'k\n1\n')
        expect([status, body.code]).to.deep.equal([409, 'SourceInUseException'])
        expect(body.detail).to.include(`The schema ${taken} belongs to others`)
      } finally {
        await member(true)
        await run(`alter schema ${taken} owner to current_user`)
        await run(`drop role ${squatter}`)
      }
      await created(createFromFile(client, 'k\n1\n'))
    })
  }

  it('are told of at the start where a restore has lost that the service is a member of their owner', async () => {
    await created(createFromFile(client, 'k\n1\n'))
    const role = await ownRole()
    const restored = `restored_${admin.enterprise!.id}`
    await run(
      `create role ${restored} createrole; grant ${restored} to current_user;
       grant select on generated_tables to ${restored}`,
    )
    const connection = await app.database.pool.connect()
    const startOf = async () => {
      const lines: string[] = []
      const logger = createLogger(
        { level: 'warn', pretty: false },
        { write: (line) => lines.push(line) },
      )
      await tellOwners(connection, logger)
      return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    }
    try {
      await connection.query(`set role ${restored}`)
      const [said = ''] = await startOf()
      expect(said).to.include('can neither be read nor loaded')
      const [, remedy] = /As a superuser: (grant .+)$/.exec(said)!
      expect(remedy).to.match(new RegExp(`\\b${role}\\b.* to ${restored}$`))
      await run(remedy!)
      expect(await startOf()).to.deep.equal([])
    } finally {
      await connection.query('reset role')
      connection.release()
      await run(`drop owned by ${restored}; drop role ${restored}`)
    }
  })

  it('are given to it where an earlier version has made them, and another time changes nothing', async () => {
    const { uuid } = await created(createFromFile(client, 'k\n1\n'))
    await reload(uuid, 'k\n2\n')
    expect(await takeBack()).to.be.greaterThan(2)
    const parts = { pool: app.database.pool, logger: silent }
    expect(await changeOwners(parts, PATIENT_MS)).to.equal(false)
    expect(await ownersOf()).to.deep.equal([await ownRole()])
    expect(await changeOwners(parts, PATIENT_MS)).to.equal(false)
    expect((await reload(uuid, 'k\n3\n')).status).to.equal(200)
  })

  it('are given to it bit by bit: what is cut off goes on, and what somebody holds comes later', async () => {
    const { tableName } = await created(createFromFile(client, 'k\n1\n'))
    await takeBack()
    const parts = { pool: app.database.pool, logger: silent }
    expect(await changeOwners(parts, -1), 'without any time').to.equal(true)
    expect(await ownersOf()).to.deep.equal([await service()])
    const reader = await app.database.pool.connect()
    try {
      await reader.query(`begin; lock table only ${schema}.${tableName} in access share mode`)
      expect(await changeOwners(parts, PATIENT_MS), 'beside a reader').to.equal(true)
      expect(await ownersOf()).to.have.members([await service(), await ownRole()])
    } finally {
      await reader.query('rollback')
      reader.release()
    }
    expect(await changeOwners(parts, PATIENT_MS)).to.equal(false)
    expect(await ownersOf()).to.deep.equal([await ownRole()])
  })
})
