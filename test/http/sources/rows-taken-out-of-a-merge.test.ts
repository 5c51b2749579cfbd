import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { eventually } from '../../support/patience.ts'
import { created, createFromFile, reloadWith } from '../../support/sources.ts'

/** So many partitions are merged. */
const SMALL_ENOUGH = 8
/** An advisory lock of this test alone. */
const PAUSE = 20_481

describe('a load that is taken out while it is being merged with others', () => {
  const app = useApp()

  it('stays taken out when its rows had been read just before', async () => {
    const admin = await app.build.user()
    const client = app.client.as(admin)
    const schema = `enterprise_${admin.enterprise!.id}`
    const { uuid, tableName } = await created(createFromFile(client, 'v\n0\n'))
    const table = `${schema}.${tableName}`
    const rowsOf = async <R>(sql: string) => (await app.database.pool.query(sql)).rows as R[]
    const reload = reloadWith(() => client)
    const expected = [0]
    const append = async () => {
      const value = expected.length
      const { status, text } = await reload(uuid, `v\n${value}\n`, { mode: 'append' })
      expect(status, text).to.equal(200)
      expected.push(value)
    }
    const hasPartitions = (count: number) =>
      eventually(async () => {
        const partitions = await rowsOf(
          `select 1 from pg_inherits where inhparent = '${table}'::regclass`,
        )
        expect(partitions).to.have.length(count)
      })
    await client.patch(`/sources/${uuid}`, { keepLoads: 0 })
    await app.database.pool.query(
      `create function public.pausing(v bigint) returns bigint immutable language plpgsql as $$ begin
         if v = ${SMALL_ENOUGH} then perform pg_advisory_xact_lock_shared(${PAUSE}); end if;
         return v;
       end $$;
       create index on ${table} (public.pausing(v))`,
    )
    for (let nth = 1; nth < SMALL_ENOUGH; nth++) await append()
    await hasPartitions(1)
    for (let nth = 2; nth < SMALL_ENOUGH; nth++) await append()
    await hasPartitions(SMALL_ENOUGH - 1)

    // The merge has read all rows when it comes to the index, and waits there.
    const held = await holdLocks(app.database.pool, `select pg_advisory_xact_lock(${PAUSE})`)
    await append()
    await eventually(async () => {
      const waiting = await rowsOf(
        `select 1 from pg_locks where locktype = 'advisory' and objid = ${PAUSE} and not granted`,
      )
      expect(waiting).to.have.length(1)
    })
    const { body } = await client.get(`/sources/${uuid}/loads?limit=100`)
    const loads = body.items as { uuid: string; number: number }[]
    const { uuid: load } = loads.find(({ number }) => number === 3)!
    const { status, text } = await client.delete(`/sources/${uuid}/loads/${load}`)
    expect(status, text).to.equal(200)
    expected.splice(2, 1)
    await held.release()
    await hasPartitions(1)
    const rows = await rowsOf<{ v: number }>(`select v::int from ${table} order by _row`)
    expect(rows.map(({ v }) => v)).to.deep.equal(expected)
  })
})
