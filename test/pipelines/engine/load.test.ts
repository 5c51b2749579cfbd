import { expect } from 'chai'

import type { LoadProgress } from '../../../pipelines/index.ts'
import type { Format } from '../../../pipelines/core/format.ts'
import { Registry } from '../../../pipelines/core/registry.ts'
import { csvFormat } from '../../../pipelines/readers/csv/index.ts'
import { chooseFor } from '../../../pipelines/sinks/copy-lanes.ts'
import { useDatabase } from '../../support/database.ts'
import {
  bytesOf,
  failureOf,
  jsonRows,
  loadInto,
  refusalOf,
  rowsOf,
  stagingTables,
} from './loading.ts'

describe('a load', () => {
  const database = useDatabase()

  afterEach(async () => {
    expect(await stagingTables(database)).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  it('makes a typed table out of rows', async () => {
    const result = await loadInto(
      database,
      bytesOf(
        '[{"Numéro":1,"Né le":"31/12/1999","Actif":true,"Prix":1.5},{"Numéro":2,"Né le":"null","Actif":null,"Prix":2}]',
      ),
    )
    expect(
      result.columns.map(({ name, column, sqlType }) => [name, column, sqlType]),
    ).to.deep.equal([
      ['Numéro', 'numero', 'bigint'],
      ['Né le', 'ne_le', 'date'],
      ['Actif', 'actif', 'boolean'],
      ['Prix', 'prix', 'numeric'],
    ])
    expect(
      await rowsOf(database, 'select _row, numero, ne_le::text, actif, prix::text from loaded'),
    ).to.deep.equal([
      { _row: 1, numero: 1, ne_le: '1999-12-31', actif: true, prix: '1.5' },
      { _row: 2, numero: 2, ne_le: null, actif: null, prix: '2' },
    ])
    expect(result.counts).to.deep.equal({ read: 2, loaded: 2, rejected: 0, blank: 0 })
  })

  it('keeps the order of the source in a dense _row over several streams', async () => {
    const rows = 60_000
    const source = jsonRows(rows, (row) => ({ id: row * 3, text: `line ${row} `.repeat(4) }))
    const result = await loadInto(database, source, { target: { streams: 3 } })
    expect(result.report.streams).to.equal(3)
    expect(String(result.report.streamsBecause)).to.equal('This number was asked for')
    const [check] = await rowsOf(
      database,
      `select count(*)::int as rows, min(_row)::int as first, max(_row)::int as last,
              count(*) filter (where id <> _row * 3)::int as misplaced from loaded`,
    )
    expect(check).to.deep.equal({ rows, first: 1, last: rows, misplaced: 0 })
  })

  it('has as many streams as the server has room for', () => {
    const here = { keepsLittleWal: false, isHere: true, busy: 0 }
    const counts = [1, 2, 4, 16].map((cores) => chooseFor(here, cores).count)
    expect(counts).to.deep.equal([1, 1, 3, 4])
    expect(chooseFor({ ...here, busy: 2 }, 4).count).to.equal(1)
    expect(chooseFor({ ...here, isHere: false }, 2).count).to.equal(2)
    expect(chooseFor({ ...here, keepsLittleWal: true }, 16).count).to.equal(1)
  })

  it('warns of a last row that says that it is a total, where the sample does not reach it', async () => {
    const rows = Array.from({ length: 60 }, (_, row) => `Service ${row},${row}\n`).join('')
    const engine = { limits: { sampleRows: 8 } }
    const text = bytesOf(`Nom,Budget\n${rows}Total général,1770\n`)
    const { report, counts } = await loadInto(database, text, { engine })
    expect(counts.loaded).to.equal(61)
    expect(report.warnings.find(({ code }) => code === 'total')).to.include({ line: 62 })
    const plain = await loadInto(database, bytesOf(`Nom,Budget\n${rows}`), { engine })
    expect(plain.report.warnings.map(({ code }) => code)).not.to.include('total')
  })

  it('leaves blank rows out and numbers the others densely', async () => {
    const result = await loadInto(database, bytesOf('[{"a":1},{"a":"  "},{"a":null},{"a":2}]'))
    expect(result.counts).to.deep.equal({ read: 4, loaded: 2, rejected: 0, blank: 2 })
    expect(await rowsOf(database)).to.deep.equal([
      { _row: 1, a: 1 },
      { _row: 2, a: 2 },
    ])
  })

  it('says on a column which header it came from', async () => {
    await loadInto(database, bytesOf('[{"Né l\'été":1,"plain":2}]'))
    const comments = await rowsOf(
      database,
      `select attname, col_description(attrelid, attnum) as header from pg_attribute
       where attrelid = 'loaded'::regclass and attnum > 1 order by attnum`,
    )
    expect(comments).to.deep.equal([
      { attname: 'ne_l_ete', header: "Né l'été" },
      { attname: 'plain', header: null },
    ])
  })

  it('makes a page one range of an index', async () => {
    await loadInto(
      database,
      jsonRows(20_000, (row) => ({ id: row })),
    )
    await database.pool.query('analyze loaded')
    const plan = await rowsOf(
      database,
      'explain select * from loaded where _row > 19000 and _row <= 19050 order by _row',
    )
    expect(JSON.stringify(plan)).to.contain('Index Scan')
  })

  it('tells its phases, bytes and rows as it goes', async () => {
    const told: LoadProgress[] = []
    const source = jsonRows(3000, (row) => ({ id: row }))
    await loadInto(database, source, { control: { onProgress: (state) => told.push(state) } })
    expect([...new Set(told.map(({ phase }) => phase))]).to.deep.equal([
      'reading',
      'loading',
      'publishing',
    ])
    expect(told.at(-1)).to.include({ rows: 3000, rejected: 0 })
    expect(told.at(-1)!.bytesRead).to.be.greaterThan(3000 * 8)
  })

  it('runs the caller’s part of the transaction, and takes everything back when that fails', async () => {
    await loadInto(database, bytesOf('[{"a":"old"}]'))
    const failing = loadInto(database, bytesOf('[{"a":"new"}]'), {
      target: {
        publish: async (client, { table, rows: count }) => {
          const { rows } = await client.query(`select a from "${table.schema}"."${table.table}"`)
          expect(rows).to.deep.equal([{ a: 'new' }])
          expect(count).to.equal(1)
          throw new Error('the caller thought better of it')
        },
      },
    })
    expect(await failureOf(failing)).to.have.property('message', 'the caller thought better of it')
    expect(await rowsOf(database)).to.deep.equal([{ _row: 1, a: 'old' }])
  })

  it('counts rows on from where the target says, beyond what a double holds', async () => {
    const rowsBefore = 9000n << 40n
    await loadInto(
      database,
      jsonRows(3, (row) => ({ id: row })),
      { target: { rowsBefore } },
    )
    const numbers = await rowsOf(database, 'select _row::text as number from loaded order by _row')
    expect(numbers.map(({ number }) => BigInt(String(number)) - rowsBefore)).to.deep.equal([
      1n,
      2n,
      3n,
    ])
  })

  it('does not replace a table that no load made', async () => {
    await database.pool.query('create table public.loaded (precious text)')
    const refusal = await refusalOf(loadInto(database, bytesOf('[{"a":1}]')))
    expect(refusal.problem.kind).to.equal('options')
    expect(await rowsOf(database, 'select precious from loaded')).to.deep.equal([])
  })

  it('counts up to a bound of the size, and to the size once all is read', async () => {
    const text = `id;text\n${'1;some text\n'.repeat(50_000)}`
    const told: LoadProgress[] = []
    const source = { ...bytesOf(text), sizeAtMost: text.length + 300 }
    await loadInto(database, source, { control: { onProgress: (state) => told.push(state) } })
    expect(told[0]).to.include({ bytesTotal: text.length + 300 })
    expect(told.at(-1)).to.include({ bytesRead: text.length, bytesTotal: text.length })
    const known = { ...source, size: text.length }
    await loadInto(database, known, { control: { onProgress: (state) => told.push(state) } })
    expect(told.at(-1)).to.include({ bytesTotal: text.length })
  })

  it('has let go of its source when its rows are complete', async () => {
    let isOpen = true
    const noting: Format = {
      ...csvFormat,
      async open(input, context) {
        const reading = await csvFormat.open(input, context)
        const close = reading.close?.bind(reading)
        reading.close = async () => {
          isOpen = false
          await close?.()
        }
        return reading
      },
    }
    let wasOpen: boolean | null = null
    await loadInto(database, bytesOf('a,b\n1,2\n'), {
      engine: { formats: new Registry([noting]) },
      target: {
        async complete() {
          wasOpen = isOpen
          return 0
        },
      },
    })
    expect(wasOpen).to.equal(false)
  })

  it('holds 1,590 columns', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 1590 }, (_, column) => [`c${column}`, column % 2 === 0]),
    )
    const result = await loadInto(database, bytesOf(JSON.stringify([wide])))
    expect(result.columns).to.have.length(1590)
    expect((await rowsOf(database))[0]).to.include({ _row: 1, c0: true, c1589: false })
  })

  it('says so when a row is wider than Postgres can hold', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 1500 }, (_, column) => [`c${column}`, column + 0.123_456_789]),
    )
    const refusal = await refusalOf(loadInto(database, bytesOf(JSON.stringify([wide]))))
    expect(refusal.problem).to.deep.equal({ kind: 'limit', limit: 'row', row: 1, line: 1 })
    expect(refusal.message).to.match(/wider than PostgreSQL can hold/)
  })
})
