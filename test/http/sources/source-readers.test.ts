import { expect } from 'chai'
import type { PoolClient } from 'pg'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, reloadWith, rowsOfSource } from '../../support/sources.ts'
import { eventually } from '../../support/patience.ts'

describe('readers of a table during a publication', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient
  let reader: PoolClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })
  beforeEach(async () => {
    reader = await app.database.pool.connect()
  })
  afterEach(async () => {
    await reader.query('rollback')
    reader.release()
  })

  const reload = reloadWith(() => client)
  const items = rowsOfSource(() => client)

  /** A source whose table somebody has read from, and not ended the transaction. */
  async function readTable(): Promise<{ uuid: string; table: string }> {
    const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const table = `enterprise_${admin.enterprise!.id}.${tableName}`
    await reader.query('begin')
    await reader.query(`select from ${table}`)
    return { uuid, table }
  }

  /** The publication has met the reader, and waits for another try. */
  async function untilItWaits(): Promise<void> {
    await eventually(async () => {
      const { rowCount } = await app.database.pool.query(
        `select from pg_stat_activity
         where datname = current_database() and query like '%lock table only%'
           and wait_event_type = 'Lock'`,
      )
      expect(rowCount).to.equal(1)
    })
  }

  for (const mode of ['append', 'upsert'] as const) {
    it(`do not hold up an ${mode}`, async () => {
      const { uuid, table } = await readTable()
      const fields = mode === 'upsert' ? { mode, key: 'k' } : { mode }
      const { status, text } = await reload(uuid, 'k,v\n2,b\n', fields)
      expect(status, text).to.equal(200)
      const { rows } = await reader.query(`select v from ${table} order by _row`)
      expect(rows).to.deep.equal([{ v: 'a' }, { v: 'b' }])
    })
  }

  it('are waited for, and others go on reading meanwhile', async () => {
    const { uuid } = await readTable()
    const reloading = reload(uuid, 'k,v\n3,c\n')
    await untilItWaits()
    for (let asked = 0; asked < 5; asked++)
      expect(await items(uuid)).to.deep.equal([{ k: 1, v: 'a' }])
    await reader.query('commit')
    const { status, text } = await reloading
    expect(status, text).to.equal(200)
    expect(await items(uuid)).to.deep.equal([{ k: 3, v: 'c' }])
  })

  it('can read while the publication waits for housekeeping', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const table = `enterprise_${admin.enterprise!.id}.${tableName}`
    // As vacuum and analyze lock it.
    await reader.query(`begin; lock table ${table} in share update exclusive mode`)
    const reloading = reload(uuid, 'k,v\n3,c\n')
    await eventually(async () => {
      const { rows } = await app.database.pool.query(
        `select mode from pg_locks join pg_stat_activity using (pid)
         where relation = $1::regclass and not granted and application_name not like '%housekeeping'`,
        [table],
      )
      expect(rows).to.deep.equal([{ mode: 'ShareUpdateExclusiveLock' }])
    })
    await reader.query('commit')
    const { status, text } = await reloading
    expect(status, text).to.equal(200)
    expect(await items(uuid)).to.deep.equal([{ k: 3, v: 'c' }])
  })

  it('are waited for by a deletion only for a moment', async () => {
    const { uuid } = await readTable()
    const { status, body } = await client.delete(`/sources/${uuid}`)
    expect([status, body.code]).to.deep.equal([409, 'SourceBusyException'])
    expect(await items(uuid)).to.have.length(1)
  })

  it('get one state in an export, whatever is added and replaced meanwhile', async () => {
    // More than lies on the way to who does not read yet.
    const rows = 120_000
    const content = `k,v\n${Array.from({ length: rows }, (_, k) => `${k},${'x'.repeat(200)}`).join('\n')}\n`
    const { uuid } = await created(createFromFile(client, content))
    const download = await fetch(`${app.address}/sources/${uuid}/export?format=csv`, {
      headers: { 'x-app-access-token': await client.token(), 'accept-encoding': 'identity' },
    })
    const appended = await reload(uuid, 'k,v\n999999,new\n', { mode: 'append' })
    expect(appended.status, appended.text).to.equal(200)
    const reloading = reload(uuid, 'k,v\n1,other\n')
    await untilItWaits()
    const lines = (await download.text()).trimEnd().split('\n')
    expect(lines).to.have.length(rows + 1)
    expect(lines.filter((line) => line.includes('new'))).to.deep.equal([])
    expect((await reloading).status).to.equal(200)
    expect(await items(uuid)).to.deep.equal([{ k: 1, v: 'other' }])
  })
})
