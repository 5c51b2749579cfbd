import { expect } from 'chai'

import { useDatabase } from '../../support/database.ts'
import { bytesOf, loadInto, refusalOf, rowsOf, stagingTables } from './loading.ts'

const engine = { limits: { sampleRows: 100 } }
const DAYS: readonly [{ name: string; type: 'date' }] = [{ name: 'day', type: 'date' }]

/** Every tenth day is none. */
function daysCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) =>
    at % 10 === 9 ? `${at + 1};someday` : `${at + 1};31/12/2023`,
  )
  return `id;day\n${lines.join('\n')}\n`
}

/** The third line has a field too many. */
const RAGGED = `a;b\n1;2\n1;2;3\n${'4;5\n'.repeat(20)}`

describe('cells that do not fit the type they are held to', () => {
  const database = useDatabase()

  afterEach(async () => {
    expect(await stagingTables(database)).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  it('stop the load, all of them counted and the first hundred named', async () => {
    const refusal = await refusalOf(
      loadInto(database, bytesOf(daysCsv(30_000)), { engine, options: { columns: [...DAYS] } }),
    )
    expect(refusal.message).to.match(/^Invalid date format/)
    const { problem } = refusal
    if (problem.kind !== 'cells') throw refusal
    expect(problem.total).to.equal(3000)
    expect(problem.errors).to.have.length(100)
    expect(problem.errors[1]).to.deep.include({
      row: 20,
      line: 21,
      column: 'day',
      value: 'someday',
    })
    expect(await rowsOf(database, "select to_regclass('loaded') as there")).to.deep.equal([
      { there: null },
    ])
  })

  it('stop the load with the pattern that would read their column', async () => {
    const content = Buffer.from('day\n20240131\n20240201\n')
    const refusal = await refusalOf(
      loadInto(database, bytesOf(content), { options: { columns: [...DAYS] } }),
    )
    expect(refusal.message).to.equal(
      'Invalid date format: “20240131” (expected format: YYYY-MM-DD) (2 invalid cells in all). ' +
        'The pattern yyyyMMdd would read “day”.',
    )
  })

  it('become NULL and are counted, under null', async () => {
    const { report } = await loadInto(database, bytesOf(daysCsv(1000)), {
      options: { columns: [...DAYS], onInvalid: 'null' },
    })
    expect(report.invalidCells).to.equal(100)
    expect(report.counts).to.deep.equal({ read: 1000, loaded: 1000, rejected: 0, blank: 0 })
    expect(
      await rowsOf(database, 'select count(*)::int as nulls from loaded where day is null'),
    ).to.deep.equal([{ nulls: 100 }])
  })

  it('send their rows to the rejects, with line, reason and raw text, under skip', async () => {
    const { counts } = await loadInto(database, bytesOf(daysCsv(1000)), {
      options: { columns: [...DAYS], onInvalid: 'skip' },
    })
    expect(counts).to.deep.equal({ read: 1000, loaded: 900, rejected: 100, blank: 0 })
    const rejects = await rowsOf(database, 'select * from loaded_rejects order by "row" limit 1')
    expect(rejects[0]).to.deep.include({
      row: 10,
      line: 11,
      column: 'day',
      value: 'someday',
      raw: '10;someday',
    })
    expect(rejects[0]!['message']).to.match(/^Invalid date format/)
    expect(
      await rowsOf(database, 'select count(*)::int as rows, max(_row)::int as last from loaded'),
    ).to.deep.equal([{ rows: 900, last: 900 }])
  })

  it('spill to a file when they are many, and all arrive', async () => {
    const { counts } = await loadInto(database, bytesOf(daysCsv(60_000)), {
      options: { columns: [...DAYS], onInvalid: 'skip' },
    })
    expect(counts.rejected).to.equal(6000)
    expect(
      await rowsOf(
        database,
        'select count(*)::int as rows, sum("row")::int as sum from loaded_rejects',
      ),
    ).to.deep.equal([{ rows: 6000, sum: (6000 * 6001 * 10) / 2 }])
  })

  it('stop the load with the line when it is a row that is broken', async () => {
    const refusal = await refusalOf(loadInto(database, bytesOf(RAGGED)))
    expect(refusal.problem).to.include({ kind: 'structure', line: 3 })
  })

  it('and broken rows are rejects under skip', async () => {
    const { counts } = await loadInto(database, bytesOf(RAGGED), {
      options: { onInvalid: 'skip' },
    })
    expect(counts).to.deep.equal({ read: 22, loaded: 21, rejected: 1, blank: 0 })
    expect(await rowsOf(database, 'select line, raw from loaded_rejects')).to.deep.equal([
      { line: 3, raw: '1;2;3' },
    ])
  })

  it('leave no rejects table behind when the next load has none', async () => {
    await loadInto(database, bytesOf(daysCsv(10)), {
      options: { columns: [...DAYS], onInvalid: 'skip' },
    })
    await loadInto(database, bytesOf('id;day\n1;31/12/2023\n'))
    expect(await rowsOf(database, "select to_regclass('loaded_rejects') as there")).to.deep.equal([
      { there: null },
    ])
  })
})
