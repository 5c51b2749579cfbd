import { expect } from 'chai'

import { dropStaged } from '../../../src/stack/keep/keep-states.ts'
import { useApp } from '../../support/app.ts'
import { client, CSV, type Link, put, useCollections } from '../../support/collections.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { until } from '../../support/patience.ts'
import { sourceForm } from '../../support/sources.ts'

describe('deliveries', () => {
  const app = useApp()
  const { collect, holderOf } = useCollections(app)

  it('bring the rows of a slot, and a later file takes their place alone', async () => {
    const { source, holders, slots, rows, as } = await collect()
    const [bordeaux, lyon] = holders
    const [first, , other] = await slots()
    const sent = await put(bordeaux!, first.uuid, client('Bob', 2), {}, 'mai.csv')
    expect(sent.status, sent.text).to.equal(200)
    expect(sent.body).to.deep.include({
      slot: first.uuid,
      state: 'accepted',
      filename: 'mai.csv',
      rows: 1,
      rejected: 0,
      isLate: false,
    })
    expect(sent.body.receipt.split('.')).to.have.length(3)
    expect((await put(lyon!, other.uuid, client('Zoe', 3))).status).to.equal(200)
    const ofOther = { Client: 'Zoe', Montant: 3, Boutique: 'LY', Mois: 'Mai' }
    const before = { Client: 'Ann', Montant: 1, Boutique: null, Mois: null }
    expect(await rows()).to.containSubset([
      before,
      { Client: 'Bob', Montant: 2, Boutique: 'BX', Mois: 'Mai' },
      ofOther,
    ])
    const again = await put(bordeaux!, first.uuid, `${client('Cleo', 4)}Dan;;5\n`)
    expect([again.status, again.body.rows]).to.deep.equal([200, 2])
    const after = await rows()
    expect(after).to.have.length(4)
    expect(after).to.containSubset([
      before,
      ofOther,
      { Client: 'Cleo', Montant: 4, Boutique: 'BX', Mois: 'Mai' },
      { Client: 'Dan', Date: null, Montant: 5, Boutique: 'BX', Mois: 'Mai' },
    ])
    const [slot] = await slots()
    expect(slot).to.deep.include({ state: 'accepted', rows: 2, isLate: false })
    expect(slot.deliveries.map(({ state }: { state: string }) => state)).to.deep.equal([
      'accepted',
      'replaced',
    ])
    const { body: load } = await as.get(`/sources/${source.uuid}/loads/${slot.loadUuid}`)
    expect(load).to.deep.include({ kind: 'delivery', state: 'current', loadedBy: null })
    const { body: shown } = await as.get(`/sources/${source.uuid}`)
    expect(
      shown.columns.map(({ name, sent: isSent }: { name: string; sent?: false }) => [name, isSent]),
    ).to.deep.equal([
      ['Client', undefined],
      ['Date', undefined],
      ['Montant', undefined],
      ['Boutique', undefined],
      ['Mois', undefined],
    ])
  })

  it('change nothing when the same file comes again', async () => {
    const { source, as, holders, slots } = await collect()
    const [slot] = await slots()
    const first = await put(holders[0]!, slot.uuid, client('Bob', 2), {}, 'a.csv')
    const again = await put(holders[0]!, slot.uuid, client('Bob', 2), {}, 'b.csv')
    expect(again.body).to.deep.equal(first.body)
    const { body } = await as.get(`/sources/${source.uuid}/loads`)
    expect(body.total).to.equal(2)
    expect((await slots())[0].deliveries).to.have.length(1)
  })

  it('change nothing when the same file comes twice at once', async () => {
    const { source, as, holders, slots } = await collect()
    const [slot] = await slots()
    const [first, second] = await Promise.all(
      [1, 2].map(() => put(holders[0]!, slot.uuid, client('Bob', 2))),
    )
    expect([first!.status, second!.status], second!.text).to.deep.equal([200, 200])
    expect(second!.body).to.deep.equal(first!.body)
    expect((await slots())[0].deliveries).to.have.length(1)
    const { body } = await as.get(`/sources/${source.uuid}/loads`)
    expect(body.total).to.equal(2)
    expect((await put(holders[0]!, slot.uuid, client('Cy', 3))).status).to.equal(200)
  })

  it('leave the names of senders to the rows alone: everybody can read the catalogue', async () => {
    const { holders, slots } = await collect()
    const [slot] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    const { rows } = await app.database.pool.query(
      `select attrelid::regclass as of, attmissingval as value from pg_attribute
       where attmissingval::text ~ 'BX|Mai'`,
    )
    expect(rows).to.deep.equal([])
  })

  it('are told what is asked: columns and rules in words, without the labels', async () => {
    const { source, as, holders, slots, path } = await collect({ message: 'Merci' })
    const { body: shape } = await as.get(`/sources/${source.uuid}/shape`)
    const columns = shape.columns.map((column: { name: string }) =>
      column.name === 'Client' ? { ...column, rules: [{ required: true }] } : column,
    )
    await as.patch(`/sources/${source.uuid}/shape`, { columns })
    const [slot] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    const { body, status } = await holders[0]!.get('/deliveries')
    expect(status).to.equal(200)
    expect(body).to.deep.include({
      collection: 'Ventes',
      sender: { key: 'BX', name: 'Bordeaux' },
      message: 'Merci',
    })
    expect(body.columns.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Client',
      'Date',
      'Montant',
    ])
    expect(body.columns[0]).to.deep.include({ required: true })
    expect(body.columns[0].rules[0]).to.match(/\w/)
    expect(
      body.slots.map(({ period, state }: { period: string; state: string }) => [period, state]),
    ).to.deep.equal([
      ['Mai', 'accepted'],
      ['Juin', 'awaited'],
    ])
    const template = await holders[0]!.get('/deliveries/template?format=csv')
    expect(template.text).to.equal('Client;Date;Montant\r\n')
    expect((await holders[0]!.get('/deliveries/template')).status).to.equal(200)
    expect((await as.get(path)).status).to.equal(200)
  })

  it('are refused as a check says, and the slot tells so until a right one comes', async () => {
    const { holders, slots, rows } = await collect()
    const [holder] = holders
    const [slot] = await slots()
    const wrong = 'Client;Date;Montant\nBob;01/02/2026;two\n'
    const content = sourceForm({}, wrong)
    const check = await holder!.request('POST', `/deliveries/${slot.uuid}/check`, { content })
    expect([check.status, check.body.valid, check.body.totalErrors]).to.deep.equal([200, false, 1])
    // They are options, which are not up to senders.
    expect(check.body.remedies).to.deep.equal([])
    const refused = await put(holder!, slot.uuid, wrong)
    expect([refused.status, refused.body.code]).to.deep.equal([400, 'SourceDataInvalidException'])
    expect(refused.body).not.to.have.property('remedies')
    expect(refused.body.errors[0]).to.deep.include({ row: 1, column: 'Montant', value: 'two' })
    expect(await rows()).to.have.length(1)
    const [told] = await slots()
    expect([told.state, told.deliveries[0].state, told.rows]).to.deep.equal([
      'refused',
      'refused',
      null,
    ])
    expect(told.deliveries[0].reason).to.be.a('string')
    expect((await put(holder!, slot.uuid, client('Bob', 2))).status).to.equal(200)
    expect((await put(holder!, slot.uuid, wrong)).status).to.equal(400)
    const [kept] = await slots()
    expect([kept.state, kept.rows]).to.deep.equal(['accepted', 1])
    expect(kept.deliveries.map(({ state }: { state: string }) => state)).to.deep.equal([
      'refused',
      'accepted',
      'refused',
    ])
  })

  it('get the file back with what is wrong marked in it', async () => {
    const { holders, slots } = await collect()
    const [slot] = await slots()
    const content = sourceForm({}, 'Client;Date;Montant\nBob;01/02/2026;two\n')
    const accept = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const back = await holders[0]!
      .withHeaders({ accept })
      .request('POST', `/deliveries/${slot.uuid}/check`, { content })
    expect([back.status, back.headers.get('content-type')]).to.deep.equal([200, accept])
  })

  it('are asked what a renamed header means, and take the answer', async () => {
    const { holders, slots, rows } = await collect()
    const [slot] = await slots()
    const renamed = 'Client;Date;Somme\nBob;01/02/2026;2\n'
    const asked = await put(holders[0]!, slot.uuid, renamed)
    expect([asked.status, asked.body.code]).to.deep.equal([400, 'DeliveryNotUnderstoodException'])
    expect(asked.body.questions[0]).to.deep.include({ kind: 'renamed', header: 'Somme' })
    const mapping = { Somme: 'Montant' }
    const answered = await put(holders[0]!, slot.uuid, renamed, { mapping })
    expect(answered.status, answered.text).to.equal(200)
    expect(await rows()).to.containSubset([{ Client: 'Bob', Montant: 2 }])
    const more = await put(holders[0]!, slot.uuid, renamed, { mapping: { Somme: 'Somme' } })
    expect([more.status, more.body.errors[0].pointer]).to.deep.equal([400, '/mapping/Somme'])
    const label = await put(holders[0]!, slot.uuid, renamed, { mapping: { Somme: 'Boutique' } })
    expect(label.status).to.equal(400)
  })

  for (const approval of [false, true]) {
    it(`teach the files of others nothing, ${approval ? 'approved' : 'accepted at once'}`, async () => {
      const { as, source, path, holders, slots } = await collect({ approval })
      const renamed = (name: string) => `Client;Date;Somme\n${name};01/02/2026;2\n`
      const [mine, , ofOther] = await slots()
      const mapping = { Somme: 'Montant' }
      const sent = await put(holders[0]!, mine.uuid, renamed('Bob'), { mapping })
      expect(sent.status, sent.text).to.equal(200)
      if (approval) {
        expect((await as.post(`${path}/slots/${mine.uuid}/approve`)).status).to.equal(200)
      }
      const other = await put(holders[1]!, ofOther.uuid, renamed('Cy'))
      expect([other.status, other.body.code]).to.deep.equal([400, 'DeliveryNotUnderstoodException'])
      const { body } = await as.get(`/sources/${source.uuid}/shape`)
      const taught = body.columns.flatMap(({ aliases }: { aliases: string[] }) => aliases)
      expect(taught).to.deep.equal([])
    })
  }

  it('never say in the place of the service who sent them, nor add columns', async () => {
    const { holders, slots, rows } = await collect()
    const [slot] = await slots()
    const posing = 'Client;Date;Montant;Boutique;Mois;Note\nBob;01/02/2026;2;LY;Juin;x\n'
    const sent = await put(holders[0]!, slot.uuid, posing)
    expect(sent.status, sent.text).to.equal(200)
    const [, row] = await rows()
    expect(row).to.deep.include({ Client: 'Bob', Boutique: 'BX', Mois: 'Mai' })
    expect(row).not.to.have.property('Note')
  })

  it('are refused where they are empty, or another file altogether', async () => {
    const { holders, slots } = await collect()
    const [slot] = await slots()
    const empty = await put(holders[0]!, slot.uuid, '')
    expect([empty.status, empty.body.code]).to.deep.equal([400, 'SourceFileEmptyException'])
    const other = await put(holders[0]!, slot.uuid, 'Nom;Prénom\nUn;Deux\nTrois;Quatre\n')
    expect([other.status, other.body.code]).to.be.deep.oneOf([
      [400, 'WrongDeliveryException'],
      [400, 'DeliveryNotUnderstoodException'],
    ])
    const none = await holders[0]!.request('PUT', `/deliveries/${slot.uuid}`, {
      content: sourceForm({}, null),
    })
    expect([none.status, none.body.errors[0].pointer]).to.deep.equal([400, '/file'])
  })

  it('are told once what has changed since their sender looked', async () => {
    const { source, as, holders, slots } = await collect()
    const [holder] = holders
    const [slot] = await slots()
    await holder!.get('/deliveries')
    expect((await put(holder!, slot.uuid, client('Bob', 2))).status).to.equal(200)
    const { body: shape } = await as.get(`/sources/${source.uuid}/shape`)
    const columns = [
      ...shape.columns.map((column: { name: string }) =>
        column.name === 'Client' ? { ...column, rules: [{ required: true }] } : column,
      ),
      { name: 'Ville', type: 'text' },
    ]
    const changed = await as.patch(`/sources/${source.uuid}/shape`, { columns })
    expect(changed.status, changed.text).to.equal(200)
    const told = await put(holder!, slot.uuid, client('Cleo', 3))
    expect([told.status, told.body.code]).to.deep.equal([409, 'AskedChangedException'])
    expect(told.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
      '/Client',
      '/Ville',
    ])
    expect((await put(holder!, slot.uuid, client('Cleo', 3))).status).to.equal(200)
  })

  it('are late after the deadline, and refused where the collection closes', async () => {
    const { as, path, holders, slots } = await collect()
    const past = async (closes: boolean) =>
      app.database.pool.query(
        `update collections set deadline = now() - interval '1 hour', close_at_deadline = $1
         where uuid = $2`,
        [closes, path.split('/').at(-1)],
      )
    await past(true)
    const [slot] = await slots()
    expect(slot.isLate).to.equal(true)
    expect((await as.get(path)).body.slots.late).to.equal(4)
    const closed = await put(holders[0]!, slot.uuid, client('Bob', 2))
    expect([closed.status, closed.body.code]).to.deep.equal([409, 'CollectionClosedException'])
    await past(false)
    const late = await put(holders[0]!, slot.uuid, client('Bob', 2))
    expect([late.status, late.body.isLate]).to.deep.equal([200, true])
    expect((await slots())[0]).to.deep.include({ state: 'accepted', isLate: true })
  })

  it('wait for approval where the collection wants it', async () => {
    const { as, source, path, holders, slots, rows } = await collect({ approval: true })
    const [slot] = await slots()
    const at = `${path}/slots/${slot.uuid}`
    const early = await as.post(`${at}/approve`)
    expect([early.status, early.body.code]).to.deep.equal([409, 'SlotConflictException'])
    const sent = await put(holders[0]!, slot.uuid, client('Bob', 2))
    expect([sent.status, sent.body.state, sent.body.receipt]).to.deep.equal([200, 'received', null])
    expect(await put(holders[0]!, slot.uuid, client('Bob', 2))).to.deep.include({ body: sent.body })
    // It waits as long as it takes.
    await dropStaged(app.database.pool, 0)
    const [waiting] = await slots()
    expect([waiting.state, waiting.rows]).to.deep.equal(['received', 1])
    expect(await rows()).to.have.length(1)
    const load = `/sources/${source.uuid}/loads/${waiting.loadUuid}`
    const direct = await as.post(`${load}/publish`)
    expect([direct.status, direct.body.code]).to.deep.equal([409, 'SourceLoadConflictException'])
    const changes = await as.get(`/sources/${source.uuid}/changes?to=${waiting.loadUuid}`)
    expect([changes.body.added, changes.body.removed]).to.deep.equal([1, 0])
    const approved = await as.post(`${at}/approve`)
    expect(approved.status, approved.text).to.equal(200)
    expect(approved.body).to.deep.include({ state: 'accepted', rows: 1 })
    expect(approved.body.deliveries[0].receipt).to.be.a('string')
    expect(await rows()).to.containSubset([{ Client: 'Bob', Boutique: 'BX' }])
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    await put(holders[0]!, slot.uuid, client('Dan', 4))
    expect(await rows()).to.containSubset([{ Client: 'Bob' }])
    const [next] = await slots()
    const replacing = await as.get(`/sources/${source.uuid}/changes?to=${next.loadUuid}`)
    expect([replacing.body.added, replacing.body.removed]).to.deep.equal([1, 1])
    expect((await as.post(`${at}/approve`)).status).to.equal(200)
    const shown = await rows()
    expect(shown).to.have.length(2)
    expect(shown).to.containSubset([{ Client: 'Dan', Boutique: 'BX', Mois: 'Mai' }])
  })

  it('are rolled back as any load, and the next file takes the place of what came back', async () => {
    const { as, source, holders, slots, rows } = await collect()
    const [slot] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    const names = async () => (await rows()).map(({ Client }: Record<string, string>) => Client)
    expect(await names()).to.deep.equal(['Ann', 'Cleo'])
    const rolledBack = await as.post(`/sources/${source.uuid}/rollback`)
    expect(rolledBack.status, rolledBack.text).to.equal(200)
    expect(await names()).to.deep.equal(['Ann', 'Bob'])
    expect((await put(holders[0]!, slot.uuid, client('Dan', 4))).status).to.equal(200)
    expect(await names()).to.deep.equal(['Ann', 'Dan'])
  })

  it('are returned, and their rows leave', async () => {
    const { as, path, holders, slots, rows } = await collect()
    const [slot] = await slots()
    const at = `${path}/slots/${slot.uuid}`
    const nothing = await as.post(`${at}/return`, { message: 'No' })
    expect([nothing.status, nothing.body.code]).to.deep.equal([409, 'SlotConflictException'])
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    const returned = await as.post(`${at}/return`, { message: ' C’est avril. ' })
    expect(returned.status, returned.text).to.equal(200)
    expect(returned.body).to.deep.include({ state: 'awaited', loadUuid: null, rows: null })
    expect(returned.body.deliveries[0]).to.deep.include({
      state: 'returned',
      reason: 'C’est avril.',
    })
    expect(await rows()).to.have.length(1)
    const { body } = await holders[0]!.get('/deliveries')
    expect(body.slots[0]).to.deep.include({ state: 'awaited', reason: 'C’est avril.' })
    expect((await put(holders[0]!, slot.uuid, client('Bob', 2))).status).to.equal(200)
    expect(await rows()).to.have.length(2)
  })

  it('leave with their load, and their slot awaits another', async () => {
    const { as, source, holders, slots, rows } = await collect()
    const [slot] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    const [{ loadUuid }] = await slots()
    const deleted = await as.delete(`/sources/${source.uuid}/loads/${loadUuid}`)
    expect(deleted.status, deleted.text).to.equal(200)
    expect(await rows()).to.have.length(1)
    expect((await slots())[0]).to.deep.include({ state: 'awaited', loadUuid: null })
  })

  it('keep their source from being deleted or replaced as a whole', async () => {
    const { as, source, path, holders, slots } = await collect()
    const reload = (mode: string) =>
      as.request('POST', `/sources/${source.uuid}/reload`, { content: sourceForm({ mode }, CSV) })
    for (const refused of [await as.delete(`/sources/${source.uuid}`), await reload('replace')]) {
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'SourceInUseException'])
      expect(refused.body.detail).to.include('Ventes')
    }
    const later = await as
      .withHeaders({ prefer: 'respond-async' })
      .post(`/sources/${source.uuid}/reload`, {})
    expect([later.status, later.body.code]).to.deep.equal([409, 'SourceInUseException'])
    expect((await reload('append')).status).to.equal(200)
    const [slot] = await slots()
    expect((await put(holders[0]!, slot.uuid, client('Bob', 2))).status).to.equal(200)
    await as.delete(path)
    expect((await as.get(`/sources/${source.uuid}/data`)).body.total).to.equal(3)
    expect((await as.delete(`/sources/${source.uuid}`)).status).to.equal(200)
  })

  it('are for whoever has the link, and for as long as it lives', async () => {
    const { as, path, holders, links, slots } = await collect()
    const [bordeaux, lyon] = holders
    const [slot, , other] = await slots()
    const none = await app.client.get('/deliveries')
    const unknown = await holderOf('#unknown').get('/deliveries')
    expect([none.status, none.body.code]).to.deep.equal([401, 'LinkNotValidException'])
    const foreign = await put(bordeaux!, other.uuid, client('Bob', 2))
    const nowhere = await put(bordeaux!, path.split('/').at(-1)!, client('Bob', 2))
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'SlotNotFoundException'])
    const said = ({ body }: { body: object }) => ({ ...body, requestId: '' })
    expect(said(foreign)).to.deep.equal(said(nowhere))
    expect((await as.get('/deliveries')).status).to.equal(401)
    expect((await lyon!.get('/sources')).status).to.equal(401)

    const renewed = await as.post(`${path}/slots/${slot.uuid}/link`)
    expect(renewed.status).to.equal(200)
    const dead = await bordeaux!.get('/deliveries')
    expect(said(dead)).to.deep.equal(said(unknown))
    expect(said(dead)).to.deep.equal(said(none))
    expect((await holderOf(renewed.body.url).get('/deliveries')).status).to.equal(200)
    const { uuid } = (links as Link[])[1]!.sender
    await as.delete(`${path}/senders/${uuid}`)
    expect((await lyon!.get('/deliveries')).status).to.equal(401)
    await as.delete(path)
    expect((await holderOf(renewed.body.url).get('/deliveries')).status).to.equal(401)
    const secrets = [...(links as Link[]).map(({ url }) => url), renewed.body.url]
    for (const url of secrets) expect(app.log.join('\n')).not.to.include(url.split('#')[1])
  })

  const senderOf = (slot: string) =>
    `(select sender_id from collection_slots where uuid = '${slot}')`

  it('end with their sender, whatever has begun', async () => {
    const { as, path, links, holders, slots } = await collect()
    const [first, , other] = await slots()
    const held = await holdLocks(
      app.database.pool,
      `select from collection_senders where id = ${senderOf(first.uuid)} for update`,
    )
    const begun = put(holders[0]!, first.uuid, client('Bob', 2))
    await held.isRowWaitedFor()
    await held.run(`delete from collection_senders where id = ${senderOf(first.uuid)}`)
    await held.release()
    expect((await begun).status).to.equal(401)

    const { readable, writable } = new TransformStream<
      Uint8Array<ArrayBuffer>,
      Uint8Array<ArrayBuffer>
    >()
    const writer = writable.getWriter()
    const write = (text: string) => writer.write(new TextEncoder().encode(text))
    const coming = holders[1]!.request('PUT', `/deliveries/${other.uuid}`, {
      content: readable,
      type: 'multipart/form-data; boundary=part',
    })
    await write('--part\r\nContent-Disposition: form-data; name="file"; filename="f.csv"\r\n\r\n')
    await write('Client;Date;Montant\n')
    await until('it is about to be read', async () => {
      const { rowCount } = await app.database.pool.query(
        `select from collection_tries where sender_id = ${senderOf(other.uuid)}`,
      )
      return rowCount === 1
    })
    await as.delete(`${path}/senders/${(links as Link[])[1]!.sender.uuid}`)
    await write('Bob;no date;two\r\n--part--\r\n')
    await writer.close()
    expect((await coming).status).to.equal(401)
  })

  it('are not approved while their sender is deleted', async () => {
    const { as, path, holders, slots, rows } = await collect({ approval: true })
    const [slot] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    const held = await holdLocks(
      app.database.pool,
      `select from collection_senders where id = ${senderOf(slot.uuid)} for update`,
    )
    const approved = as.post(`${path}/slots/${slot.uuid}/approve`)
    await held.isRowWaitedFor()
    await held.run(`delete from collection_senders where id = ${senderOf(slot.uuid)}`)
    await held.release()
    expect((await approved).status).to.equal(404)
    expect(await rows()).to.have.length(1)
  })

  it('are read 30 times an hour, whatever their link', async () => {
    const { as, path, holders, slots } = await collect()
    const [slot] = await slots()
    await app.database.pool.query(
      `insert into collection_tries (sender_id, tried_at)
       select sender_id, now() - interval '59 minutes' from collection_slots, generate_series(1, 28)
       where uuid = $1`,
      [slot.uuid],
    )
    expect((await put(holders[0]!, slot.uuid, client('Bob', 2))).status).to.equal(200)
    expect((await put(holders[0]!, slot.uuid, client('Bob', 2))).status).to.equal(200)
    const same = await put(holders[0]!, slot.uuid, client('Bob', 2))
    expect([same.status, same.body.code]).to.deep.equal([429, 'TooManyRequestsException'])
    const { body } = await as.post(`${path}/slots/${slot.uuid}/link`)
    const many = await put(holderOf(body.url), slot.uuid, client('Cleo', 3))
    expect([many.status, many.body.code]).to.deep.equal([429, 'TooManyRequestsException'])
    expect(Number(many.headers.get('retry-after'))).to.be.within(1, 60)
    const content = sourceForm({}, CSV)
    const check = await holderOf(body.url).request('POST', `/deliveries/${slot.uuid}/check`, {
      content,
    })
    expect(check.status).to.equal(429)
    expect((await holderOf(body.url).get('/deliveries')).status).to.equal(200)
  })

  it('of many senders at once all arrive', async () => {
    const senders = Array.from({ length: 12 }, (_, at) => ({
      key: `s${at}`,
      name: `Sender ${at}`,
      email: `s${at}@example.test`,
    }))
    const { holders, slots, rows } = await collect({ senders, periods: [] })
    const own = await slots()
    const answers = await Promise.all(
      holders.map((holder, at) => put(holder, own[at].uuid, client(`c${at}`, at))),
    )
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200))
    const loaded = (await rows()).slice(1)
    expect(
      loaded.map(({ Client, Boutique }: Record<string, string>) => [Client, Boutique]),
    ).to.have.deep.members(senders.map(({ key }, at) => [`c${at}`, key]))
  })
})
