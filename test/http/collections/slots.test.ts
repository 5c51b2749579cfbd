import { expect } from 'chai'

import { tellOfDeadlines } from '../../../src/domain/collections/mails.ts'
import { useApp } from '../../support/app.ts'
import { client, put, useCollections } from '../../support/collections.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { until } from '../../support/patience.ts'
import { reloadWith, sourceForm } from '../../support/sources.ts'
import { uploadsUnderWay } from '../../support/uploads.ts'

describe('what slots hold', () => {
  const app = useApp()
  const { collect } = useCollections(app)

  type Collected = Awaited<ReturnType<typeof collect>>

  /** The states of a slot and of its deliveries, the latest first, and how many rows it shows. */
  const told = async ({ slots }: Collected, at = 0) => {
    const { state, rows, deliveries } = (await slots())[at]
    return [state, rows, deliveries.map((each: { state: string }) => each.state)]
  }

  const names = async ({ rows }: Collected) =>
    (await rows()).map(({ Client }: Record<string, string>) => Client)

  const rollBack = async ({ as, source }: Collected, load?: string) => {
    const done = await as.post(`/sources/${source.uuid}/rollback`, load ? { load } : undefined)
    expect(done.status, done.text).to.equal(200)
  }

  it('follows the table when it is rolled back, and forward again', async () => {
    const collected = await collect()
    const { holders, slots, as, path } = collected
    const [slot] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    expect(await told(collected)).to.deep.equal(['accepted', 1, ['accepted', 'replaced']])
    await rollBack(collected)
    expect(await names(collected)).to.deep.equal(['Ann', 'Bob'])
    expect(await told(collected)).to.deep.equal(['accepted', 1, ['undone', 'accepted']])
    await rollBack(collected)
    expect(await names(collected)).to.deep.equal(['Ann', 'Cleo'])
    expect(await told(collected)).to.deep.equal(['accepted', 1, ['accepted', 'replaced']])
    expect((await as.get(path)).body.slots).to.include({ awaited: 3, accepted: 1 })
  })

  it('holds up nobody whose files a rollback does not touch, and waits for none of them', async () => {
    const collected = await collect()
    const [slot] = await collected.slots()
    await put(collected.holders[0]!, slot.uuid, client('Bob', 2))
    const other = `select from collection_senders where uuid = '${collected.links[1].sender.uuid}'`
    const held = await holdLocks(app.database.pool, `${other} for update`)
    try {
      await rollBack(collected)
    } finally {
      await held.release()
    }
    expect(await told(collected)).to.deep.equal(['awaited', null, ['undone']])
  })

  it('has the rejects of its latest file alone, also after a rollback', async () => {
    const collected = await collect({ periods: [] }, { options: { onInvalid: 'skip' } })
    const { holders, slots, as, source } = collected
    const [slot, other] = await slots()
    const fileOf = (name: string, wrong: string) => `${client(name, 2)}x;${wrong};1\n`
    const shown = async () => {
      const { body } = await as.get(`/sources/${source.uuid}/rejects`)
      const { rejectedCount } = (await as.get(`/sources/${source.uuid}`)).body
      expect([rejectedCount, body.total]).to.deep.equal([body.items.length, body.items.length])
      return body.items.map(({ value }: { value: string }) => value).toSorted()
    }
    await put(holders[0]!, slot.uuid, fileOf('Bob', 'jamais'))
    await put(holders[1]!, other.uuid, fileOf('Zoe', 'hier'))
    expect(await shown()).to.deep.equal(['hier', 'jamais'])
    await put(holders[0]!, slot.uuid, fileOf('Cleo', 'demain'))
    expect(await shown()).to.deep.equal(['demain', 'hier'])
    await rollBack(collected)
    expect(await shown()).to.deep.equal(['hier', 'jamais'])
    await rollBack(collected)
    expect(await shown()).to.deep.equal(['demain', 'hier'])
  })

  it('is nothing once a rollback has taken the rows out: a file is awaited, and asked for', async () => {
    const collected = await collect({
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      remind: ['1d'],
      periods: [],
    })
    const { holders, slots, as, path } = collected
    const [slot, other] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    await put(holders[1]!, other.uuid, client('Zoe', 3))
    await app.database.pool.query(
      `update collection_senders set created_at = now() - interval '2 days'
       where collection_id = (select id from collections where uuid = $1)`,
      [path.split('/').at(-1)],
    )
    const reminders = async () => {
      await tellOfDeadlines(app.database.pool)
      const { rows } = await app.database.pool.query<{ key: string }>(
        `select se.key from collection_mails m join collection_senders se on se.id = m.sender_id
         join collections c on c.id = se.collection_id
         where m.kind = 'reminder' and c.uuid = $1`,
        [path.split('/').at(-1)],
      )
      return rows.map(({ key }) => key)
    }
    expect(await reminders()).to.deep.equal([])
    await rollBack(collected)
    expect(await told(collected, 1)).to.deep.equal(['awaited', null, ['undone']])
    expect((await slots())[1]).to.include({ loadUuid: null, receivedAt: null })
    const { body: page } = await holders[1]!.get('/deliveries')
    expect(page.slots[0]).to.include({ state: 'awaited', filename: null, receipt: null })
    expect((await as.get(path)).body.slots).to.include({ awaited: 1, accepted: 1 })
    expect(await reminders()).to.deep.equal(['LY'])
    const returned = await as.post(`${path}/slots/${other.uuid}/return`, { message: 'Again' })
    expect([returned.status, returned.body.code]).to.deep.equal([409, 'SlotConflictException'])
    await rollBack(collected)
    expect(await told(collected, 1)).to.deep.equal(['accepted', 1, ['accepted']])
    expect((await holders[1]!.get('/deliveries')).body.slots[0].receipt).to.be.a('string')
  })

  it('is what a rollback to an earlier table left, and the next file comes on top of that', async () => {
    const collected = await collect()
    const { holders, slots, source, as } = collected
    const [slot] = await slots()
    const { body } = await as.get(`/sources/${source.uuid}/loads`)
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    await as.patch(`/sources/${source.uuid}`, { keepLoads: 5 })
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    await put(holders[0]!, slot.uuid, client('Dan', 4))
    await rollBack(collected, body.items[0].uuid)
    expect(await told(collected)).to.deep.equal([
      'awaited',
      null,
      ['undone', 'replaced', 'replaced'],
    ])
    expect((await put(holders[0]!, slot.uuid, client('Eve', 5))).status).to.equal(200)
    expect(await names(collected)).to.deep.equal(['Ann', 'Eve'])
    const [state, , [latest]] = (await told(collected)) as [string, number, string[]]
    expect([state, latest]).to.deep.equal(['accepted', 'accepted'])
  })

  it('is not touched by what waits for approval when the table is rolled back', async () => {
    const collected = await collect({ approval: true })
    const { holders, slots, as, path } = collected
    const [slot] = await slots()
    const at = `${path}/slots/${slot.uuid}`
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    expect((await as.post(`${at}/approve`)).status).to.equal(200)
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    expect(await told(collected)).to.deep.equal(['received', 1, ['received', 'accepted']])
    await rollBack(collected)
    expect(await told(collected)).to.deep.equal(['received', 1, ['received', 'undone']])
    expect((await as.post(`${at}/approve`)).status).to.equal(200)
    expect(await names(collected)).to.deep.equal(['Ann', 'Cleo'])
    expect(await told(collected)).to.deep.equal(['accepted', 1, ['accepted', 'undone']])
  })

  it('is not touched by what is added beside it', async () => {
    const collected = await collect()
    const { holders, slots, source, as } = collected
    const [slot] = await slots()
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    const added = await reloadWith(() => as)(source.uuid, client('Zoe', 9), { mode: 'append' })
    expect(added.status, added.text).to.equal(200)
    expect(await told(collected)).to.deep.equal(['accepted', 1, ['accepted']])
    await rollBack(collected)
    expect(await told(collected)).to.deep.equal(['accepted', 1, ['accepted']])
  })

  it('is approved as it was looked at, or not at all', async () => {
    const collected = await collect({ approval: true })
    const { holders, slots, as, path } = collected
    const [slot] = await slots()
    const approve = (loadUuid?: string) =>
      as.post(`${path}/slots/${slot.uuid}/approve`, loadUuid && { loadUuid })
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    const [seen] = await slots()
    await put(holders[0]!, slot.uuid, client('Mallory', 1_000_000))
    const refused = await approve(seen.loadUuid)
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'SlotConflictException'])
    expect(refused.body.detail).to.equal(
      'Another file has come into this slot since you looked. Look at it, then decide',
    )
    expect(await names(collected)).to.deep.equal(['Ann'])
    const returned = await as.post(`${path}/slots/${slot.uuid}/return`, {
      message: 'No',
      loadUuid: seen.loadUuid,
    })
    expect([returned.status, returned.body.code]).to.deep.equal([409, 'SlotConflictException'])
    const [now] = await slots()
    expect((await approve(now.loadUuid)).status).to.equal(200)
    expect(await names(collected)).to.deep.equal(['Ann', 'Mallory'])
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    expect((await approve()).status).to.equal(200)
    expect(await names(collected)).to.deep.equal(['Ann', 'Cleo'])
  })

  it('is not returned by somebody who has not seen that it was approved', async () => {
    const collected = await collect({ approval: true })
    const { holders, slots, as, path } = collected
    const [slot] = await slots()
    const at = `${path}/slots/${slot.uuid}`
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    const [{ loadUuid, state }] = await slots()
    const sayNo = (seen: object) => as.post(`${at}/return`, { message: 'No', ...seen })
    expect((await as.post(`${at}/approve`, { loadUuid })).status).to.equal(200)
    const late = await sayNo({ loadUuid, state })
    expect([late.status, late.body.code]).to.deep.equal([409, 'SlotConflictException'])
    expect(late.body.detail).to.equal(
      'Somebody has decided about this file since you looked. Look again, then decide',
    )
    expect(await names(collected)).to.deep.equal(['Ann', 'Bob'])
    expect((await sayNo({ loadUuid, state: 'accepted' })).status).to.equal(200)
    expect(await names(collected)).to.deep.equal(['Ann'])
  })

  it('leaves together when it is returned: what waits, and what was accepted before', async () => {
    const collected = await collect({ approval: true })
    const { holders, slots, as, path } = collected
    const [slot] = await slots()
    const at = `${path}/slots/${slot.uuid}`
    await put(holders[0]!, slot.uuid, client('Bob', 2))
    await as.post(`${at}/approve`)
    await put(holders[0]!, slot.uuid, client('Cleo', 3))
    expect((await as.post(`${at}/return`, { message: 'No' })).status).to.equal(200)
    expect(await names(collected)).to.deep.equal(['Ann'])
    expect(await told(collected)).to.deep.equal(['awaited', null, ['returned', 'returned']])
  })

  it('gets no link any more while its sender is deleted', async () => {
    const { slots, as, path } = await collect()
    const [{ uuid, sender }] = await slots()
    const deletion = await holdLocks(
      app.database.pool,
      `delete from collection_senders where uuid = '${sender.uuid}'`,
    )
    const renewing = as.post(`${path}/slots/${uuid}/link`)
    await deletion.isRowWaitedFor()
    await deletion.release()
    const { status, body } = await renewing
    expect([status, body.code]).to.deep.equal([404, 'SlotNotFoundException'])
  })

  it('is returned while its collection is deleted, and neither waits for the other for ever', async () => {
    const { slots, as, path, holders } = await collect()
    const [{ uuid }] = await slots()
    await put(holders[0]!, uuid, client('Bob', 2))
    const of = `from collections where uuid = '${path.split('/').at(-1)}'`
    const deletion = await holdLocks(app.database.pool, `select ${of} for update`)
    const returning = as.post(`${path}/slots/${uuid}/return`, { message: 'Again' })
    await deletion.isRowWaitedFor()
    await deletion.run(`delete ${of}`)
    await deletion.release()
    expect((await returning).status).to.equal(404)
  })

  it('is closed to a file that began to come before the deadline and has come after it', async () => {
    const { holders, slots, path, rows } = await collect()
    const [slot] = await slots()
    const form = new Response(sourceForm({}, client('Bob', 2)))
    const type = form.headers.get('content-type')!
    const bytes = new Uint8Array(await form.arrayBuffer())
    const isClosed = Promise.withResolvers<void>()
    async function* slowly() {
      yield bytes.subarray(0, -60)
      await isClosed.promise
      yield bytes.subarray(-60)
    }
    const content = ReadableStream.from(slowly()) as ReadableStream
    const slow = holders[0]!.request('PUT', `/deliveries/${slot.uuid}`, { content, type })
    await until('it has begun to come', async () => (await uploadsUnderWay(app)) > 0)
    await app.database.pool.query(
      'update collections set deadline = clock_timestamp(), close_at_deadline = true where uuid = $1',
      [path.split('/').at(-1)],
    )
    isClosed.resolve()
    const refused = await slow
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'CollectionClosedException'])
    expect(await rows()).to.have.length(1)
    expect((await slots())[0]).to.deep.include({ state: 'awaited', deliveries: [] })
  })

  it('tells whoever collects what blocks the table, and the sender nothing of it', async () => {
    const collected = await collect()
    const { holders, slots, source } = collected
    const [slot] = await slots()
    await app.database.pool.query(
      `create view ${source.schema}.secret_salaries as select "client", "montant" from ${source.schema}.${source.tableName}`,
    )
    const large = 'Client;Date;Montant\nBob;01/02/2026;2,5\n'
    const blocked = await put(holders[0]!, slot.uuid, large)
    expect([blocked.status, blocked.body.code]).to.deep.equal([409, 'DeliveryBlockedException'])
    expect(blocked.text).not.to.include('secret_salaries')
    expect((await put(holders[0]!, slot.uuid, large)).status).to.equal(409)
    const [state, , deliveries] = await told(collected)
    expect([state, deliveries]).to.deep.equal(['awaited', ['blocked']])
    expect((await slots())[0].deliveries[0].reason).to.include('secret_salaries')
    const { text } = await holders[0]!.get('/deliveries')
    expect(text).not.to.include('secret_salaries')
    expect(await names(collected)).to.deep.equal(['Ann'])
  })
})
