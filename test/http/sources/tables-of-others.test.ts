import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { until } from '../../support/patience.ts'
import { created, createFromFile, reloadWith, rowsOfSource } from '../../support/sources.ts'

interface Place {
  readonly schema: string
  /** The generated table, as SQL takes it. */
  readonly table: string
}

type Run = (sql: string) => Promise<Record<string, unknown>[]>

/** Something that people make of a generated table, and how they find it there again. */
interface Thing {
  readonly make: (place: Place) => string
  readonly isThere: (place: Place, run: Run) => Promise<boolean>
  /** What is answered where it is not 200; the thing is there and as it was in any case. */
  readonly refused?: Partial<Record<Change, string>>
}

/** A role that every server has. */
const READER = 'pg_monitor'

const CREATED = 'k,n,t\n1,10,a\n2,20,b\n'

/** What is loaded next; `n` is the column that everything is about. */
const CHANGES = {
  'the same columns': { content: 'k,n,t\n1,11,a\n3,30,c\n', fields: {} },
  'one column more': { content: 'k,n,t,more\n1,11,a,x\n', fields: {} },
  'one column less': { content: 'k,t\n1,a\n', fields: {} },
  'a wider type': { content: 'k,n,t\n1,eleven,a\n', fields: {} },
  'appended rows': { content: 'k,n,t\n3,30,c\n', fields: { mode: 'append' } },
  'appended rows that are wider': { content: 'k,n,t\n3,3.5,c\n', fields: { mode: 'append' } },
  'upserted rows': { content: 'k,n,t\n2,21,b\n', fields: { mode: 'upsert', key: 'k' } },
} as const
type Change = keyof typeof CHANGES | 'a rollback' | 'a deletion'

const COLUMN = 'SourceColumnInUseException'
const TABLE = 'SourceInUseException'
/** What depends on the column itself. */
const ON_COLUMN: Thing['refused'] = {
  'a wider type': COLUMN,
  'appended rows that are wider': COLUMN,
  'a deletion': TABLE,
}
const exists = async (run: Run, sql: string) => (await run(sql)).length > 0

const THINGS: Readonly<Record<string, Thing>> = {
  'a grant': {
    make: ({ table }) => `grant select on ${table} to ${READER}`,
    isThere: (place, run) =>
      exists(run, `select 1 where has_table_privilege('${READER}', '${place.table}', 'select')`),
  },
  'a comment': {
    make: ({ table }) =>
      `comment on table ${table} is 'ours'; comment on column ${table}.n is 'in euros'`,
    isThere: ({ table }, run) =>
      exists(
        run,
        `select 1 from pg_attribute where attrelid = '${table}'::regclass and attname = 'n'
           and col_description(attrelid, attnum) = 'in euros'
           and obj_description(attrelid) = 'ours'`,
      ),
  },
  'a view': {
    make: ({ schema, table }) => `create view ${schema}.seen as select n from ${table}`,
    isThere: ({ schema }, run) =>
      exists(run, `select 1 from (select count(n) from ${schema}.seen) c`),
    refused: ON_COLUMN,
  },
  'a materialised view': {
    make: ({ schema, table }) =>
      `create materialized view ${schema}.kept as select sum(n) as n from ${table}`,
    async isThere({ schema }, run) {
      await run(`refresh materialized view ${schema}.kept`)
      return true
    },
    refused: ON_COLUMN,
  },
  'an index': {
    make: ({ table }) => `create index found_by_n on ${table} (n) where n > 0`,
    isThere: ({ table }, run) =>
      exists(
        run,
        `select 1 from pg_index where indrelid = '${table}'::regclass and indisvalid
           and pg_get_indexdef(indexrelid) ~ 'found_by_n'`,
      ),
    refused: { 'a wider type': COLUMN, 'appended rows that are wider': COLUMN },
  },
  'a check': {
    make: ({ table }) => `alter table ${table} add constraint positive check (n > 0)`,
    isThere: ({ table }, run) =>
      exists(
        run,
        `select 1 from pg_constraint where conrelid = '${table}'::regclass and conname = 'positive'
           and convalidated`,
      ),
    refused: ON_COLUMN,
  },
  'a publication': {
    make: ({ table }) => `create publication sent_on for table ${table}`,
    isThere: ({ table }, run) =>
      exists(run, `select 1 from pg_publication_rel where prrelid = '${table}'::regclass`),
  },
  'a reference from the table': {
    make: ({ schema, table }) =>
      `create table ${schema}.numbers as select generate_series(1, 40)::bigint as n;
       alter table ${schema}.numbers add primary key (n);
       alter table ${table} add constraint known foreign key (n) references ${schema}.numbers (n)`,
    isThere: ({ table }, run) =>
      exists(
        run,
        `select 1 from pg_constraint where conrelid = '${table}'::regclass and conname = 'known'
           and convalidated`,
      ),
    refused: ON_COLUMN,
  },
  'a reference to a row of the table': {
    make: ({ schema, table }) =>
      `create table ${schema}.notes (about bigint references ${table});
       insert into ${schema}.notes select max(_row) from ${table}`,
    isThere: ({ schema, table }, run) =>
      exists(run, `select 1 from ${schema}.notes n join ${table} t on t._row = n.about`),
    refused: {
      'the same columns': TABLE,
      'one column more': TABLE,
      'one column less': TABLE,
      'a wider type': TABLE,
      'appended rows that are wider': TABLE,
      'upserted rows': TABLE,
      'a rollback': TABLE,
      'a deletion': TABLE,
    },
  },
}

