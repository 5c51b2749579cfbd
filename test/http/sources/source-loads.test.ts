import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { eventually } from '../../support/patience.ts'
import {
  created,
  createFromFile,
  footprint,
  reloadWith,
  rowsOfSource,
  sourceForm,
} from '../../support/sources.ts'
import { type PendingCut, startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

interface ShownLoad {
  readonly uuid: string
  readonly number: number
  readonly kind: string
  readonly mode: string | null
  readonly state: string
}

describe('the loads of a source', () => {
  let proxy: TcpProxy
  const app = useApp({
    async adjust(config) {
      const { database } = config
      if (database.kind !== 'external') throw new Error('The test application has a database')
      const { url, sessionUrl } = database
      proxy = await startTcpProxy(sessionUrl)
      const through = proxy.through(sessionUrl)
      const proxied = { sessionUrl: through, url: url === sessionUrl ? through : url }
      return { ...config, database: { ...database, ...proxied } }
    },
  })
  after(() => proxy[Symbol.asyncDispose]())
  let admin: Actor
  let client: TestClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  const reload = reloadWith(() => client)
  const items = rowsOfSource(() => client)
  const mine = () => footprint(app, admin.enterprise!.id)
  const loadsOf = async (uuid: string): Promise<ShownLoad[]> =>
    (await client.get(`/sources/${uuid}/loads?limit=100`)).body.items
  const statesOf = async (uuid: string) =>
    (await loadsOf(uuid)).map(({ number, state }) => `${number} ${state}`).toReversed()
  const rollBack = (uuid: string, load?: string) =>
    client.post(`/sources/${uuid}/rollback`, load === undefined ? {} : { load })
  const ok = async (answer: Promise<TestResponse>): Promise<TestResponse['body']> => {
    const { status, text, body } = await answer
    expect(status, text).to.equal(200)
    return body
  }
  const refused = async (answer: Promise<TestResponse>, code: string) => {
    const { status, body, text } = await answer
    expect([status, body.code], text).to.deep.equal([409, code])
    return body
  }
  /** In psql, the rows of the table in their order. */
  const inTable = async (tableName: string, column = 'v') => {
    const { rows } = await app.database.pool.query<{ v: unknown }>(
      `select ${column} as v from enterprise_${admin.enterprise!.id}.${tableName} order by _row`,
    )
    return rows.map(({ v }) => v)
  }

  it('are all on record, also those that failed, with what was sent and what came of it', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const failed = await reload(uuid, 'k,v\n1,a\n1,2,3\n')
    expect(failed.status).to.equal(400)
    await ok(reload(uuid, 'k,v\n2,b\n', { mode: 'append' }))
    const loads = (await client.get(`/sources/${uuid}/loads`)).body.items
    expect(
      loads.map(({ number, kind, mode, state }: ShownLoad) => [number, kind, mode, state]),
    ).to.deep.equal([
      [3, 'reload', 'append', 'current'],
      [2, 'reload', 'replace', 'failed'],
      [1, 'creation', 'replace', 'current'],
    ])
    expect(loads[1].error).to.include({ status: 400, code: 'SourceFileMalformedException' })
    expect(loads[1]).to.include({ counts: null, publishedAt: null, filename: 'data.csv' })
    expect(loads[1].sha256).to.match(/^[0-9a-f]{64}$/)
    expect(loads[0].counts).to.deep.equal({ read: 1, loaded: 1, rejected: 0, blank: 0 })
    expect(loads[0].loadedBy.uuid).to.equal(admin.uuid)
    const one = await ok(client.get(`/sources/${uuid}/loads/${loads[0].uuid}`))
    expect(one).to.deep.equal(loads[0])
  })

  it('bring back what was shown before the last publication, and the other way round', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'v\n1\n2\n'))
    await ok(reload(uuid, 'v\n3\n'))
    expect(await statesOf(uuid)).to.deep.equal(['1 kept', '2 current'])
    const back = await ok(rollBack(uuid))
    expect(back).to.include({ rowCount: 2 })
    expect(await items(uuid)).to.deep.equal([{ v: 1 }, { v: 2 }])
    expect(await inTable(tableName)).to.deep.equal([1, 2])
    expect(await statesOf(uuid)).to.deep.equal(['1 current', '2 kept', '3 current'])
    const forth = await ok(rollBack(uuid))
    expect(forth).to.include({ rowCount: 1 })
    expect(await items(uuid)).to.deep.equal([{ v: 3 }])
    expect(await statesOf(uuid)).to.deep.equal(['1 kept', '2 current', '3 gone', '4 current'])
    const [last] = await loadsOf(uuid)
    expect(last).to.include({ kind: 'rollback', mode: null })
  })

  it('that were appended or upserted are undone and redone', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n3,c\n'))
    await client.patch(`/sources/${uuid}`, { keepLoads: 5 })
    await ok(reload(uuid, 'k,v\n2,B\n4,D\n', { mode: 'upsert', key: 'k' }))
    expect(await inTable(tableName)).to.deep.equal(['a', 'c', 'B', 'D'])
    await ok(reload(uuid, 'k,v\n3,C\n4,DD\n', { mode: 'upsert', key: 'k' }))
    expect(await inTable(tableName)).to.deep.equal(['a', 'B', 'C', 'DD'])
    await ok(reload(uuid, 'k,v\n5,E\n', { mode: 'append' }))
    const loads = (await loadsOf(uuid)).toReversed()
    for (const [load, rows] of [
      [0, ['a', 'b', 'c']],
      [2, ['a', 'B', 'C', 'DD']],
      [1, ['a', 'c', 'B', 'D']],
      [3, ['a', 'B', 'C', 'DD', 'E']],
    ] as const) {
      const { rowCount } = await ok(rollBack(uuid, loads[load]!.uuid))
      expect(rowCount).to.equal(rows.length)
      expect(await inTable(tableName)).to.deep.equal(rows)
      const shown = (await items(uuid)).map(({ v }: { v: string }) => v)
      expect(shown).to.deep.equal(rows)
    }
  })

  it('are staged to be looked at, and published or dropped', async () => {
    const before = await mine()
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    const staged = await ok(reload(uuid, 'v\n2\n3\n', { publish: 'false' }))
    expect(staged).to.include({ kind: 'reload', state: 'staged', publishedAt: null })
    expect(staged.counts.loaded).to.equal(2)
    expect(await items(uuid)).to.deep.equal([{ v: 1 }])
    const source = await ok(client.post(`/sources/${uuid}/loads/${staged.uuid}/publish`))
    expect(source).to.include({ rowCount: 2 })
    expect(await items(uuid)).to.deep.equal([{ v: 2 }, { v: 3 }])
    await refused(
      client.post(`/sources/${uuid}/loads/${staged.uuid}/publish`),
      'SourceLoadConflictException',
    )
    const dropped = await ok(reload(uuid, null, { publish: false }))
    const withStaged = await mine()
    expect((await ok(client.delete(`/sources/${uuid}/loads/${dropped.uuid}`))).message).to.be.a(
      'string',
    )
    expect((await mine()).parts).to.equal(withStaged.parts - 1)
    expect((await ok(client.get(`/sources/${uuid}/loads/${dropped.uuid}`))).state).to.equal('gone')
    await ok(client.delete(`/sources/${uuid}`))
    expect(await mine()).to.deep.equal(before)
  })

  it('that were staged to be added follow what was published meanwhile', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n'))
    const append = await ok(reload(uuid, 'k,v\n3,c\n', { mode: 'append', publish: 'false' }))
    const upsert = await ok(
      reload(uuid, 'k,v\n1,A\n', { mode: 'upsert', key: 'k', publish: 'false' }),
    )
    await ok(reload(uuid, 'k,v\n9,z\n', { mode: 'append' }))
    await ok(client.post(`/sources/${uuid}/loads/${append.uuid}/publish`))
    expect(await inTable(tableName)).to.deep.equal(['a', 'b', 'z', 'c'])
    await ok(client.post(`/sources/${uuid}/loads/${upsert.uuid}/publish`))
    expect(await inTable(tableName)).to.deep.equal(['b', 'z', 'c', 'A'])
    await ok(rollBack(uuid))
    expect(await inTable(tableName)).to.deep.equal(['a', 'b', 'z', 'c'])
  })

  it('that were staged by a key wait while the table has it more than once', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const fields = { mode: 'upsert', key: 'k', publish: 'false' }
    const staged = await ok(reload(uuid, 'k,v\n1,A\n', fields))
    await ok(reload(uuid, 'k,v\n1,b\n', { mode: 'append' }))
    const publish = () => client.post(`/sources/${uuid}/loads/${staged.uuid}/publish`)
    await refused(publish(), 'SourceLoadConflictException')
    expect((await publish()).body).to.not.have.property('errors')
    await ok(rollBack(uuid))
    await ok(publish())
    expect(await items(uuid)).to.deep.equal([{ k: 1, v: 'A' }])
  })

  it('that were appended are taken out again, also from the middle', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const append = async (rows: string) => {
      await ok(reload(uuid, `k,v\n${rows}`, { mode: 'append' }))
      return (await loadsOf(uuid))[0]!.uuid
    }
    const first = await append('2,b\n3,c\n')
    const second = await append('4,d\n')
    await ok(reload(uuid, 'k,v\n2,B\n', { mode: 'upsert', key: 'k' }))
    const upsert = (await loadsOf(uuid))[0]!.uuid
    await ok(client.delete(`/sources/${uuid}/loads/${first}`))
    expect(await inTable(tableName)).to.deep.equal(['a', 'd', 'B'])
    expect((await client.get(`/sources/${uuid}`)).body.rowCount).to.equal(3)
    await ok(client.delete(`/sources/${uuid}/loads/${upsert}`))
    // The row that the upsert had replaced was of the load that is gone.
    expect(await inTable(tableName)).to.deep.equal(['a', 'd'])
    await ok(client.delete(`/sources/${uuid}/loads/${second}`))
    expect(await items(uuid)).to.deep.equal([{ k: 1, v: 'a' }])
    const [creation] = (await loadsOf(uuid)).toReversed()
    await refused(
      client.delete(`/sources/${uuid}/loads/${creation!.uuid}`),
      'SourceLoadConflictException',
    )
  })

  it('are kept only as many as the source says', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n0\n'))
    expect(await ok(client.patch(`/sources/${uuid}`, { keepLoads: 3 }))).to.include({
      keepLoads: 3,
    })
    for (const value of [1, 2, 3, 4]) await ok(reload(uuid, `v\n${value}\n`))
    expect(await statesOf(uuid)).to.deep.equal([
      '1 gone',
      '2 kept',
      '3 kept',
      '4 kept',
      '5 current',
    ])
    const parts = (await mine()).parts
    await ok(client.patch(`/sources/${uuid}`, { keepLoads: 1 }))
    expect((await mine()).parts).to.equal(parts - 2)
    expect(await statesOf(uuid)).to.deep.equal([
      '1 gone',
      '2 gone',
      '3 gone',
      '4 kept',
      '5 current',
    ])
    await ok(client.patch(`/sources/${uuid}`, { keepLoads: 0 }))
    await refused(rollBack(uuid), 'SourceLoadConflictException')
    const gone = (await loadsOf(uuid)).at(-1)!
    await refused(rollBack(uuid, gone.uuid), 'SourceLoadConflictException')
    for (const keepLoads of [-1, 21, 1.5, null]) {
      expect((await client.patch(`/sources/${uuid}`, { keepLoads })).status).to.equal(400)
    }
  })

  it('say how many bytes they take', async () => {
    const { uuid } = await created(createFromFile(client, `v\n${'some text\n'.repeat(2000)}`))
    const { bytes } = await ok(client.get(`/sources/${uuid}`))
    expect(bytes.current).to.be.greaterThan(20_000)
    expect(bytes.kept).to.equal(0)
    const after = await ok(reload(uuid, 'v\n1\n'))
    expect(after.bytes.kept).to.equal(bytes.current)
    expect(after.bytes.current).to.be.lessThan(bytes.current)
    expect(after.keepLoads).to.equal(1)
    const upserted = await ok(reload(uuid, 'v\n1\n', { mode: 'upsert', key: 'v' }))
    expect(upserted.bytes.current).to.be.greaterThan(after.bytes.current)
    expect(upserted.bytes.kept, 'the row that was replaced').to.be.greaterThan(0)
  })

  it('are found by users who may see the source, by the uuid of the load', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    const other = await created(createFromFile(client, 'v\n1\n'))
    const [load] = await loadsOf(uuid)
    const foreign = app.client.as(await app.build.user())
    for (const [asking, source] of [
      [foreign, uuid],
      [client, other.uuid],
    ] as const) {
      const path = `/sources/${source}/loads/${load!.uuid}`
      const answers = [
        await asking.get(path),
        await asking.delete(path),
        await asking.post(`${path}/publish`),
        await asking.post(`/sources/${source}/rollback`, { load: load!.uuid }),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404])
    }
  })

  it('bring back rejects with the state that had them', async () => {
    const options = { onInvalid: 'skip', columns: [{ name: 'n', type: 'number' }] }
    const { uuid } = await created(createFromFile(client, 'n\n1\nx\ny\n', { options }))
    const rejects = async () =>
      (await client.get(`/sources/${uuid}/rejects`)).body.items.map(
        ({ raw }: { raw: string }) => raw,
      )
    const csv = (await client.get(`/sources/${uuid}/rejects?format=csv`)).text
    const send = (text: string) =>
      client.request('POST', `/sources/${uuid}/rejects`, { content: sourceForm({}, text) })
    const mended = csv.replace(/,x\r\n/, ',2\r\n')
    expect(await ok(send(mended))).to.include({ rowCount: 2, rejectedCount: 1 })
    expect(await rejects()).to.deep.equal(['{"n":"y"}'])
    await ok(rollBack(uuid))
    expect(await rejects()).to.deep.equal(['x', 'y'])
    await ok(rollBack(uuid))
    expect(await rejects()).to.deep.equal(['{"n":"y"}'])
    const [, corrections] = await loadsOf(uuid)
    const load = (await loadsOf(uuid)).find(({ kind }) => kind === 'rejects')!
    expect(corrections).to.not.equal(undefined)
    await ok(client.delete(`/sources/${uuid}/loads/${load.uuid}`))
    expect(await rejects()).to.deep.equal(['x', 'y'])
    expect((await client.get(`/sources/${uuid}`)).body).to.include({
      rowCount: 1,
      rejectedCount: 2,
    })
  })

  describe('whose connection to the database is cut, step by step', () => {
    /** Before every write to what is on record, and at the commit. */
    before(() =>
      app.database.pool.query(
        `create sequence public.steps_left increment -1 minvalue -1000000 maxvalue 1000 start 1000;
         create function public.end_of_connection() returns void language plpgsql as $$
           begin
             -- Of a transaction of several statements, which sweeps are not, and no housekeeping.
             if now() < statement_timestamp()
                 and current_setting('application_name') not like '%housekeeping'
                 and nextval('steps_left') = 0 then
               perform pg_terminate_backend(pg_backend_pid());
             end if;
           end $$;
         create function public.step_of_rows() returns trigger language plpgsql as $$
           begin perform end_of_connection(); return null; end $$;
         create trigger step before insert or update or delete on loads
           for each statement execute function step_of_rows();
         create trigger step before insert or update or delete on load_tables
           for each statement execute function step_of_rows();
         create trigger step before insert or update or delete on generated_tables
           for each statement execute function step_of_rows();
         create constraint trigger last_step after update on generated_tables
           deferrable initially deferred for each row execute function step_of_rows()`,
      ),
    )
    after(() =>
      app.database.pool.query(
        `drop function step_of_rows() cascade; drop function end_of_connection();
         drop sequence steps_left`,
      ),
    )

    interface Cuts {
      /** Of the connection that comes to this step, from 1. */
      arm(step: number): Promise<void>
      disarm(): Promise<void>
    }

    const atWrites: Cuts = {
      async arm(step) {
        await app.database.pool.query("select setval('steps_left', $1)", [step])
      },
      async disarm() {
        await app.database.pool.query("select setval('steps_left', -1)")
      },
    }

    const DEFINITIONS = /\b(?:create table|create (?:unique )?index|(?:alter|drop|lock) table)\b/i
    let cut: PendingCut
    const atDefinitions = (when: 'before' | 'after'): Cuts => ({
      async arm(step) {
        cut = proxy.cutWhenSent(DEFINITIONS, { letPass: step - 1, when })
      },
      async disarm() {
        cut.cancel()
      },
    })

    /** Again and again, each time cut one step later, until it comes to its end. */
    async function cutAtEachStep(
      { arm, disarm }: Cuts,
      state: () => Promise<unknown>,
      act: () => Promise<TestResponse>,
    ): Promise<number> {
      const before = await state()
      for (let step = 1; ; step++) {
        await arm(step)
        const { status, text } = await act()
        await disarm()
        if (status < 300) return step
        expect(status, text).to.equal(503)
        expect(await state(), `after a cut at step ${step}`).to.deep.equal(before)
        await eventually(async () => {
          const { rows } = await app.database.pool.query(
            'select from generated_tables where lease_process is not null',
          )
          expect(rows).to.have.length(0)
        })
      }
    }

    // Half of what there are: what is dropped in the background may be cut in the place of a change.
    const CUTS = [
      { where: 'at each write', cuts: atWrites, fewestSteps: 20 },
      { where: 'before each definition', cuts: atDefinitions('before'), fewestSteps: 8 },
      { where: 'after each definition', cuts: atDefinitions('after'), fewestSteps: 8 },
    ]
    for (const { where, cuts, fewestSteps } of CUTS) {
      it(`are published, brought back, taken out and dropped wholly or not at all, cut ${where}`, async () => {
        const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n'))
        await client.patch(`/sources/${uuid}`, { keepLoads: 5 })
        const { pool } = app.database
        const schema = `enterprise_${admin.enterprise!.id}`
        await pool.query(`create index of_others on ${schema}.${tableName} (k)`)
        const staging = { publish: 'false' }
        await ok(reload(uuid, 'k,v\n3,c\n', { mode: 'append' }))
        const [{ uuid: appended } = { uuid: '' }] = await loadsOf(uuid)
        const { uuid: upserted } = await ok(
          reload(uuid, 'k,v\n2,B\n4,d\n', { ...staging, mode: 'upsert', key: 'k' }),
        )
        const { uuid: replacing } = await ok(
          reload(uuid, 'k,w\n9,1\n', { ...staging, mapping: { w: 'w' } }),
        )
        const { uuid: dropped } = await ok(reload(uuid, 'k,v\n7,g\n', staging))
        const state = async () => ({
          rows: await items(uuid),
          table: await inTable(tableName, 'k'),
          loads: (await loadsOf(uuid)).filter(
            ({ kind, state: how }) => kind !== 'rollback' && how !== 'failed',
          ),
        })
        const sources = async () => (await client.get('/sources?limit=100')).body.total as number
        const publish = (load: string) => client.post(`/sources/${uuid}/loads/${load}/publish`)
        const remove = (load: string) => client.delete(`/sources/${uuid}/loads/${load}`)

        const steps = [
          await cutAtEachStep(cuts, state, () => remove(dropped)),
          await cutAtEachStep(cuts, state, () => publish(upserted)),
          await cutAtEachStep(cuts, state, () => publish(replacing)),
        ]
        expect(await items(uuid)).to.deep.equal([{ k: 9, v: null, w: 1 }])
        steps.push(await cutAtEachStep(cuts, state, () => rollBack(uuid, appended)))
        expect(await inTable(tableName, 'k')).to.deep.equal([1, 2, 3])
        steps.push(await cutAtEachStep(cuts, state, () => remove(appended)))
        expect(await items(uuid)).to.deep.equal([
          { k: 1, v: 'a', w: null },
          { k: 2, v: 'b', w: null },
        ])
        steps.push(await cutAtEachStep(cuts, state, () => reload(uuid, 'k,v\n5,e\n')))
        expect(await inTable(tableName, 'k')).to.deep.equal([5])
        steps.push(await cutAtEachStep(cuts, sources, () => createFromFile(client, 'k\n1\n')))
        await pool.query(`drop index ${schema}.of_others`)
        const before = await sources()
        steps.push(await cutAtEachStep(cuts, state, () => client.delete(`/sources/${uuid}`)))
        expect(await sources()).to.equal(before - 1)
        expect(steps.reduce((sum, count) => sum + count, 0)).to.be.at.least(fewestSteps)
        await eventually(async () => {
          const { rows } = await pool.query(
            `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = $1 and c.relkind = 'r' and c.relname not like 'rejects%'
               and not exists (select from load_tables t where t.name = c.relname)`,
            [`${schema}_loads`],
          )
          expect(rows, 'tables that nobody knows of').to.deep.equal([])
        })
      })
    }
  })
})
