import { expect } from 'chai'

import { readTable } from '../../src/stack/look.ts'
import { countMoved } from '../../src/stack/move-rows.ts'
import { quoteTable } from '../../pipelines/index.ts'
import { useDatabase } from '../support/database.ts'
import { createFactories } from '../support/factories.ts'
import { PostgresTable } from './postgres-table.ts'

const row = (key: number, value: string) => ({ key, value })

describe('replacing the rows of a slot', () => {
  const database = useDatabase()
  const build = createFactories(() => database.pool)

  async function collected() {
    const { id } = await build.enterprise()
    const make = await PostgresTable.maker(database.pool, id)
    const table = await make(`collected_${id}`)
    await table.load('replace', [row(0, '0')], false, null)
    return table
  }

  const values = async (table: PostgresTable) =>
    (await table.rows()).map((shown) => shown.split(' ').slice(1).join('='))

  it('takes the rows of its earlier load alone out of what they were merged with', async () => {
    const table = await collected()
    await table.keep(0)
    for (const slot of [1, 2, 3]) await table.load('slot', [row(slot, '1')], false, slot)
    await table.merge()
    await table.load('slot', [row(2, '20'), row(2, '21')], false, 2)
    expect(await values(table)).to.deep.equal(['0=0', '1=1', '3=1', '2=20', '2=21'])
  })

  it('leaves views, indexes and grants as they are', async () => {
    const { pool } = database
    const table = await collected()
    const { name } = await readTable(pool, table.id)
    const own = quoteTable(name)
    await table.load('slot', [row(1, '1')], false, 1)
    await pool.query(`
      create view public.sums as select sum(value) as sum from ${own};
      create index on ${own} (value);
      grant select on ${own} to public`)
    const attached = async () => {
      const { rows } = await pool.query<{ indexes: number; grants: string; sum: string }>(
        `select (select count(*) from pg_index where indrelid = $1::regclass and indisvalid) as indexes,
                (select relacl::text from pg_class where oid = $1::regclass) as grants,
                (select sum::text from public.sums) as sum`,
        [own],
      )
      return rows[0]!
    }
    const before = await attached()
    await table.load('slot', [row(1, '7')], false, 1)
    expect(await attached()).to.deep.equal({ ...before, sum: '7' })
    await table.rollBack(null)
    expect(await attached()).to.deep.equal(before)
    await pool.query('drop view public.sums')
  })

  it('looks only at loads whose rows are moved, however many there are', async () => {
    const { pool } = database
    const { id } = await collected()
    await pool.query(
      `insert into loads (table_id, number, kind, state, rows_before)
       select $1, n, 'delivery', 'gone', n::bigint << 40 from generate_series(1000, 6000) n`,
      [id],
    )
    await pool.query('analyze loads')
    await pool.query(
      `create table public.taken as
       select (2000::bigint << 40) + n as _row from generate_series(1, 5000) n`,
    )
    const client = await pool.connect()
    try {
      await client.query('begin')
      await countMoved(client, id, { schema: 'public', table: 'taken' }, 'out')
      const { rows } = await client.query<{ read: number; missing: number }>(
        `select (select seq_tup_read from pg_stat_xact_user_tables where relname = 'loads') as read,
                (select sum(g.missing) from load_gaps g join loads l on l.id = g.load_id
                 where l.table_id = $1 and l.number = 2000) as missing`,
        [id],
      )
      expect(rows[0]!.missing).to.equal(5000)
      expect(rows[0]!.read).to.be.below(100)
    } finally {
      await client.query('rollback')
      client.release()
      await pool.query('drop table public.taken')
    }
  })

  it('follows what is shown: after a rollback, the rows that came back give way', async () => {
    const table = await collected()
    await table.load('slot', [row(1, '1')], false, 1)
    await table.load('slot', [row(1, '2')], false, 1)
    await table.rollBack(null)
    await table.load('slot', [row(1, '3')], false, 1)
    expect(await values(table)).to.deep.equal(['0=0', '1=3'])
  })

  it('leaves nothing of the slot when its latest load is taken out', async () => {
    const table = await collected()
    await table.load('slot', [row(1, '1')], false, 1)
    await table.load('slot', [row(2, '1')], false, 2)
    const last = await table.load('slot', [row(1, '2')], false, 1)
    expect(await table.takeOut(last!)).to.equal(true)
    expect(await values(table)).to.deep.equal(['0=0', '2=1'])
  })
})