type Step = 'append' | 'upsert' | 'undo' | 'redo' | 'wider' | 'replace' | 'back'

/** What an owner does to the table itself, and which of the steps after it are refused with 409. */
interface OwnChange {
  readonly make: (place: Place) => string
  readonly refuses?: readonly Step[]
}

const UPSERT = { mode: 'upsert', key: 'k' }

const OWN_CHANGES: Readonly<Record<string, OwnChange>> = {
  'columns that PostgreSQL computes': {
    make: ({ table }) =>
      `alter table ${table} add column twice bigint generated always as (n * 2) virtual,
                            add column loud text generated always as (upper(t)) stored`,
  },
  'a column that PostgreSQL numbers': {
    make: ({ table }) => `alter table ${table} add column id bigint generated always as identity`,
  },
  'another collation': {
    make: ({ table }) => `alter table ${table} alter column t type text collate "C"`,
  },
  'another type': {
    make: ({ table }) => `alter table ${table} alter column t type varchar(20)`,
  },
  'a policy, a trigger and statistics': {
    make: ({ schema, table }) =>
      `create function ${schema}.note() returns trigger language plpgsql as 'begin return null; end';
       create trigger noted after insert or delete on ${table}
         for each row execute function ${schema}.note();
       create policy own on ${table} using (n > 0);
       alter table ${table} enable row level security;
       create statistics ${schema}.known (dependencies) on k, t from ${table}`,
    refuses: ['wider'],
  },
  'a trigger that keeps rows': {
    make: ({ schema, table }) =>
      `create function ${schema}.keep() returns trigger language plpgsql as 'begin return null; end';
       create trigger kept before delete on ${table}
         for each row execute function ${schema}.keep()`,
    refuses: ['upsert'],
  },
  'a reference that is checked when the transaction ends': {
    make: ({ schema, table }) =>
      `create table ${schema}.notes (about bigint references ${table} deferrable initially deferred);
       insert into ${schema}.notes select _row from ${table} where k = 2`,
    refuses: ['upsert', 'wider', 'replace'],
  },
  'a publication of some columns': {
    make: ({ table }) => `create publication sent_on for table ${table} (k, n)
         with (publish_via_partition_root = true)`,
    refuses: ['upsert', 'wider'],
  },
  'columns that came and went until there can be no more': {
    make({ table }) {
      const names = Array.from({ length: 1590 }, (_, at) => `gone_${at}`)
      const each = (change: (name: string) => string) =>
        `alter table ${table} ${names.map(change).join(', ')}`
      return `${each((name) => `add column ${name} int`)}; ${each((name) => `drop column ${name}`)}`
    },
    refuses: ['replace'],
  },
}

