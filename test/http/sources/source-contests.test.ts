import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient, TestResponse } from '../../support/client.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { created, createFromFile, reloadWith } from '../../support/sources.ts'

/** A source whose rows are 1 and 2, with 2 appended and 3 staged; before, it showed 1 alone. */
interface Contested {
  readonly uuid: string
  readonly tableName: string
  readonly appended: string
  readonly staged: string
}

const REFUSALS = [
  'SourceBusyException',
  'SourceLoadConflictException',
  'SourceLoadNotFoundException',
  'SourceNotFoundException',
]

describe('two changes of a source at the same instant', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  const reload = reloadWith(() => client)
  const changes: Readonly<Record<string, (source: Contested) => Promise<TestResponse>>> = {
    'a reload': ({ uuid }) => reload(uuid, 'v\n4\n'),
    'an append': ({ uuid }) => reload(uuid, 'v\n5\n', { mode: 'append' }),
    'a rollback': ({ uuid }) => client.post(`/sources/${uuid}/rollback`),
    'a publication': ({ uuid, staged }) => client.post(`/sources/${uuid}/loads/${staged}/publish`),
    'the removal of a load': ({ uuid, appended }) =>
      client.delete(`/sources/${uuid}/loads/${appended}`),
    'keeping nothing': ({ uuid }) => client.patch(`/sources/${uuid}`, { keepLoads: 0 }),
    'a deletion': ({ uuid }) => client.delete(`/sources/${uuid}`),
  }

  async function contested(): Promise<Contested> {
    const { uuid, tableName } = await created(createFromFile(client, 'v\n1\n'))
    await reload(uuid, 'v\n2\n', { mode: 'append' })
    const [{ uuid: appended }] = (await client.get(`/sources/${uuid}/loads`)).body.items
    const { body: staged } = await reload(uuid, 'v\n3\n', { publish: 'false' })
    return { uuid, tableName, appended, staged: staged.uuid }
  }

  /** What is shown is what is in the table, and what is in the table is on record. */
  async function expectWhole({ uuid, tableName }: Contested): Promise<void> {
    const { status, body: source } = await client.get(`/sources/${uuid}`)
    const schema = `enterprise_${admin.enterprise!.id}`
    const there = await app.database.pool.query<{ name: string | null }>(
      `select to_regclass('${schema}.${tableName}')::text as name`,
    )
    expect(there.rows[0]!.name !== null).to.equal(status === 200)
    const { rows: stray } = await app.database.pool.query(
      `select tablename from pg_tables where schemaname = '${schema}_loads'
         and tablename not like 'rejects%'
         and tablename not in (select name from load_tables where enterprise_id = $1)`,
      [admin.enterprise!.id],
    )
    expect(stray).to.deep.equal([])
    if (status === 404) return
    expect(source.status).to.equal('READY')
    const { rows } = await app.database.pool.query<{ v: number }>(
      `select v from ${schema}.${tableName} order by _row`,
    )
    const { body: data } = await client.get(`/sources/${uuid}/data`)
    expect(data.items).to.deep.equal(rows)
    expect(source.rowCount).to.equal(rows.length)
    expect(data.total).to.equal(rows.length)
  }

  const names = Object.keys(changes)
  for (const [at, first] of names.entries()) {
    for (const second of names.slice(at)) {
      it(`${first} and ${second}: each is done, or refused as documented`, async () => {
        const source = await contested()
        const answers = await Promise.all([changes[first]!(source), changes[second]!(source)])
        expect(answers.map(({ status }) => status)).to.include(200)
        for (const { status, body, text } of answers) {
          if (status !== 200) expect(body.code, text).to.be.oneOf(REFUSALS)
        }
        await expectWhole(source)
      })
    }
  }

  it('keeping nothing waits for a publication at its end, which does not wait for it', async () => {
    const source = await contested()
    const where = `(select table_id from sources where uuid = '${source.uuid}')`
    const publication = await holdLocks(
      app.database.pool,
      `update generated_tables set changed_rows = 0 where id = ${where}`,
    )
    const keeping = changes['keeping nothing']!(source)
    await publication.isRowWaitedFor()
    await publication.run(`update sources set updated_at = now() where uuid = '${source.uuid}'`)
    await publication.release()
    expect((await keeping).status).to.equal(200)
    await expectWhole(source)
  })
})
