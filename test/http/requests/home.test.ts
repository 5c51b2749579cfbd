import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import { created, createFromFile, reloadWith, sourceForm } from '../../support/sources.ts'

const SALES = `Date;Montant\n31/02/2026;30\n${'03/03/2026;40\n'.repeat(9)}`

describe('what the console asks of many things at once', () => {
  const app = useApp()
  let admin: Actor
  const client = () => app.client.as(admin)
  const reload = reloadWith(client)

  beforeEach(async () => {
    admin = await app.build.user()
  })

  const make = (name: string, content = SALES) =>
    created(createFromFile(client(), content, { name, options: { onInvalid: 'skip' } }))

  it('tells of what was delivered once: in its collection, while there is one', async () => {
    const { uuid } = await make('Livraisons', 'Client\nAnn\n')
    const senders = [{ key: 'BX', name: 'Bordeaux', email: 'bx@example.test' }]
    const asked = { name: 'Collecte', sourceUuid: uuid, senders, approval: true }
    const { uuid: collection, links } = await created(client().post('/collections', asked))
    const { body } = await client().get(`/collections/${collection}/slots`)
    const sent = await app.client
      .withHeaders({ 'x-delivery-token': links[0].url.split('#')[1] })
      .request('PUT', `/deliveries/${body.items[0].uuid}`, {
        content: sourceForm({}, 'Client\nBob\n'),
      })
    expect(sent.status, sent.text).to.equal(200)
    const home = async () => (await client().get('/home')).body
    const waiting = await home()
    expect([waiting.staged.total, waiting.collections.total]).to.deep.equal([0, 1])
    await client().delete(`/collections/${collection}`)
    const left = await home()
    expect([left.staged.total, left.collections.total]).to.deep.equal([1, 0])
    const load = left.staged.items[0].load.uuid as string
    const published = await client().post(`/sources/${uuid}/loads/${load}/publish`)
    expect(published.status, published.text).to.equal(200)
    expect((await client().get(`/sources/${uuid}/data`)).body.total).to.equal(2)
  })

  it('tells what needs a person, and what happened lately, in one answer', async () => {
    const { uuid } = await make('Ventes')
    const staged = await reload(uuid, 'Date;Montant TTC\n01/04/2026;5\n', { publish: 'false' })
    expect(staged.status).to.equal(200)
    const senders = [{ key: 'BX', name: 'Bordeaux', email: 'bx@example.test' }]
    const asked = { name: 'Collecte', sourceUuid: uuid, senders, periods: ['10', '11'] }
    const collection = await created(client().post('/collections', asked))
    await app.database.pool.query(
      `update collection_slots set state = 'received' where id = (
         select max(id) from collection_slots where collection_id = (
           select id from collections where uuid = $1))`,
      [collection.uuid],
    )
    await app.build.connection({
      enterprise: admin.enterprise!,
      name: 'Formulaires',
      status: 'ERROR',
    })
    const other = await app.build.user()
    await created(createFromFile(app.client.as(other), SALES, { options: { onInvalid: 'skip' } }))

    const { status, body } = await client().get('/home')
    expect(status).to.equal(200)
    const source = { uuid, name: 'Ventes' }
    expect(body.staged.total).to.equal(1)
    expect(body.staged.items[0]).to.deep.include({ source })
    expect(body.staged.items[0].load).to.include({ number: 2, questions: 1, rejected: 0 })
    expect(body.rejects).to.deep.equal({ total: 1, items: [{ source, rejectedCount: 1 }] })
    expect(body.schedules).to.deep.equal({ total: 0, items: [] })
    expect(body.connections.items).to.have.length(1)
    expect(body.connections.items[0]).to.include({ name: 'Formulaires' })
    const waits = { uuid: collection.uuid, name: 'Collecte', received: 1, late: 0 }
    expect(body.collections).to.deep.equal({ total: 1, items: [waits] })
    expect(body.recent).to.have.length(1)
    expect(body.recent[0].load).to.include({ number: 2, kind: 'reload', state: 'staged' })
    expect(body.recent[0].load.by).to.equal(admin.name)

    const boss = app.client.as(await app.build.user({ role: 'super-admin' }))
    const all = (await boss.get('/home')).body
    expect(all.rejects.total).to.be.at.least(2)
    const client403 = app.client.as(await app.build.user({ role: 'client' }))
    expect((await client403.get('/home')).status).to.equal(403)
  })

  it('counts more than it shows', async () => {
    for (let at = 0; at < 11; at++) await make(`Ventes ${at}`)
    const { rejects, recent } = (await client().get('/home')).body
    expect([rejects.total, rejects.items.length, recent.length]).to.deep.equal([11, 10, 10])
  })

  it('says of a source how many loads wait, and to super-admins whose it is', async () => {
    const { uuid, stagedLoads } = await make('Ventes')
    expect(stagedLoads).to.equal(0)
    await reload(uuid, SALES, { publish: 'false' })
    const own = (await client().get('/sources')).body.items[0]
    expect(own.stagedLoads).to.equal(1)
    expect(own).not.to.have.property('enterprise')

    const boss = app.client.as(await app.build.user({ role: 'super-admin' }))
    const { id, name } = admin.enterprise!
    const connection = await app.build.connection({ enterprise: admin.enterprise! })
    const workflow = (await client().post('/workflows', { name: 'Relances' })).body
    for (const path of ['sources', 'connections', 'workflows']) {
      const { items } = (await boss.get(`/${path}?limit=100`)).body
      const wanted = [uuid, connection.uuid, workflow.uuid]
      const shown = items.find((item: { uuid: string }) => wanted.includes(item.uuid))
      expect(shown.enterprise, path).to.deep.equal({ id, name })
      const mine = (await client().get(`/${path}`)).body.items[0]
      expect(mine, path).not.to.have.property('enterprise')
    }
  })

  it('names what each job is about, and finds the jobs of a kind, a state or a thing', async () => {
    const { uuid } = await make('Ventes')
    const other = await make('Achats')
    await reload(uuid, SALES, { publish: 'true' })
    await createFromFile(client(), 'a;b\n1;2\nx;y\n', { name: 'Refusée', tableName: 'no name' })
    const jobs = async (query: string) =>
      (await client().get(`/jobs?${query}`)).body.items as {
        kind: string
        about: { uuid: string | null; name: string } | null
      }[]
    const about = async (query: string) => (await jobs(query)).map((job) => job.about)
    const sales = { uuid, name: 'Ventes' }
    expect(await about(`about=${uuid}`)).to.deep.equal([sales, sales])
    expect(await about('kind=source.reload')).to.deep.equal([sales])
    expect(await about('kind=source.create&status=SUCCEEDED')).to.deep.equal([
      { uuid: other.uuid, name: 'Achats' },
      sales,
    ])
    expect(await jobs('status=QUEUED')).to.deep.equal([])
    expect((await client().get('/jobs?kind=unknown')).status).to.equal(400)

    const answer = await client()
      .withHeaders({ prefer: 'respond-async' })
      .post(`/sources/${uuid}/rollback`, {})
    expect(answer.status).to.equal(202)
    expect(answer.body.about).to.deep.equal(sales)
    // What is not there has no name, and its job fails as before.
    const missing = randomUUID()
    expect((await client().post(`/sources/${missing}/reload`, {})).status).to.equal(404)
    const foreign = app.client.as(await app.build.user())
    expect((await foreign.get(`/jobs?about=${uuid}`)).body.total).to.equal(0)
  })

  it('lists the documents of a folder: to clients theirs, to admins everybody’s', async () => {
    const { enterprise } = admin
    const folder = await app.build.folder({ enterprise: enterprise! })
    const user = await app.build.user({ role: 'client', enterprise: enterprise! })
    const upload = async (who: Actor, filename: string) => {
      const form = new FormData()
      form.append('folderUuid', folder.uuid)
      form.append('file', new Blob(['a']), filename)
      const { status } = await app.client.as(who).request('POST', '/documents', { content: form })
      expect(status).to.equal(201)
    }
    await upload(admin, 'de l’admin.txt')
    await upload(user, 'du client.txt')
    const list = async (who: Actor, query = '') => {
      const answer = await app.client.as(who).get(`/folders/${folder.uuid}/documents${query}`)
      return answer.status === 200
        ? answer.body.items.map((item: Record<string, unknown>) => [
            item['filename'],
            item['isOwn'],
          ])
        : answer.status
    }
    expect(await list(admin)).to.deep.equal([
      ['du client.txt', false],
      ['de l’admin.txt', true],
    ])
    expect(await list(user)).to.deep.equal([['du client.txt', true]])
    expect(await list(admin, '?search=ADMIN')).to.deep.equal([['de l’admin.txt', true]])
    expect(await list(await app.build.user({ role: 'super-admin' }))).to.have.length(2)
    expect(await list(await app.build.user())).to.equal(404)
    expect(await list(await app.build.user({ accountType: 'personal' }))).to.equal(403)
  })

  it('says when a schedule would run, before it is set', async () => {
    const ask = (cron: string, timezone = 'Europe/Paris') =>
      client().get(`/schedules/next-runs?${new URLSearchParams({ cron, timezone })}`)
    const { status, body } = await ask('0 7 * * 1')
    expect(status).to.equal(200)
    const runs = (body.runs as string[]).map((run) => new Date(run))
    expect(runs).to.have.length(3)
    const inParis = new Intl.DateTimeFormat('en', {
      timeZone: 'Europe/Paris',
      weekday: 'short',
      hour: 'numeric',
      hourCycle: 'h23',
    })
    for (const run of runs) expect(inParis.format(run)).to.equal('Mon, 07')
    expect(runs[1]!.getTime() - runs[0]!.getTime()).to.be.greaterThan(6 * 24 * 3_600_000)
    expect((await ask('every morning')).status).to.equal(400)
    expect((await ask('0 7 * * *', 'Nowhere/Else')).status).to.equal(400)
  })
})
