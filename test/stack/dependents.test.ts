import { expect } from 'chai'
import type { ClientBase } from 'pg'

import { dependentsOfColumns, dependentsOfTable } from '../../src/stack/table/catalogue.ts'
import { useDatabase } from '../support/database.ts'

const LISTS = ['pg_attrdef', 'pg_class', 'pg_constraint', 'pg_depend', 'pg_namespace', 'pg_type']

describe('what depends on a table', () => {
  const database = useDatabase()

  it('is looked up: no list of all there is in the database is read for it', async () => {
    const table = { schema: 'public', table: 'sales' }
    await database.pool.query(`
      create table public.sales (id int, amount numeric);
      create view public.totals as select sum(amount) from sales;
      create table public.archive (sale sales)`)
    const client = await database.pool.connect()
    try {
      // Where lists are short PostgreSQL reads them whole of its own accord.
      await client.query('set enable_seqscan = off')
      const before = await listsRead(client)
      const ofColumn = await dependentsOfColumns(client, table)
      const ofTable = await dependentsOfTable(client, table)
      expect(await listsRead(client)).to.deep.equal(before)
      expect(ofTable).to.deep.include({ count: 2, named: ['archive', 'totals'] })
      expect(ofColumn(1).named).to.deep.equal(['archive'])
      expect(ofColumn(2).named).to.deep.equal(['archive', 'totals'])
    } finally {
      client.release(true)
    }
  })
})

/** How often each was read from end to end. */
async function listsRead(client: ClientBase): Promise<unknown[]> {
  await client.query('set stats_fetch_consistency = none')
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query(
    'select relname, seq_scan from pg_stat_sys_tables where relname = any ($1) order by 1',
    [LISTS],
  )
  return rows
}
