import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { created, createFromFile, reloadWith, sourceForm } from '../../support/sources.ts'

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

  describe('what hides it', () => {
    const home = () => table.split('.')[0]!
    const nameOf = (name: string) => name.split('.')[1]!

    /** The rows of a part lie in a part of that part. */
    async function divide(part: string): Promise<string> {
      const [bounds] = await run(
        `select from_row::text as first, to_row::text as next from load_tables
         where name = '${nameOf(part)}' and enterprise_id = ${admin.enterprise!.id}`,
      )
      const leaf = `${part}_leaf`
      await run(`alter table ${table} detach partition ${part};
        alter table ${part} rename to ${nameOf(leaf)};
        create table ${part} (like ${leaf}, primary key (_row)) partition by range (_row);
        alter table ${part} attach partition ${leaf} for values from (minvalue) to (maxvalue);
        alter table ${table} attach partition ${part}
          for values from (${bounds!['first']!}) to (${bounds!['next']!})`)
      return leaf
    }

    it('is found at a part of a part', async () => {
      const leaf = await divide((await parts())[0]!)
      await run(`create trigger watching before delete on ${leaf}
        for each row execute function ${other}.fire()`)
      expectRefused(await upsert(), 'watching')
    })

    it('is found where it says which part a row belongs to', async () => {
      await run(`create function ${other}.number(bigint) returns bigint language sql immutable as 'select $1';
        alter function ${other}.number(bigint) owner to ${other};
        alter table ${table} detach partition ${(await parts())[0]!};
        alter table ${table} rename to away;
        create table ${table} (like ${home()}.away) partition by range (${other}.number(_row))`)
      expectRefused(await reload(uuid, 'k,n\n5,5\n'), nameOf(table))
    })

    it('is found where an expression names a type by a text, or PostgreSQL does not record its type', async function () {
      const [server] = await run(`select current_setting('server_version_num') as version`)
      if (Number(server!['version']) < 170_000) this.skip()
      await run(`create function ${other}.allows(text) returns boolean language sql as 'select true';
        alter function ${other}.allows(text) owner to ${other};
        create domain ${other}.word as text check (${other}.allows(value));
        alter domain ${other}.word owner to ${other};
        alter table ${table} add column more text`)
      for (const value of [
        `pg_input_is_valid('x', '${other}.word')::text`,
        `(json_value(jsonb '"x"', '$' returning ${other}.word))::text`,
      ]) {
        await run(`alter table ${table} alter column more set default ${value}`)
        expectRefused(await append(), 'more')
      }
    })

    it('does not run what the name of an index says', async () => {
      const led = `led_${randomUUID().slice(0, 8)}`
      await run(`create index "${table} (k);create table ${led}();--" on ${table} (k)`)
      expect((await append()).status).to.equal(200)
      expect(await run(`select from pg_class where relname = '${led}'`)).to.deep.equal([])
    })

    it('is found at the rejects', async () => {
      const options = { onInvalid: 'skip', columns: [{ name: 'k', type: 'number' }] }
      uuid = (await created(createFromFile(client, 'k,n\n1,1\nx,2\n', { options }))).uuid
      const [rejects] = await run(
        `select oid::regclass as name, relname from pg_class
         where relnamespace = '${home()}_loads'::regnamespace and relname ~ '^rejects_[0-9]+$'`,
      )
      const [name, plain] = [rejects!['name']!, rejects!['relname']!]
      await run(`create trigger watching before insert on ${name}
        for each row execute function ${other}.fire()`)
      expectRefused(await reload(uuid, 'k,n\n1,1\ny,2\n', { options }), 'watching')
      await run(`drop trigger watching on ${name};
        alter table ${name} rename to away; create view ${name} as select * from ${home()}_loads.away`)
      expectRefused(await client.get(`/sources/${uuid}/rejects`), plain)
      expectRefused(await reload(uuid, 'k,n\n1,1\ny,2\n', { options }), plain)
      await run(`drop view ${name}; alter table ${home()}_loads.away rename to ${plain}`)
      expect((await client.get(`/sources/${uuid}/rejects`)).body.total).to.equal(1)
    })

    it('is found in a source that rules look into, and in the one that a file is checked against', async () => {
      const rules = [{ unique: true }]
      const looking = await created(createFromFile(client, 'k\n1\n'))
      await run(`alter table ${table} rename to away;
        create view ${table} as select * from ${home()}.away`)
      const tried = await client.post(`/sources/${looking.uuid as string}/rules/try`, {
        column: 'k',
        rules: [{ in: { sourceUuid: uuid, column: 'k' } }],
      })
      expectRefused(tried, nameOf(table))
      const columns = [
        { name: 'k', column: 'k', type: 'number', rules },
        { name: 'n', column: 'n', type: 'number' },
      ]
      const shaped = await client.patch(`/sources/${uuid}/shape`, { columns })
      expect(shaped.status, shaped.text).to.equal(200)
      const content = sourceForm({ mode: 'append' }, 'k,n\n9,9\n')
      expectRefused(
        await client.request('POST', `/sources/${uuid}/check`, { content }),
        nameOf(table),
      )
    })
  })

  describe('a table of others that refers to rows which are replaced', () => {
    const ownerOf = async () =>
      (
        await run(`select relowner::regrole as name from pg_class where oid = '${table}'::regclass`)
      )[0]!['name']!
    /** Refers to all rows. */
    const refer = async (owner: string, how = '') =>
      run(`grant usage, create on schema ${other} to ${await ownerOf()};
        create table ${other}.notes (id bigint primary key, about bigint references ${table} ${how});
        insert into ${other}.notes select _row, _row from ${table};
        alter table ${other}.notes owner to ${owner}`)

    it('has to belong to the role of the enterprise: what it casts to runs in a session of the service', async () => {
      await refer(other, 'on delete cascade')
      expectRefused(await upsert(), `owner to ${await ownerOf()}`)
      await run(`alter table ${other}.notes owner to ${await ownerOf()}`)
      const taken = await upsert()
      expect(taken.status, taken.text).to.equal(200)
    })

    it('refuses what others attached to a table whose rows go along, however far', async () => {
      await refer(await ownerOf(), 'on delete cascade')
      await run(`create trigger watching after delete on ${other}.notes
        for each row execute function ${other}.fire()`)
      expectRefused(await upsert(), 'triggers')
      await run(`drop trigger watching on ${other}.notes;
        create table ${other}.more (about bigint references ${other}.notes on delete set null);
        alter table ${other}.more owner to ${other}`)
      expectRefused(await upsert(), `owner to ${await ownerOf()}`)
      await run(`drop table ${other}.more`)
      expect((await upsert()).status).to.equal(200)
    })

    it('does not refuse a load that adds rows', async () => {
      await refer(other)
      expect((await append()).status).to.equal(200)
    })

    it('refuses a reference to a table on which others force policies', async () => {
      await run(`create table ${other}.numbers (n bigint primary key);
        insert into ${other}.numbers values (1), (2), (9);
        alter table ${other}.numbers owner to ${other};
        alter table ${table} add constraint known foreign key (n) references ${other}.numbers;
        alter table ${other}.numbers enable row level security`)
      expect((await append()).status).to.equal(200)
      await run(`alter table ${other}.numbers force row level security`)
      expectRefused(await append(), 'known')
    })
  })
})
