import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'

const CSV = 'Client;Ville;Montant\nAnn;Lyon;1,5\nBob;Lille;2\n'
const BAD = 'Client;Ville;Montant\nAnn;Lyon;1,5\nBob;Lille;2\nEve;Nice;beaucoup\n'

interface Seen {
  readonly uuid: string
  readonly version: number
}

describe('a shape that has changed since a file was looked at', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())

  const send = (as: TestClient, path: string, content: string, fields: object = {}) =>
    as.request('POST', path, { content: sourceForm({ ...fields }, content) })

  const having = (as: TestClient, { uuid, version }: Seen) =>
    as.withHeaders({ 'if-match': `"${uuid}.${version}"` })

  async function source(csv = CSV) {
    const as = await admin()
    return { as, it: await created(createFromFile(as, csv)) }
  }

  it('is named by previews and checks', async () => {
    const { as, it } = await source()
    const { uuid, version } = (await as.get(`/sources/${it.uuid}/shape`)).body
    for (const path of [`/sources/${it.uuid}/preview`, `/sources/${it.uuid}/check`]) {
      expect((await send(as, path, CSV)).body.shape, path).to.deep.equal({ uuid, version })
    }
    const { body: shared } = await as.post('/shapes', { name: 'Ventes', fromSource: it.uuid })
    for (const path of ['/sources/preview', '/sources/check']) {
      const { body } = await send(as, path, CSV, { shapeUuid: shared.uuid })
      expect(body.shape, path).to.deep.equal({ uuid: shared.uuid, version: 1 })
      expect((await send(as, path, CSV)).body, path).not.to.have.property('shape')
    }
  })

  it('refuses every load that was shown another version, and says what has changed', async () => {
    const { as, it } = await source(BAD.replace('beaucoup', '3'))
    const { shape: seen } = (await send(as, `/sources/${it.uuid}/preview`, CSV)).body
    const { columns } = (await as.get(`/sources/${it.uuid}/shape`)).body
    const [client, , amount] = columns
    await as.patch(`/sources/${it.uuid}/shape`, { unknown: 'leave' })
    await as.patch(`/sources/${it.uuid}/shape`, {
      columns: [client, { ...amount, name: 'Total', rules: [{ minimum: 0 }] }],
    })
    const before = (await as.get(`/sources/${it.uuid}/data`)).body
    for (const [to, fields] of [
      ['reload', {}],
      ['reload', { mode: 'append' }],
      ['reload', { mode: 'upsert', key: 'Client' }],
      ['rejects', {}],
    ] as const) {
      const late = await send(having(as, seen), `/sources/${it.uuid}/${to}`, CSV, fields)
      expect([late.status, late.body.code], to).to.deep.equal([412, 'ShapeChangedException'])
      expect(late.body.shapeVersion).to.equal(seen.version + 2)
      expect(late.body.changes).to.deep.equal([
        { column: null, what: 'unknown' },
        { column: 'Ville', what: 'removed' },
        { column: 'Total', what: 'name', before: 'Montant' },
        { column: 'Total', what: 'rules' },
      ])
      expect(late.body.detail).to.contain('Total').and.to.contain('Ville')
    }
    expect((await as.get(`/sources/${it.uuid}/data`)).body).to.deep.equal(before)
    const { shape: now } = (await send(as, `/sources/${it.uuid}/preview`, CSV)).body
    const done = await send(having(as, now), `/sources/${it.uuid}/reload`, 'Client;Total\nAnn;4\n')
    expect(done.status, done.text).to.equal(200)
  })

  it('refuses answers to the questions of a load, and leaves it as it was', async () => {
    const { as, it } = await source()
    const asked = await send(as, `/sources/${it.uuid}/reload`, 'Client;Ville;Total\nAnn;Lyon;4\n')
    expect(asked.body.state, asked.text).to.equal('staged')
    const { body: seen } = await as.get(`/sources/${it.uuid}/shape`)
    await as.patch(`/sources/${it.uuid}/shape`, { missing: 'ask' })
    const path = `/sources/${it.uuid}/loads/${asked.body.uuid}/publish`
    for (const mapping of [{ Total: 'Montant' }, { Total: 'Total' }]) {
      const late = await having(as, seen).post(path, { mapping })
      expect([late.status, late.body.code]).to.deep.equal([412, 'ShapeChangedException'])
      expect(late.body.changes).to.deep.equal([{ column: null, what: 'missing' }])
    }
    const { body: now } = await as.get(`/sources/${it.uuid}/shape`)
    const done = await having(as, now).post(path, { mapping: { Total: 'Montant' } })
    expect([done.status, done.body.rowCount], done.text).to.deep.equal([200, 1])
  })

  it('refuses a creation, and leaves nothing of it', async () => {
    const { as, it } = await source()
    const { body: shared } = await as.post('/shapes', { name: 'Ventes', fromSource: it.uuid })
    await as.patch(`/shapes/${shared.uuid}`, { missing: 'ask' })
    const fields = { source: 'file', name: 'B', tableName: 'seen_b', shapeUuid: shared.uuid }
    const late = await send(having(as, shared), '/sources', CSV, fields)
    expect([late.status, late.body.changes]).to.deep.equal([
      412,
      [{ column: null, what: 'missing' }],
    ])
    const queued = having(as, shared).withHeaders({ prefer: 'respond-async' })
    expect((await send(queued, '/sources', CSV, fields)).status).to.equal(412)
    const fresh = having(as, { ...shared, version: 2 })
    expect((await send(fresh, '/sources', CSV, fields)).status).to.equal(201)
    const { shapeUuid: _without, ...own } = { ...fields, tableName: 'seen_c' }
    const none = await send(having(as, shared), '/sources', CSV, own)
    expect([none.status, none.body.errors?.[0].pointer]).to.deep.equal([400, '/shapeUuid'])
  })

  it('is refused at once when the load is asked for as a job', async () => {
    const { as, it } = await source()
    const { shape: seen } = (await send(as, `/sources/${it.uuid}/preview`, CSV)).body
    await as.patch(`/sources/${it.uuid}/shape`, { missing: 'ask' })
    const queued = having(as, seen).withHeaders({ prefer: 'respond-async' })
    const late = await send(queued, `/sources/${it.uuid}/reload`, CSV)
    expect([late.status, late.body.code]).to.deep.equal([412, 'ShapeChangedException'])
    expect((await as.get(`/sources/${it.uuid}/loads`)).body.total).to.equal(1)
  })

  it('is told of what other loads have taught it, and of another shape', async () => {
    const { as, it } = await source()
    const { shape: seen } = (await send(as, `/sources/${it.uuid}/preview`, CSV)).body
    const renamed = CSV.replace('Montant', 'Total')
    const answered = { mapping: JSON.stringify({ Total: 'Montant' }) }
    expect((await send(as, `/sources/${it.uuid}/reload`, renamed, answered)).status).to.equal(200)
    const late = await send(having(as, seen), `/sources/${it.uuid}/reload`, CSV)
    expect([late.status, late.body.changes]).to.deep.equal([
      412,
      [{ column: 'Montant', what: 'aliases' }],
    ])
    const { body: shared } = await as.post('/shapes', { name: 'Ventes', fromSource: it.uuid })
    await as.patch(`/sources/${it.uuid}`, { shapeUuid: shared.uuid })
    const own = having(as, { ...seen, version: late.body.shapeVersion })
    const other = await send(own, `/sources/${it.uuid}/reload`, CSV)
    expect([other.status, other.body.changes]).to.deep.equal([412, []])
  })
})
