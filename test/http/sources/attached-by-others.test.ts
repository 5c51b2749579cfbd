import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { created, createFromFile, reloadWith } from '../../support/sources.ts'

describe('what others attach to a table and the service would run', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient
  let table: string
  let uuid: string
  /** Somebody who is neither the service nor a superuser, and a schema of theirs. */
  let other: string

  const run = async (sql: string) =>
    (await app.database.pool.query(sql)).rows as Record<string, string>[]
  const reload = reloadWith(() => client)
  const upsert = () => reload(uuid, 'k,n\n1,3\n', { mode: 'upsert', key: 'k' })
  const append = () => reload(uuid, 'k,n\n9,9\n', { mode: 'append' })

  beforeEach(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
    const made = await created(createFromFile(client, 'k,n\n1,1\n2,2\n'))
    uuid = made.uuid
    table = `enterprise_${admin.enterprise!.id}.${made.tableName}`
    other = `other_${randomUUID().replaceAll('-', '').slice(0, 12)}`
    await run(`create role ${other}; grant ${other} to current_user;
      create schema ${other} authorization ${other};
      create function ${other}.fire() returns trigger language plpgsql as 'begin return coalesce(old, new); end';
      create function ${other}.value() returns text language sql as 'select ''x''';
      alter function ${other}.fire() owner to ${other};
      alter function ${other}.value() owner to ${other}`)
  })

  afterEach(() => run(`drop owned by ${other} cascade; drop role ${other}`))

  const parts = async () =>
    (
      await run(
        `select inhrelid::regclass as name from pg_inherits where inhparent = '${table}'::regclass`,
      )
    ).map(({ name }) => name!)
  const expectRefused = ({ status, body, text }: TestResponse, named: string) => {
    expect([status, body.code], text).to.deep.equal([409, 'SourceInUseException'])
    expect(body.detail, text).to.include(named)
  }

  it('refuses a trigger of others on a part, until its function is given to the service', async () => {
    for (const part of await parts()) {
      await run(`create trigger watching before delete on ${part}
        for each row execute function ${other}.fire()`)
    }
    expectRefused(await upsert(), 'watching')
    await run(`grant create on schema ${other} to current_user;
      alter function ${other}.fire() owner to current_user`)
    expect((await upsert()).status).to.equal(200)
  })

  it('refuses a default, a check and an index that call a function of others', async () => {
    const things: readonly [string, string, string][] = [
      [`alter table ${table} add column more text`, 'select', 'select'],
      [
        `alter table ${table} alter column more set default ${other}.value()`,
        `alter table ${table} alter column more drop default`,
        'more',
      ],
      [
        `alter table ${table} add constraint checked check (${other}.value() = 'x') not valid`,
        `alter table ${table} drop constraint checked`,
        'checked',
      ],
      [
        `alter table ${table} alter column more set default query_to_xml('select 1', true, false, '')::text`,
        `alter table ${table} alter column more drop default`,
        'more',
      ],
    ]
    await run(things[0]![0])
    for (const [make, undo, named] of things.slice(1)) {
      await run(make)
      expectRefused(await append(), named)
      expectRefused(await upsert(), named)
      await run(undo)
    }
    expect((await append()).status).to.equal(200)
  })

  it('refuses rules, whoever wrote them', async () => {
    await run(`create rule noted as on delete to ${(await parts())[0]!} do also select 1`)
    expectRefused(await upsert(), 'noted')
  })

  it('allows what PostgreSQL itself computes', async () => {
    await run(`alter table ${table} add column at timestamptz default now(),
      add column mark uuid default gen_random_uuid(), add constraint filled check (length(k::text) > 0)`)
    for (const answer of [await append(), await upsert()]) {
      expect(answer.status, answer.text).to.equal(200)
    }
  })

  it('does not read a view that others put in the place of the table', async () => {
    await run(`alter table ${table} rename to away;
      create view ${table} as select * from enterprise_${admin.enterprise!.id}.away`)
    expectRefused(await client.get(`/sources/${uuid}/data`), table.split('.')[1]!)
    await run(`drop view ${table};
      alter table enterprise_${admin.enterprise!.id}.away rename to ${table.split('.')[1]!}`)
    expect((await client.get(`/sources/${uuid}/data`)).status).to.equal(200)
  })

  it('refuses to replace rows that a table of others refers to, until that belongs to the role of the enterprise', async () => {
    const [owner] = await run(
      `select relowner::regrole as name from pg_class where oid = '${table}'::regclass`,
    )
    await run(`grant usage on schema enterprise_${admin.enterprise!.id} to ${other};
      create table ${other}.notes (about bigint references ${table});
      alter table ${other}.notes owner to ${other}`)
    const refused = await reload(uuid, 'k,n\n5,5\n')
    expectRefused(refused, `owner to ${owner!['name']!}`)
    expect(refused.text).not.to.include(other)
    expect((await client.get(`/sources/${uuid}/data`)).body.total, 'as before').to.equal(2)
    await run(`grant usage, create on schema ${other} to ${owner!['name']!};
      alter table ${other}.notes owner to ${owner!['name']!}`)
    const taken = await reload(uuid, 'k,n\n5,5\n')
    expect(taken.status, taken.text).to.equal(200)
    await run(`drop table ${other}.notes;
      revoke all on schema enterprise_${admin.enterprise!.id} from ${other}`)
  })
})
