import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, reloadWith } from '../../support/sources.ts'
import { eventually } from '../../support/patience.ts'

const APPENDS = 40
const ROWS_EACH = 3
/** So many may find the connection of their merge cut, at one step or another. */
const CUT_APPENDS = 30
const STEPS = 8

/** Before a write to what is on record of loads, or at the commit. */
const CUT_HOUSEKEEPING = `
  create sequence public.steps_left increment -1 minvalue -1000000 maxvalue 1000;
  create sequence public.cuts;
  create function public.end_of_connection() returns trigger language plpgsql as $$
    begin
      if now() < statement_timestamp() and current_setting('application_name') like '%housekeeping'
          and nextval('steps_left') = 0 then
        perform nextval('cuts');
        perform pg_terminate_backend(pg_backend_pid());
      end if;
      return null;
    end $$;
  create trigger step before insert or update on load_tables
    for each statement execute function end_of_connection();
  create trigger step before insert or update on loads
    for each statement execute function end_of_connection();
  create constraint trigger last_step after insert on load_tables
    deferrable initially deferred for each row execute function end_of_connection()`

describe('many small appends', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient
  let uuid: string
  let table: string
  let expected: number[]

  const reload = reloadWith(() => client)
  const run = async (sql: string) => (await app.database.pool.query(sql)).rows
  const loadsOf = async () =>
    (await client.get(`/sources/${uuid}/loads?limit=100`)).body.items as {
      uuid: string
      number: number
      state: string
    }[]
  const partitions = () =>
    run(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = '${table}'::regclass`,
    )
  const compare = async () => {
    const rows = await run(`select v::int from ${table} order by _row`)
    expect(rows.map(({ v }) => v)).to.deep.equal(expected)
    for (const page of [1, 7, Math.ceil(expected.length / 10), 400]) {
      const { body } = await client.get(`/sources/${uuid}/data?limit=10&page=${page}`)
      const shown = body.items.map(({ v }: { v: number }) => v)
      expect(shown).to.deep.equal(expected.slice((page - 1) * 10, page * 10))
      expect(body.total).to.equal(expected.length)
    }
  }

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
    const source = await created(createFromFile(client, 'v\n0\n'))
    uuid = source.uuid
    await run(CUT_HOUSEKEEPING)
    table = `enterprise_${admin.enterprise!.id}.${source.tableName}`
    await run(`create index by_v on ${table} (v)`)
    expected = [0]
    for (let append = 1; append <= APPENDS; append++) {
      await run(`select setval('steps_left', ${append <= CUT_APPENDS ? 1 + (append % STEPS) : -1})`)
      const values = Array.from({ length: ROWS_EACH }, (_, at) => append * 10 + at)
      const { status, text } = await reload(uuid, `v\n${values.join('\n')}\n`, { mode: 'append' })
      expect(status, text).to.equal(200)
      expected.push(...values)
    }
  })

  it('are merged wholly or not at all, whenever the connection for it is cut', async () => {
    const [{ cut }] = (await run(
      'select case when is_called then last_value else 0 end::int as cut from cuts',
    )) as [{ cut: number }]
    expect(cut).to.be.greaterThan(0)
    await compare()
  })

  it('end in few partitions, with the indexes of others', async () => {
    await eventually(async () => {
      expect((await partitions()).length).to.be.lessThan(12)
    })
    const [{ valid }] = (await run(
      `select bool_and(indisvalid) as valid from pg_index i join pg_inherits p on p.inhrelid = i.indrelid
       where p.inhparent = '${table}'::regclass`,
    )) as [{ valid: boolean }]
    expect(valid).to.equal(true)
    await compare()
  })

  it('leave no table behind that is not part of it', async () => {
    await eventually(async () => {
      const [{ tables, known }] = (await run(
        `select (select count(*)::int from pg_tables
                 where schemaname = 'enterprise_${admin.enterprise!.id}_loads') as tables,
                (select count(*)::int from load_tables where is_attached) as known`,
      )) as [{ tables: number; known: number }]
      expect(tables).to.equal(known)
    })
  })

  it('can each be taken out again, merged or not', async () => {
    const loads = await loadsOf()
    for (const number of [2, 15, 16, APPENDS + 1, APPENDS]) {
      const load = loads.find((each) => each.number === number)!
      const { status, text } = await client.delete(`/sources/${uuid}/loads/${load.uuid}`)
      expect(status, text).to.equal(200)
      expected = expected.filter((value) => Math.floor(value / 10) !== number - 1)
      await compare()
    }
  })

  it('are upserted into, and the last one is still undone', async () => {
    const replaced = [50, 191]
    const content = `v\n${replaced.join('\n')}\n7777\n`
    const upserted = await reload(uuid, content, { mode: 'upsert', key: 'v' })
    expect(upserted.status, upserted.text).to.equal(200)
    const before = expected
    expected = [...expected.filter((value) => !replaced.includes(value)), ...replaced, 7777]
    await compare()
    const back = await client.post(`/sources/${uuid}/rollback`, {})
    expect(back.status, back.text).to.equal(200)
    expected = before
    await compare()
  })
})

describe('appends that follow each other without a pause', () => {
  const app = useApp()

  it('are merged before a load, as no care for the table ever comes to its end', async () => {
    const admin = await app.build.user()
    const client = app.client.as(admin)
    const { uuid, tableName } = await created(createFromFile(client, 'v\n0\n'))
    await app.database.pool.query(
      `create function public.no_pause() returns trigger language plpgsql as $$
         begin
           if current_setting('application_name') like '%housekeeping' then
             raise exception 'the next load has begun';
           end if;
           return null;
         end $$;
       create trigger no_pause before insert or update on load_tables
         for each statement execute function no_pause()`,
    )
    for (let append = 1; append <= APPENDS; append++) {
      const { status, text } = await reloadWith(() => client)(uuid, `v\n${append}\n`, {
        mode: 'append',
      })
      expect(status, text).to.equal(200)
    }
    const table = `enterprise_${admin.enterprise!.id}.${tableName}`
    const { rows } = await app.database.pool.query<{ parts: number; values: number[] }>(
      `select (select count(*)::int from pg_inherits where inhparent = '${table}'::regclass) as parts,
              (select array_agg(v::int order by _row) from ${table}) as values`,
    )
    expect(rows[0]!.values).to.deep.equal(Array.from({ length: APPENDS + 1 }, (_, at) => at))
    expect(rows[0]!.parts).to.be.below(20)
  })
})
