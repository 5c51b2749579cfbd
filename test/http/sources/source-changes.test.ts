import { expect } from 'chai'
import * as fc from 'fast-check'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, reloadWith, rowsOfSource } from '../../support/sources.ts'

const RUNS = 10
const STEPS = 8

interface Row {
  readonly k: number
  readonly n: number | null
}

const row = fc.record({ k: fc.integer({ min: 1, max: 9 }), n: fc.constantFrom(1, 2, 4.5, -6) })
const step = fc.record({
  mode: fc.constantFrom('replace', 'append', 'upsert', 'upsert', 'rollback'),
  publish: fc.constantFrom(true, true, true, false),
  rows: fc.uniqueArray(row, { minLength: 1, maxLength: 6, selector: ({ k }) => k }),
  nth: fc.nat(50),
})

const csvOf = (rows: readonly Row[]) => `k,n\n${rows.map(({ k, n }) => `${k},${n}\n`).join('')}`

describe('changes between two states of a source', () => {
  const app = useApp()
  let client: TestClient

  before(async () => {
    client = app.client.as(await app.build.user())
  })

  const reload = reloadWith(() => client)
  const items = rowsOfSource(() => client)
  const changes = async (uuid: string, query = '') => {
    const answer = await client.get(`/sources/${uuid}/changes${query}`)
    expect(answer.status, answer.text).to.equal(200)
    return answer.body
  }
  const staged = async (uuid: string, csv: string, fields: Record<string, unknown> = {}) =>
    (await reload(uuid, csv, { publish: 'false', ...fields })).body
  const loadsOf = async (uuid: string) => (await client.get(`/sources/${uuid}/loads`)).body.items

  it('are those between what is shown and what is staged, row by row where a key is given', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n3,c\n'))
    await staged(uuid, 'k,v\n1,a\n2,B\n4,d\n')
    const found = await changes(uuid, '?key=k')
    expect(found).to.deep.equal({
      added: 1,
      removed: 1,
      changed: 1,
      unchanged: 1,
      drift: { added: [], removed: [], retyped: [] },
      items: [
        { kind: 'removed', key: 3, before: { k: 3, v: 'c' }, after: null },
        { kind: 'changed', key: 2, before: { k: 2, v: 'b' }, after: { k: 2, v: 'B' } },
        { kind: 'added', key: 4, before: null, after: { k: 4, v: 'd' } },
      ],
      total: 3,
      page: 1,
      limit: 20,
    })
  })

  it('are a multiset without a key', async () => {
    const { uuid } = await created(createFromFile(client, 'v\na\na\na\nb\n'))
    await staged(uuid, 'v\na\nb\nb\nc\n')
    const found = await changes(uuid)
    expect(found).to.include({ added: 2, removed: 2, changed: 0, unchanged: 2, total: 4 })
    expect(found.items).to.deep.equal([
      { kind: 'removed', before: { v: 'a' }, after: null },
      { kind: 'removed', before: { v: 'a' }, after: null },
      { kind: 'added', before: null, after: { v: 'b' } },
      { kind: 'added', before: null, after: { v: 'c' } },
    ])
  })

  it('are counted whole and listed by kind, page by page', async () => {
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `${from + at},${at}\n`).join('')
    const { uuid } = await created(createFromFile(client, `k,v\n${rows(0, 100)}`))
    await staged(uuid, `k,v\n${rows(50, 200)}`)
    const first = await changes(uuid, '?key=k&kind=added&limit=60')
    expect(first).to.include({ added: 100, removed: 50, changed: 50, unchanged: 0, total: 100 })
    const second = await changes(uuid, '?key=k&kind=added&limit=60&page=2')
    expect(second).to.include({ added: 100, removed: 50, changed: 50, total: 100, page: 2 })
    const keys = [...first.items, ...second.items].map(({ key }: { key: number }) => key)
    expect(keys).to.deep.equal(Array.from({ length: 100 }, (_, at) => 100 + at))
    expect((await changes(uuid, '?key=k&kind=added&page=3&limit=60')).items).to.deep.equal([])
  })

  it('between loads that are named are those between the states after them', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n'))
    await client.patch(`/sources/${uuid}`, { keepLoads: 5 })
    await reload(uuid, 'k,v\n2,B\n3,c\n', { mode: 'upsert', key: 'k' })
    await reload(uuid, 'k,v\n4,d\n', { mode: 'append' })
    await reload(uuid, 'k,v\n9,z\n')
    const [replaced, appended, upserted, made] = await loadsOf(uuid)
    const between = (from: { uuid: string }, to: { uuid: string }) =>
      changes(uuid, `?key=k&from=${from.uuid}&to=${to.uuid}`)
    expect(await between(made, upserted)).to.include({ added: 1, changed: 1, unchanged: 1 })
    expect(await between(upserted, appended)).to.include({ added: 1, changed: 0, unchanged: 3 })
    expect(await between(appended, made)).to.include({ removed: 2, changed: 1, unchanged: 1 })
    expect(await between(made, replaced)).to.include({ added: 1, removed: 2, unchanged: 0 })
    expect(await between(replaced, replaced)).to.include({ added: 0, removed: 0, unchanged: 1 })
    expect(await items(uuid)).to.deep.equal([{ k: 9, v: 'z' }])
  })

  it('of a load that was staged to be appended or upserted are those that publishing it would make', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n2,b\n'))
    const append = await staged(uuid, 'k,v\n3,c\n', { mode: 'append' })
    const upsert = await staged(uuid, 'k,v\n2,B\n2,BB\n7,g\n', { mode: 'upsert', key: 'k' })
    expect(await changes(uuid, `?to=${append.uuid}`)).to.include({ added: 1, unchanged: 2 })
    const found = await changes(uuid, `?to=${upsert.uuid}&key=k`)
    expect(found).to.include({ added: 1, removed: 0, changed: 1, unchanged: 1 })
    expect(found.items[0].after).to.deep.equal({ k: 2, v: 'BB' })
  })

  it('tell which columns came, went and changed their types, and keep every digit', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v,old\n1,1,x\n2,2,\n'))
    await staged(uuid, 'k,v,new\n1,1.50000000000000000001,\n2,2,y\n')
    const answer = await client.get(`/sources/${uuid}/changes?key=k`)
    expect(answer.text).to.include('1.50000000000000000001')
    const { drift, items: list } = answer.body
    expect(drift.added).to.deep.equal([{ name: 'new', type: 'text' }])
    expect(drift.removed).to.deep.equal([{ name: 'old', type: 'text' }])
    expect(drift.retyped).to.have.length(1)
    expect(list.map(({ key }: { key: number }) => key)).to.deep.equal([1, 2])
    expect(list[1]).to.deep.equal({
      kind: 'changed',
      key: 2,
      before: { k: 2, v: 2, old: null },
      after: { k: 2, v: 2, new: 'y' },
    })
  })

  it('compare values, whatever types they have come to be stored in', async () => {
    const { uuid } = await created(
      createFromFile(client, 'k,v,d\n1,5,2026-01-31\n2,6,2026-02-01\n'),
    )
    await staged(uuid, 'k,v,d\n1,5,2026-01-31\nx,6,2026-02-01 10:00:00\n')
    expect(await changes(uuid, '?key=k')).to.include({ added: 1, removed: 1, unchanged: 1 })
  })

  it('require `to` where several loads are staged, and a staged load where it is left out', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const none = await client.get(`/sources/${uuid}/changes`)
    expect(none.status).to.equal(400)
    expect(none.body.errors[0].pointer).to.equal('/query/to')
    await staged(uuid, 'k,v\n1,b\n')
    const { uuid: other } = await staged(uuid, 'k,v\n1,c\n')
    const several = await client.get(`/sources/${uuid}/changes`)
    expect(several.status).to.equal(400)
    expect(several.body.detail).to.include(other)
    expect(await changes(uuid, `?to=${other}&key=k`)).to.include({ changed: 1 })
  })

  it('refuse a key that repeats or is blank, naming its value, or that is no column', async () => {
    const { uuid } = await created(createFromFile(client, 'k,v\n1,a\n1,b\n2,\n'))
    await staged(uuid, 'k,v\n1,a\n')
    const refused = async (key: string) => {
      const answer = await client.get(`/sources/${uuid}/changes?key=${key}`)
      expect(answer.status, answer.text).to.equal(400)
      expect(answer.body.errors[0].pointer).to.equal('/query/key')
      return answer.body.detail as string
    }
    expect(await refused('k')).to.include('“1” occurs more than once')
    expect(await refused('v')).to.include('leaves “v” empty')
    expect(await refused('nothing')).to.include('header of a column')
  })

  it('are refused for states that are not kept, and hidden from other enterprises', async () => {
    const { uuid } = await created(createFromFile(client, 'v\n1\n'))
    await client.patch(`/sources/${uuid}`, { keepLoads: 0 })
    await reload(uuid, 'v\n2\n')
    await staged(uuid, 'v\n3\n')
    const [, , first] = await loadsOf(uuid)
    const gone = await client.get(`/sources/${uuid}/changes?from=${first.uuid}`)
    expect(gone.status, gone.text).to.equal(409)
    expect(gone.body.code).to.equal('SourceLoadConflictException')
    const other = app.client.as(await app.build.user())
    expect((await other.get(`/sources/${uuid}/changes`)).status).to.equal(404)
    const { uuid: another } = await created(createFromFile(client, 'v\n1\n'))
    const foreign = await client.get(`/sources/${another}/changes?to=${first.uuid}`)
    expect(foreign.status).to.equal(404)
  })

  it('are those that the states themselves have, after any sequence of loads and ways back', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: STEPS }), async (steps) => {
        const { uuid } = await created(createFromFile(client, csvOf([{ k: 1, n: 1 }])))
        await client.patch(`/sources/${uuid}`, { keepLoads: 4 })
        const states = new Map<string, Row[]>()
        for (const { mode, publish, rows, nth } of steps) {
          const [last] = await loadsOf(uuid)
          if (last.state === 'current') states.set(last.uuid, await items(uuid))
          if (mode === 'rollback') {
            const load = [...states.keys()][nth % Math.max(1, states.size)]
            await client.post(`/sources/${uuid}/rollback`, load === undefined ? {} : { load })
          } else {
            const key = mode === 'upsert' ? { key: 'k' } : {}
            await reload(uuid, csvOf(rows), { mode, publish: String(publish), ...key })
          }
        }
        const [last] = await loadsOf(uuid)
        if (last.state === 'current') states.set(last.uuid, await items(uuid))
        for (const [from, before] of states) {
          for (const [to, after] of states) {
            const answer = await client.get(
              `/sources/${uuid}/changes?from=${from}&to=${to}&limit=100`,
            )
            if (answer.status === 409) continue
            expect(answer.status, answer.text).to.equal(200)
            const expected = multisetChanges(before, after)
            expect(answer.body, JSON.stringify(steps)).to.include({
              added: expected.added.length,
              removed: expected.removed.length,
              changed: 0,
              unchanged: before.length - expected.removed.length,
            })
            const listed = answer.body.items.map((item: { before: Row; after: Row }) =>
              JSON.stringify(item.before ?? item.after),
            )
            expect(listed.toSorted()).to.deep.equal(
              [...expected.added, ...expected.removed].toSorted(),
            )
            compared++
          }
        }
      }),
      { numRuns: RUNS },
    )
    expect(compared).to.be.greaterThan(RUNS)
  })

  it('stop in the database when nobody waits for them any longer', async () => {
    const { uuid, tableName } = await created(createFromFile(client, 'k,v\n1,a\n'))
    const { enterpriseId } = (
      await app.database.pool.query<{ enterpriseId: number }>(
        `select t.enterprise_id as "enterpriseId" from generated_tables t where t.name = $1`,
        [tableName],
      )
    ).rows[0]!
    await staged(uuid, 'k,v\n1,b\n')
    const { rows } = await app.database.pool.query<{ name: string }>(
      `select p.name from load_tables p join generated_tables t on t.id = p.table_id
       where t.name = $1 and p.is_attached`,
      [tableName],
    )
    const blocker = await app.database.pool.connect()
    const leaving = new AbortController()
    try {
      await blocker.query('begin')
      await blocker.query(
        `lock table enterprise_${enterpriseId}_loads.${rows[0]!.name} in access exclusive mode`,
      )
      const waiting = async () => {
        const { rows: found } = await app.database.pool.query<{ count: number }>(
          `select count(*) as count from pg_stat_activity where datname = current_database()
             and wait_event_type = 'Lock' and query like '%in access share mode'`,
        )
        return found[0]!.count
      }
      const token = await client.token()
      const asked = fetch(`${app.address}/sources/${uuid}/changes`, {
        headers: { 'x-app-access-token': token },
        signal: leaving.signal,
      })
      const left = asked.catch((error: Error) => error.name)
      while ((await waiting()) === 0);
      leaving.abort()
      expect(await left).to.equal('AbortError')
      while ((await waiting()) > 0);
    } finally {
      await blocker.query('rollback')
      blocker.release()
    }
  })
})

/** Rows as text, so that two of the same content are the same. */
function multisetChanges(before: readonly Row[], after: readonly Row[]) {
  const added = after.map((each) => JSON.stringify(each))
  const removed: string[] = []
  for (const each of before) {
    const at = added.indexOf(JSON.stringify(each))
    if (at === -1) removed.push(JSON.stringify(each))
    else added.splice(at, 1)
  }
  return { added, removed }
}
