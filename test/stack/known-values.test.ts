import { expect } from 'chai'

import { histogramOf, type KnownValues, knownValues } from '../../src/stack/read/known-values.ts'
import type { StoredColumn } from '../../src/stack/table/stored-column.ts'
import { useDatabase } from '../support/database.ts'

const COLUMNS: readonly StoredColumn[] = [
  { name: 'Ville', column: 'ville', type: 'text', sqlType: 'text' },
  { name: 'Montant', column: 'montant', type: 'number', sqlType: 'numeric' },
  { name: 'Quand', column: 'quand', type: 'date', sqlType: 'timestamptz' },
  { name: 'Payé', column: 'paye', type: 'boolean', sqlType: 'boolean' },
  { name: 'Détail', column: 'detail', type: 'json', sqlType: 'jsonb' },
]

/** Of 30,000 rows no more than a third is read. */
const ROWS = `
  select n as _row, case n % 3 when 0 then null when 1 then 'Sète' else repeat('é', 500) end as ville,
         n % 1000 / 2.0 as montant, timestamptz '2026-01-01 10:00:00.5Z' + n * interval '1 second' as quand,
         n % 4 > 0 as paye, jsonb_build_object('n', n) as detail
  from generate_series(1, 30000) as n`

describe('what is known of the values of a table', () => {
  const database = useDatabase()

  it('is the same by a sample as by statistics, as far as people see', async () => {
    const client = await database.pool.connect()
    try {
      await client.query(`create table public.whole (_row bigint, ville text, montant numeric, quand timestamptz,
        paye boolean, detail jsonb) partition by range (_row)`)
      await client.query('create table public.part partition of public.whole default')
      await client.query(`insert into public.whole ${ROWS}`)
      const state = {
        id: 1,
        name: { schema: 'public', table: 'whole' },
        columns: COLUMNS,
        rowCount: 30_000,
        rejectedCount: 0,
        endRow: '40000',
      }
      const known = async () => {
        const found: KnownValues[] = []
        for (const column of COLUMNS) found.push(await knownValues(client, state, column))
        return found
      }
      const sampled = await known()
      await client.query('analyze public.whole')
      const gathered = await known()
      expect(sampled.map(({ basis }) => basis)).to.deep.equal(Array(5).fill('sample'))
      expect(gathered.map(({ basis }) => basis)).to.deep.equal(Array(5).fill('statistics'))
      for (const [city, amount, instant, paid, detail] of [sampled, gathered]) {
        expect(city!.blank).to.be.closeTo(1 / 3, 0.03)
        expect(city!.frequent.map(({ text }) => text).toSorted()).to.deep.equal([
          'Sète',
          'é'.repeat(200),
        ])
        const spread = histogramOf('numeric', amount!)!
        expect(Number(spread.from)).to.be.lessThan(10)
        expect(Number(spread.to)).to.be.greaterThan(490)
        for (const share of spread.shares) expect(share).to.be.closeTo(1 / 24, 0.02)
        expect(histogramOf('timestamptz', instant!)!.shares).to.have.length(24)
        const share = paid!.frequent.find(({ text }) => text.startsWith('t'))!.share
        expect(share).to.be.closeTo(0.75, 0.03)
        expect(detail).to.deep.include({ frequent: [], bounds: [] })
      }
    } finally {
      client.release()
    }
  })
})