describe('what people build on a generated table', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient
  const run: Run = async (sql) => (await app.database.pool.query(sql)).rows

  beforeEach(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })
  const reload = reloadWith(() => client)
  const items = rowsOfSource(() => client)

  async function newTable(): Promise<{ uuid: string; place: Place }> {
    const { uuid, tableName } = await created(createFromFile(client, CREATED))
    const schema = `enterprise_${admin.enterprise!.id}`
    return { uuid, place: { schema, table: `${schema}.${tableName}` } }
  }

  async function change(uuid: string, what: Change, place: Place, thing: Thing) {
    if (what === 'a deletion') {
      await run(thing.make(place))
      return client.delete(`/sources/${uuid}`)
    }
    if (what === 'a rollback') {
      expect((await reload(uuid, 'k,n,t\n9,9,z\n')).status).to.equal(200)
      await run(thing.make(place))
      return client.post(`/sources/${uuid}/rollback`, {})
    }
    await run(thing.make(place))
    const { content, fields } = CHANGES[what]
    return reload(uuid, content, fields)
  }

  async function cleanUp(): Promise<void> {
    await run(`drop publication if exists sent_on`)
    await run(`drop schema if exists enterprise_${admin.enterprise!.id} cascade`)
  }

  for (const [name, thing] of Object.entries(THINGS)) {
    describe(name, () => {
      afterEach(cleanUp)

      for (const what of [...Object.keys(CHANGES), 'a rollback', 'a deletion'] as Change[]) {
        const code = thing.refused?.[what]
        const outcome = code === undefined ? 'stays with' : `forbids, with ${code},`
        it(`${outcome} ${what}`, async () => {
          const { uuid, place } = await newTable()
          const answer: TestResponse = await change(uuid, what, place, thing)
          if (code === undefined) expect(answer.status, answer.text).to.equal(200)
          else expect([answer.status, answer.body.code], answer.text).to.deep.equal([409, code])
          if (what === 'a deletion' && code === undefined) return
          expect(await thing.isThere(place, run), 'is there').to.equal(true)
          const { rowCount } = (await client.get(`/sources/${uuid}`)).body
          const shown = await items(uuid)
          expect(shown).to.have.length(rowCount)
          const [{ count }] = (await run(`select count(*)::int as count from ${place.table}`)) as [
            { count: number },
          ]
          expect(count).to.equal(rowCount)
        })
      }
    })
  }

  describe('and a column that others use', () => {
    afterEach(cleanUp)

    it('stays empty when it is not sent any more, and is named; it leaves when nobody uses it', async () => {
      const { uuid, place } = await newTable()
      await run(`create view ${place.schema}.seen as select n from ${place.table}`)
      const { body, status, text } = await reload(uuid, 'k,t\n1,a\n')
      expect(status, text).to.equal(200)
      expect(body.columns[1]).to.include({ name: 'n', sqlType: 'bigint', sent: false })
      expect(JSON.stringify(body.report.warnings)).to.contain('“n”').and.contain('“seen”')
      expect(body.report.drift.removed).to.deep.equal([{ name: 'n', type: 'number' }])
      expect(await items(uuid)).to.deep.equal([{ k: 1, t: 'a', n: null }])
      const again = await reload(uuid, 'k,n,t\n1,5,a\n')
      expect(again.body.columns.map(({ sent }: { sent?: boolean }) => sent)).to.deep.equal([
        undefined,
        undefined,
        undefined,
      ])
      expect(await run(`select n::int from ${place.schema}.seen`)).to.deep.equal([{ n: 5 }])
      await reload(uuid, 'k,t\n1,a\n')
      await run(`drop view ${place.schema}.seen`)
      const { columns } = (await client.get(`/sources/${uuid}/shape`)).body
      const rest = columns.filter(({ name }: { name: string }) => name !== 'n')
      const left = await client.patch(`/sources/${uuid}/shape`, { columns: rest })
      expect(left.status, left.text).to.equal(200)
      const without = await reload(uuid, 'k,t\n2,b\n')
      expect(without.body.columns).to.have.length(2)
      const back = await client.post(`/sources/${uuid}/rollback`, {})
      expect(back.status, back.text).to.equal(200)
      expect(await items(uuid)).to.deep.equal([{ k: 1, t: 'a' }])
    })

    it('stays as wide as it is when narrower values come', async () => {
      const { uuid, tableName } = await created(
        createFromFile(client, 'a,b,c\n1.5,x,2024-01-01 10:00\n'),
      )
      const schema = `enterprise_${admin.enterprise!.id}`
      await run(`create view ${schema}.seen as select a, b, c from ${schema}.${tableName}`)
      const { body, status, text } = await reload(uuid, 'a,b,c\n2,007,2024-02-03\n3,8,2024-02-04\n')
      expect(status, text).to.equal(200)
      expect(body.columns.map(({ sqlType }: { sqlType: string }) => sqlType)).to.deep.equal([
        'numeric',
        'text',
        'timestamptz',
      ])
      expect(await run(`select a::text, b from ${schema}.seen order by a`)).to.deep.equal([
        { a: '2', b: '007' },
        { a: '3', b: '8' },
      ])
      await run(`drop view ${schema}.seen`)
      const narrow = await reload(uuid, 'a,b,c\n2,8,2024-02-03\n')
      expect(narrow.body.columns.map(({ sqlType }: { sqlType: string }) => sqlType)).to.deep.equal([
        'bigint',
        'bigint',
        'date',
      ])
    })

    it('says how many use it, and names those of its own schema alone', async () => {
      const { uuid, place } = await newTable()
      const foreign = `enterprise_${(await app.build.user()).enterprise!.id}`
      await run(`create schema if not exists ${foreign}`)
      await run(`create view ${foreign}.secret_of_others as select n from ${place.table}`)
      await run(`create view ${place.schema}.own_report as select n from ${place.table}`)
      const column = await reload(uuid, 'k,n,t\n1,eleven,a\n')
      const table = await client.delete(`/sources/${uuid}`)
      for (const { status, body, text } of [column, table]) {
        expect(status).to.equal(409)
        expect(body).to.deep.include({ dependents: 2, dependentNames: ['own_report'] })
        expect(body.detail).to.contain('2 objects').and.contain('“own_report”')
        expect(text).to.not.contain('secret_of_others').and.not.contain(foreign)
      }
      expect(column.body.detail).to.contain('“n”')
      await run(`drop view ${foreign}.secret_of_others; drop view ${place.schema}.own_report`)
      expect((await client.delete(`/sources/${uuid}`)).status).to.equal(200)
    })

    it('may be commented on, and append, upsert and corrections go on working', async () => {
      const options = { onInvalid: 'skip', columns: [{ name: 'Prix TTC', type: 'number' }] }
      const { uuid, tableName } = await created(
        createFromFile(client, 'Clé,Prix TTC\n1,10\n2,x\n', { options }),
      )
      const table = `enterprise_${admin.enterprise!.id}.${tableName}`
      await run(
        `comment on column ${table}.prix_ttc is 'with taxes'; comment on column ${table}.cle is null`,
      )
      const mended = (await client.get(`/sources/${uuid}/rejects?format=csv`)).text.replace(
        ',x',
        ',20',
      )
      const form = new FormData()
      form.append('file', new Blob([mended]), 'mended.csv')
      for (const answer of [
        await reload(uuid, 'Clé,Prix TTC\n3,30\n', { mode: 'append' }),
        await reload(uuid, 'Clé,Prix TTC\n1,11\n', { mode: 'upsert', key: 'Clé' }),
        await client.request('POST', `/sources/${uuid}/rejects`, { content: form }),
        await reload(uuid, 'Clé,Prix TTC\n1,12\n'),
      ]) {
        expect(answer.status, answer.text).to.equal(200)
      }
      const comments = await run(
        `select col_description('${table}'::regclass, attnum) as said from pg_attribute
         where attrelid = '${table}'::regclass and attname = 'prix_ttc'`,
      )
      expect(comments).to.deep.equal([{ said: 'with taxes' }])
    })
  })

  describe('and rows that they forbid', () => {
    afterEach(cleanUp)

    it('are refused without a trace, and the names of others are not told', async () => {
      const { uuid, place } = await newTable()
      await run(`alter table ${place.table} add constraint small check (n < 50)`)
      const refused = await reload(uuid, 'k,n,t\n1,99,a\n')
      expect([refused.status, refused.body.code]).to.deep.equal([409, TABLE])
      expect(refused.text).not.to.include('small')
      const why = () => app.log.some((line) => line.includes('check constraint \\"small\\"'))
      await until('the log says what PostgreSQL said', why)
      await run(`alter table ${place.table} alter column t set not null`)
      const blank = await reload(uuid, 'k,n,t\n1,9,\n')
      expect([blank.status, blank.body.code]).to.deep.equal([409, TABLE])
      expect(await items(uuid)).to.have.length(2)
      expect((await reload(uuid, 'k,n,t\n1,9,x\n')).status).to.equal(200)
    })

    it('may have columns of their own beside those that are loaded', async () => {
      const { uuid, place } = await newTable()
      await run(`alter table ${place.table} add column note text default 'none'`)
      await run(`update ${place.table} set note = 'seen'`)
      expect((await reload(uuid, 'k,n,t\n3,30,c\n', { mode: 'append' })).status).to.equal(200)
      expect((await reload(uuid, 'k,n,t\n4,40,d\n')).status).to.equal(200)
      expect(await items(uuid)).to.deep.equal([{ k: 4, n: 40, t: 'd' }])
      expect((await client.post(`/sources/${uuid}/rollback`, {})).status).to.equal(200)
      expect(await run(`select note from ${place.table} order by _row`)).to.deep.equal([
        { note: 'seen' },
        { note: 'seen' },
        { note: 'none' },
      ])
    })
  })

  describe('and what its owner changes about it', () => {
    afterEach(cleanUp)

    for (const [name, { make, refuses = [] }] of Object.entries(OWN_CHANGES)) {
      it(`lets it be loaded, and refuses nothing but ${refuses.join(', ') || 'nothing'}: ${name}`, async () => {
        const { uuid, place } = await newTable()
        expect((await reload(uuid, 'k,n,t\n1,10,a\n2,20,b\n3,30,c\n')).status).to.equal(200)
        await run(make(place))
        const steps: Readonly<Record<Step, () => Promise<TestResponse>>> = {
          append: () => reload(uuid, 'k,n,t\n4,40,d\n', { mode: 'append' }),
          upsert: () => reload(uuid, 'k,n,t\n2,21,b\n5,50,e\n5,51,e\n', UPSERT),
          undo: () => client.post(`/sources/${uuid}/rollback`, {}),
          redo: () => client.post(`/sources/${uuid}/rollback`, {}),
          wider: () => reload(uuid, 'k,n,t\n6.5,60,f\n', { mode: 'append' }),
          replace: () => reload(uuid, 'k,n,t,more\n1,11,a,x\n2,22,b,y\n'),
          back: () => client.post(`/sources/${uuid}/rollback`, {}),
        }
        for (const [step, take] of Object.entries(steps)) {
          const { status, body, text } = await take()
          const told = [step, text].join(': ')
          if (status === 409) {
            expect(refuses, told).to.include(step)
            expect(body.code).to.be.oneOf([TABLE, COLUMN, 'SourceLoadConflictException'])
          } else expect(status, told).to.equal(200)
          const { rowCount } = (await client.get(`/sources/${uuid}`)).body
          expect(await items(uuid), told).to.have.length(rowCount)
          const [{ count }] = (await run(`select count(*)::int as count from ${place.table}`)) as [
            { count: number },
          ]
          expect(count, told).to.equal(rowCount)
        }
      })
    }

    it('is told where the table, or a column of it, is not there, until it is put back', async () => {
      const { uuid, place } = await newTable()
      const name = place.table.split('.')[1]!
      const data = () => client.get(`/sources/${uuid}/data`)
      const refused = async (answer: Promise<TestResponse>, said: string) => {
        const { status, body, text } = await answer
        expect([status, body.code], text).to.deep.equal([409, TABLE])
        expect(body.detail).to.include(said)
      }
      await run(`alter table ${place.table} rename to another_name`)
      await refused(data(), name)
      await refused(reload(uuid, 'k,n,t\n3,30,c\n'), 'another_name')
      await refused(reload(uuid, 'k,n,t\n3,30,c\n', { mode: 'append' }), 'another_name')
      await refused(client.delete(`/sources/${uuid}`), 'another_name')
      await run(`alter table ${place.schema}.another_name rename to ${name}`)
      expect(await items(uuid)).to.have.length(2)

      await run(`alter table ${place.table} drop column n`)
      await refused(data(), name)
      await refused(client.get(`/sources/${uuid}/export?format=csv`), name)
      expect((await reload(uuid, 'k,n,t\n3,30,c\n')).status).to.equal(200)
      expect(await items(uuid)).to.deep.equal([{ k: 3, n: 30, t: 'c' }])

      const [{ part }] = (await run(
        `select inhrelid::regclass::text as part from pg_inherits
         where inhparent = '${place.table}'::regclass`,
      )) as [{ part: string }]
      await run(`alter table ${place.table} detach partition ${part}`)
      await refused(reload(uuid, 'k,n,t\n4,40,d\n', { mode: 'append' }), name)
      await run(`drop table ${place.table}`)
      await refused(data(), name)
      expect((await reload(uuid, 'k,n,t\n4,40,d\n')).status).to.equal(200)
      expect(await items(uuid)).to.deep.equal([{ k: 4, n: 40, t: 'd' }])

      await run(`drop table ${place.table}`)
      expect((await client.delete(`/sources/${uuid}`)).status).to.equal(200)
    })
  })
})
