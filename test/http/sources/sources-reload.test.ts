import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import {
  created,
  createFromFile,
  footprint,
  reloadWith,
  rowsOfSource,
  sourceForm,
} from '../../support/sources.ts'
import { eventually } from '../../support/patience.ts'

describe('loading a source again', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  const reload = reloadWith(() => client)
  const items = rowsOfSource(() => client)
  const mine = () => footprint(app, admin.enterprise!.id)

  it('reads the stored upload again with the options of the last time', async () => {
    const options = { columns: [{ name: 'n', type: 'text' }] }
    const { uuid } = await created(createFromFile(client, 'n\n1\n', { options }))
    const before = await mine()
    const { status, body } = await reload(uuid, null)
    expect(status).to.equal(200)
    expect(body.columns[0].type).to.equal('text')
    expect(body.report.drift).to.deep.equal({ added: [], removed: [], retyped: [] })
    // The rows of before are kept; the upload belongs to both.
    expect(await mine()).to.deep.equal({ ...before, parts: before.parts + 1 })
    const lacking = await reload(uuid, 'other\n1\n')
    // A column that the options name may be missing as any other: it is asked for.
    expect([lacking.status, lacking.body.state]).to.deep.equal([200, 'staged'])
    expect(lacking.body.missing).to.deep.equal(['n'])
  })

  it('shows another file, reports the drift, and keeps the upload of what it keeps', async () => {
    const { uuid } = await created(createFromFile(client, 'a,b,c\n1,x,2024-01-01\n'))
    const before = await mine()
    const { status, body } = await reload(uuid, 'a,c,d\ntext,2024-01-01,5\nmore,,6\n', {
      mapping: { d: 'd' },
    })
    expect(status).to.equal(200)
    expect(body.rowCount).to.equal(2)
    expect(body.report.drift).to.deep.equal({
      added: [{ name: 'd', type: 'number' }],
      removed: [{ name: 'b', type: 'text' }],
      retyped: [{ name: 'a', from: 'number (bigint)', to: 'text' }],
    })
    expect(await items(uuid)).to.deep.equal([
      { a: 'text', b: null, c: '2024-01-01', d: 5 },
      { a: 'more', b: null, c: null, d: 6 },
    ])
    const kept = { ...before, parts: before.parts + 1, objects: before.objects + 1 }
    expect(await mine()).to.deep.equal(kept)
    const loads = await client.get(`/sources/${uuid}/loads`)
    expect(loads.body.items.map(({ kind }: { kind: string }) => kind)).to.deep.equal([
      'reload',
      'creation',
    ])
    expect(loads.body.items[0].drift.added).to.have.length(1)
    await reload(uuid, null)
    expect(await items(uuid)).to.have.length(2)
    expect(await mine()).to.deep.equal({ ...before, parts: before.parts + 1 })
  })

  it('leaves everything as it was when it fails', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    const shown = (await client.get(`/sources/${uuid}`)).body
    const before = await mine()
    const options = { columns: [{ name: 'a', type: 'date' }] }
    const answer = await reload(uuid, 'a\nhier\n', { options })
    expect(answer.status).to.equal(400)
    expect(answer.body.detail).to.match(/^Invalid date format/)
    expect((await client.get(`/sources/${uuid}`)).body).to.deep.equal(shown)
    expect(await items(uuid)).to.deep.equal([{ a: 1 }])
    expect(await mine()).to.deep.equal(before)
  })

  it('appends rows, and does not change what a later reload reads', async () => {
    const { uuid } = await created(createFromFile(client, 'a,b\n1,x\n'))
    const before = await mine()
    const { body, text } = await reload(uuid, 'b,a\ny,2\n', { mode: 'append' })
    expect(body.rowCount, text).to.equal(2)
    expect(await items(uuid)).to.deep.equal([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ])
    expect(await mine()).to.deep.equal({ ...before, parts: before.parts + 1 })
    expect((await reload(uuid, null)).body.rowCount).to.equal(1)
  })

  it('reads ambiguous days and months of appended rows in the order of the rows before', async () => {
    const { uuid } = await created(createFromFile(client, 'k,d\n1,12/31/2024\n2,02/01/2024\n'))
    const { body } = await reload(uuid, 'k,d\n3,03/04/2024\n', { mode: 'append' })
    expect(JSON.stringify(body.report.warnings)).to.match(
      /cannot be told apart; read as MM\/DD\/YYYY/,
    )
    await reload(uuid, 'k,d\n4,05/06/2024\n', { mode: 'upsert', key: 'k' })
    // What tells its order itself is read as it says.
    await reload(uuid, 'k,d\n5,31/12/2024\n', { mode: 'append' })
    const days = (await items(uuid)).map((item: { d: unknown }) => item.d)
    const read = ['2024-12-31', '2024-02-01', '2024-03-04', '2024-05-06', '2024-12-31']
    expect(days).to.deep.equal(read)
    // A table made anew owes nothing to the one before.
    await reload(uuid, 'k,d\n3,03/04/2024\n')
    expect((await items(uuid))[0].d).to.equal('2024-04-03')
  })

  it('reads appended rows by the pattern of the rows before', async () => {
    const options = { columns: [{ name: 'd', type: 'date', pattern: 'd MMM yyyy' }] }
    const { uuid, columns } = await created(createFromFile(client, 'd\n3 mars 2024\n', { options }))
    expect(columns).to.deep.equal([
      { name: 'd', column: 'd', type: 'date', sqlType: 'date', pattern: 'd MMM yyyy' },
    ])
    const { body } = await reload(uuid, 'd\n1er mai 2024\n2024-05-02\n', { mode: 'append' })
    expect(body.report.warnings).to.have.length(1)
    expect(body.report.warnings[0].code).to.equal('dates-in-another-format')
    expect((await items(uuid)).map((item: { d: unknown }) => item.d)).to.deep.equal([
      '2024-03-03',
      '2024-05-01',
      '2024-05-02',
    ])
  })

  it('widens a column that appended rows need wider', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    const { body } = await reload(uuid, 'a\n2.5\n', { mode: 'append' })
    expect(body.columns[0].sqlType).to.equal('numeric')
    expect(body.report.drift.retyped).to.have.length(1)
    expect(await items(uuid)).to.deep.equal([{ a: 1 }, { a: 2.5 }])
    // A narrower value does not narrow the column again.
    const again = await reload(uuid, 'a\n3\n', { mode: 'append' })
    expect(again.body.columns[0].sqlType).to.equal('numeric')
    expect(again.body.report.drift.retyped).to.deep.equal([])
  })

  it('upserts by a key column', async () => {
    const { uuid } = await created(createFromFile(client, 'id,v\n1,a\n2,b\n'))
    const { body } = await reload(uuid, 'id,v\n2,B\n3,C\n', { mode: 'upsert', key: 'id' })
    expect(body.rowCount).to.equal(3)
    expect(await items(uuid)).to.deep.equal([
      { id: 1, v: 'a' },
      { id: 2, v: 'B' },
      { id: 3, v: 'C' },
    ])
    const { body: loads } = await client.get(`/sources/${uuid}/loads?limit=1`)
    expect(loads.items[0]).to.include({ mode: 'upsert', key: 'id' })
  })

  it('treats an empty key field of a form as no key', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    expect((await reload(uuid, 'a\n2\n', { mode: 'replace', key: '' })).status).to.equal(200)
    expect(await items(uuid)).to.deep.equal([{ a: 2 }])
    const keyless = await reload(uuid, 'a\n1\n', { mode: 'upsert', key: '' })
    expect(keyless.body.errors[0].pointer).to.equal('/key')
  })

  it('refuses a key without upsert, upsert without a key, and a key that is not there', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    for (const fields of [{ mode: 'upsert' }, { key: 'a' }, { mode: 'append', key: 'a' }]) {
      const answer = await reload(uuid, null, fields)
      expect(answer.status).to.equal(400)
      expect(answer.body.errors[0].pointer).to.equal('/key')
    }
    const keyless = await reload(uuid, 'a\n1\n', { mode: 'upsert', key: 'zzz' })
    expect(keyless.status, keyless.text).to.equal(400)
    expect(keyless.body.errors[0].pointer).to.equal('/key')
    expect(await items(uuid)).to.deep.equal([{ a: 1 }])
  })

  it('lets one of several reloads at once win, and readers see the state before or after it', async () => {
    const rows = (value: number) => `a\n${`${value}\n`.repeat(20_000)}`
    const { uuid } = await created(createFromFile(client, rows(1)))
    const answers = Promise.all([2, 3, 4].map((value) => reload(uuid, rows(value))))
    const loading = { isOver: false }
    void answers.finally(() => {
      loading.isOver = true
    })
    while (!loading.isOver) {
      const { body, status } = await client.get(`/sources/${uuid}/data?limit=1000&page=20`)
      expect(status).to.equal(200)
      expect(new Set(body.items.map(({ a }: { a: number }) => a)).size).to.equal(1)
      expect(body.items).to.have.length(1000)
    }
    const statuses = (await answers).map(({ status }) => status)
    expect(statuses).to.include(200)
    for (const answer of await answers) expect(answer.status, answer.text).to.be.oneOf([200, 409])
  })

  describe('that another load has just changed', () => {
    /** Asks while the table's row is held, and lets go once the changes are made. */
    async function whileHeld<R>(
      uuid: string,
      ask: () => Promise<R>,
      change: (run: (sql: string) => Promise<unknown>) => Promise<void>,
    ): Promise<R> {
      const other = await app.database.pool.connect()
      try {
        await other.query('begin')
        await other.query(
          `select from generated_tables t join sources s on s.table_id = t.id
           where s.uuid = $1 for update of t`,
          [uuid],
        )
        const answer = ask()
        await eventually(async () => {
          const { rowCount } = await app.database.pool.query(
            `select from pg_stat_activity where datname = current_database()
               and wait_event_type = 'Lock' and query like '%set lease_process = $2%'`,
          )
          expect(rowCount).to.equal(1)
        })
        await change((sql) => other.query(sql))
        await other.query('commit')
        return await answer
      } finally {
        other.release(true)
      }
    }

    const options = { onInvalid: 'skip', columns: [{ name: 'a', type: 'number' }] }
    for (const [what, ask] of [
      ['appended to', (uuid: string) => reload(uuid, 'a\n2\n', { mode: 'append' })],
      [
        'mended',
        (uuid: string) =>
          client.request('POST', `/sources/${uuid}/rejects`, { content: sourceForm({}, 'a\n2\n') }),
      ],
    ] as const) {
      it(`is ${what} with the state that the other load left`, async () => {
        const { uuid, tableName } = await created(createFromFile(client, 'a\n1\nx\n', { options }))
        const { status, text } = await whileHeld(
          uuid,
          () => ask(uuid),
          async (run) => {
            const b = { name: 'b', column: 'b', type: 'text', sqlType: 'text' }
            const schema = `enterprise_${admin.enterprise!.id}`
            await run(`alter table ${schema}.${tableName} add column b text`)
            await run(`update generated_tables set columns = columns || '${JSON.stringify(b)}'::jsonb
                       where id = (select table_id from sources where uuid = '${uuid}')`)
          },
        )
        expect(status, text).to.equal(200)
        expect(await items(uuid)).to.deep.equal([
          { a: 1, b: null },
          { a: 2, b: null },
        ])
      })
    }

    it('is deleted together with the file of the other load', async () => {
      const before = await mine()
      const [{ uuid }, other] = [
        await created(createFromFile(client, 'a\n1\n')),
        await created(createFromFile(client, 'a\n2\n')),
      ]
      const pair = `('${uuid}', '${other.uuid}')`
      await whileHeld(
        uuid,
        () => client.delete(`/sources/${uuid}`),
        async (run) => {
          await run(`update loads l set object_path = o.object_path
                     from loads o join sources t on t.table_id = o.table_id, sources s
                     where s.table_id = l.table_id and s.uuid in ${pair} and t.uuid in ${pair}
                       and s.uuid <> t.uuid`)
        },
      )
      expect((await reload(other.uuid, null)).status).to.equal(200)
      expect((await client.delete(`/sources/${other.uuid}`)).status).to.equal(200)
      expect(await mine()).to.deep.equal(before)
    })
  })
})
