import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile } from '../../support/sources.ts'

const SENDERS = [
  { key: 'BX', name: 'Bordeaux', email: 'Bx@example.test' },
  { key: 'LY', name: 'Lyon', email: 'ly@example.test', language: 'fr' },
]

describe('collections', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())
  const sourceOf = (as: TestClient) => created(createFromFile(as, 'Client;Montant\nAnn;1\n'))
  const post = (as: TestClient, sourceUuid: string, body: object = {}) =>
    as.post('/collections', { name: 'Ventes', sourceUuid, senders: SENDERS, ...body })

  it('have a slot for each sender in each period, and a link for each sender', async () => {
    const as = await admin()
    const { uuid, name } = await sourceOf(as)
    const periods = ['2026-10', '2026-11']
    const made = await created(post(as, uuid, { name: ' Ventes ', periods, remind: ['7d'] }))
    const { links, ...shown } = made
    expect(shown).to.deep.include({
      name: 'Ventes',
      sourceUuid: uuid,
      sourceName: name,
      periods,
      remind: ['7d'],
      senderCount: 2,
      labels: { sender: null, period: null },
      slots: { awaited: 4, refused: 0, received: 0, accepted: 0, late: 0 },
    })
    expect(links.map(({ sender }: { sender: object }) => sender)).to.containSubset([
      { key: 'BX', email: 'bx@example.test', language: 'en' },
      { key: 'LY', language: 'fr' },
    ])
    for (const { url } of links) expect(url).to.match(/\/deliver\/#[\w-]{43}$/)
    expect((await as.get(`/collections/${made.uuid}`)).body).to.deep.equal(shown)
    expect((await as.get('/collections?search=VENTES')).body.items).to.deep.equal([shown])
    expect((await as.get('/collections?sort=name')).body.items).to.deep.equal([shown])
    const { body } = await as.get(`/collections/${made.uuid}/slots?search=lyon&limit=1`)
    expect([body.total, body.items.length]).to.deep.equal([2, 1])
    expect(body.items[0]).to.deep.include({
      period: '2026-11',
      state: 'awaited',
      isLate: false,
      loadUuid: null,
      rows: null,
      receivedAt: null,
      deliveries: [],
    })
    const accepted = await as.get(`/collections/${made.uuid}/slots?state=accepted`)
    expect(accepted.body.total).to.equal(0)
  })

  it('answer their links as a CSV where that is asked for, and never again', async () => {
    const as = await admin()
    const { uuid } = await sourceOf(as)
    const headers = { accept: 'text/csv', 'idempotency-key': 'links-once' }
    const content = JSON.stringify({ name: 'Ventes', sourceUuid: uuid, senders: SENDERS })
    const asked = () =>
      as.withHeaders(headers).request('POST', '/collections', { content, type: 'application/json' })
    const { status, text, headers: answered } = await asked()
    expect([status, answered.get('content-type')]).to.deep.equal([201, 'text/csv; charset=utf-8'])
    const [header, ...lines] = text.trim().split('\r\n')
    expect(header).to.equal('key,name,email,url')
    expect(lines[0]).to.match(/^BX,Bordeaux,bx@example\.test,http.*\/deliver\/#[\w-]{43}$/)
    const secret = /#(.*)$/.exec(lines[0]!)![1]!
    const again = await asked()
    expect([again.status, again.body.links]).to.deep.equal([201, undefined])
    const shown = await as.get(`/collections/${again.body.uuid}/slots`)
    for (const said of [again.text, shown.text, app.log.join('\n')]) {
      expect(said).not.to.include(secret)
    }
    const { rows } = await app.database.pool.query('select * from collection_links')
    expect(JSON.stringify(rows)).not.to.include(secret)
  })

  it('answer links whose keys and names no spreadsheet runs', async () => {
    const as = await admin()
    const { uuid } = await sourceOf(as)
    const senders = [{ key: '=1+1', name: '@SUM(A1), "x"', email: 'bx@example.test' }]
    const content = JSON.stringify({ name: 'Ventes', sourceUuid: uuid, senders })
    const { text } = await as
      .withHeaders({ accept: 'text/csv' })
      .request('POST', '/collections', { content, type: 'application/json' })
    expect(text.split('\r\n')[1]).to.match(/^'=1\+1,"'@SUM\(A1\), ""x""",bx@example\.test,http/)
  })

  it('add the columns of their labels, empty until files come', async () => {
    const as = await admin()
    const { uuid } = await sourceOf(as)
    const labels = { sender: 'École', period: 'Client' }
    const made = await created(post(as, uuid, { labels }))
    expect(made.labels).to.deep.equal(labels)
    const { body } = await as.get(`/sources/${uuid}/data`)
    expect(body.items).to.deep.equal([{ Client: 'Ann', Montant: 1, École: null }])
  })

  const refusals: readonly (readonly [what: string, body: object, pointer: string])[] = [
    ['a deadline in the past', { deadline: '2020-01-01T00:00:00Z' }, '/deadline'],
    ['a deadline that is none', { deadline: 'tomorrow' }, '/deadline'],
    ['a sender twice', { senders: [SENDERS[0], SENDERS[0]] }, '/senders/1/key'],
    [
      'a key that folds like another',
      { senders: [SENDERS[0], { ...SENDERS[1], key: ' b-x ' }] },
      '/senders/1/key',
    ],
    ['a key without letters', { senders: [{ ...SENDERS[0], key: '--' }] }, '/senders/0/key'],
    ['an address that is none', { senders: [{ ...SENDERS[0], email: 'x' }] }, '/senders/0/email'],
    ['two addresses', { senders: [{ ...SENDERS[0], email: 'a@b.test,c' }] }, '/senders/0/email'],
    [
      'an address that would write a mail header',
      { senders: [{ ...SENDERS[0], email: 'a@b.test\r\nBcc: c@d.test' }] },
      '/senders/0/email',
    ],
    ['nobody', { senders: [] }, '/senders'],
    ['a period twice', { periods: ['Mai', 'MAI'] }, '/periods/1'],
    ['a reminder that is none', { remind: ['soon'] }, '/remind/0'],
    ['a label that is a number', { labels: { sender: 'Montant' } }, '/labels/sender'],
    ['a label that folds like a column', { labels: { period: 'CLIENT' } }, '/labels/period'],
    ['labels alike', { labels: { sender: 'Mois', period: 'MOIS' } }, '/labels/period'],
    ['the same label twice', { labels: { sender: 'Client', period: 'Client' } }, '/labels/period'],
  ]
  for (const [what, body, pointer] of refusals) {
    it(`refuse ${what}`, async () => {
      const as = await admin()
      const { uuid } = await sourceOf(as)
      const refused = await post(as, uuid, body)
      expect(refused.status, refused.text).to.equal(400)
      expect(refused.body.errors[0].pointer).to.equal(pointer)
      const { body: list } = await as.get('/collections')
      expect(list.total).to.equal(0)
      expect((await as.get(`/sources/${uuid}`)).body.columns).to.have.length(2)
    })
  }

  it('grow by senders and periods, which have to be new', async () => {
    const as = await admin()
    const { uuid } = await sourceOf(as)
    const { uuid: made } = await created(post(as, uuid))
    const path = `/collections/${made}`
    const grown = await created(as.post(`${path}/periods`, { periods: ['Mai', 'Juin'] }))
    expect([grown.periods, grown.slots.awaited]).to.deep.equal([['Mai', 'Juin'], 4])
    const third = { key: 'PA', name: 'Paris', email: 'pa@example.test' }
    const more = await created(as.post(`${path}/senders`, { senders: [third] }))
    expect([more.senderCount, more.slots.awaited, more.links.length]).to.deep.equal([3, 6, 1])
    const twice = await as.post(`${path}/senders`, { senders: [{ ...third, key: 'p.a' }] })
    expect([twice.status, twice.body.errors[0].pointer]).to.deep.equal([400, '/senders/0/key'])
    const again = await as.post(`${path}/periods`, { periods: ['JUIN'] })
    expect([again.status, again.body.errors[0].pointer]).to.deep.equal([400, '/periods/0'])
    const { sender } = more.links[0]
    expect((await as.delete(`${path}/senders/${sender.uuid}`)).status).to.equal(200)
    const gone = await as.delete(`${path}/senders/${sender.uuid}`)
    expect([gone.status, gone.body.code]).to.deep.equal([404, 'SenderNotFoundException'])
    expect((await as.get(path)).body.slots.awaited).to.equal(4)
  })

  it('change, and end', async () => {
    const as = await admin()
    const { uuid } = await sourceOf(as)
    const { uuid: made } = await created(post(as, uuid, { message: 'Merci' }))
    const path = `/collections/${made}`
    const change = { name: ' Autre ', deadline: '2999-01-01T00:00:00Z', message: null }
    const { body, status } = await as.patch(path, { ...change, closeAtDeadline: true })
    expect([status, body.name, body.deadline, body.message, body.closeAtDeadline]).to.deep.equal([
      200,
      'Autre',
      '2999-01-01T00:00:00.000Z',
      null,
      true,
    ])
    const past = await as.patch(path, { deadline: '2020-01-01T00:00:00Z' })
    expect([past.status, past.body.errors[0].pointer]).to.deep.equal([400, '/deadline'])
    expect((await as.patch(path, { sourceUuid: uuid })).status).to.equal(400)
    expect((await as.delete(path)).status).to.equal(200)
    expect((await as.get(path)).status).to.equal(404)
  })

  it('have at most 10,000 senders', async () => {
    const as = await admin()
    const { uuid } = await sourceOf(as)
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ key: `${at}`, name: 'n', email: 'a@b.c' }))
    const refused = await post(as, uuid, { senders: many(10_001) })
    expect([refused.status, refused.body.errors[0].pointer]).to.deep.equal([400, '/senders'])
    const made = await created(post(as, uuid, { senders: many(10_000) }))
    expect([made.senderCount, made.slots.awaited, made.links.length]).to.deep.equal([
      10_000, 10_000, 10_000,
    ])
  })

  it('say what asks for too many slots', async () => {
    const as = await admin()
    const { uuid } = await sourceOf(as)
    const senders = Array.from({ length: 1000 }, (_, at) => ({ ...SENDERS[0], key: `k${at}` }))
    const periods = Array.from({ length: 101 }, (_, at) => `p${at}`)
    const { status, body } = await post(as, uuid, { senders, periods })
    expect(status).to.equal(400)
    expect(body.detail).to.include('The body asks for too many slots: 1,000 senders in 101 periods')
  })

  it('of others do not exist, nor do their sources', async () => {
    const as = await admin()
    const other = await admin()
    const { uuid } = await sourceOf(as)
    const refused = await post(other, uuid)
    expect([refused.status, refused.body.code]).to.deep.equal([404, 'SourceNotFoundException'])
    const made = await created(post(as, uuid))
    for (const path of ['', '/slots']) {
      const { status, body } = await other.get(`/collections/${made.uuid}${path}`)
      expect([status, body.code]).to.deep.equal([404, 'CollectionNotFoundException'])
    }
    expect((await other.get('/collections')).body.total).to.equal(0)
  })
})
