import { expect } from 'chai'

import { EngineError, type LoadPhase } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import {
  bytesOf,
  jsonRows,
  loadInto,
  type LoadSetup,
  refusalOf,
  rowsOf,
  stagingTables,
} from './loading.ts'

/** Small, so that what comes later than the sample comes soon. */
const engine = { limits: { sampleRows: 100, sampleBytes: 10_000 } }

const lateKey = () => jsonRows(5000, (row) => (row === 4000 ? { id: 1, late: '7' } : { id: 1 }))

describe('a load whose sample did not show what comes later', () => {
  const database = useDatabase()

  afterEach(async () => {
    expect(await stagingTables(database)).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  it('widens every column that broke in one restart', async () => {
    const source = jsonRows(5000, (row) => ({
      id: row,
      code: row === 4000 ? 'x1' : row,
      amount: row === 4500 ? 1.25 : row,
      flag: row === 4999 ? 'maybe' : true,
      at: row === 3000 ? '2024-01-02 03:04' : '2024-01-02',
    }))
    const { report, columns } = await loadInto(database, source, { engine })
    expect(source.opened).to.equal(2)
    expect(report.restarts).to.equal(1)
    expect(columns.map(({ sqlType }) => sqlType)).to.deep.equal([
      'bigint',
      'text',
      'numeric',
      'text',
      'timestamptz',
    ])
    expect(
      report.widenings.map(({ column, from, to, cause }) => [column, from, to, cause.row]),
    ).to.have.deep.members([
      ['code', 'bigint', 'text', 4000],
      ['amount', 'bigint', 'numeric', 4500],
      ['flag', 'boolean', 'text', 4999],
      ['at', 'date', 'timestamptz', 3000],
    ])
    expect(
      report.warnings
        .filter(({ code }) => code === 'type-widened')
        .map(({ message }) => String(message)),
    ).to.include('“code” became text: “x1” did not fit bigint.')
    expect(await rowsOf(database, 'select code from loaded where _row in (1, 4000)')).to.deep.equal(
      [{ code: '1' }, { code: 'x1' }],
    )
  })

  it('takes in keys that first appear late, in the same restart', async () => {
    const source = jsonRows(5000, (row) => {
      if (row === 4000) return { id: 'x', late: '2024-05-06' }
      return row === 4500 ? { id: row, later: [1, 2] } : { id: row }
    })
    const { report, columns } = await loadInto(database, source, { engine })
    expect(source.opened).to.equal(2)
    expect(report.restarts).to.equal(1)
    expect(columns.map(({ name, sqlType }) => [name, sqlType])).to.deep.equal([
      ['id', 'text'],
      ['late', 'date'],
      ['later', 'jsonb'],
    ])
    expect(
      await rowsOf(database, 'select _row, later from loaded where later is not null'),
    ).to.deep.equal([{ _row: 4500, later: [1, 2] }])
  })

  it('begins again as windows-1252 when late bytes are not UTF-8', async () => {
    const lines = Array.from({ length: 20_000 }, (_, row) => `${row};plain text\n`)
    const source = bytesOf(function* () {
      yield 'id;text\n'
      yield* lines
      yield Buffer.from('20000;café\n', 'latin1')
    })
    const { report } = await loadInto(database, source, { engine })
    expect(report.restarts).to.equal(1)
    expect(report.input.dialect['encoding']).to.deep.equal({
      value: 'windows-1252',
      evidence: 'not UTF-8 further on',
    })
    expect(await rowsOf(database, 'select text from loaded where id = 20000')).to.deep.equal([
      { text: 'café' },
    ])
  })

  it('surveys the rest of the input without loading it', async () => {
    const phases = new Set<LoadPhase>()
    const source = jsonRows(20_000, (row) => ({ id: row === 500 ? 'x' : row }))
    await loadInto(database, source, {
      engine,
      control: { onProgress: ({ phase }) => phases.add(phase) },
    })
    expect([...phases]).to.deep.equal(['reading', 'loading', 'surveying', 'publishing'])
  })

  it('holds a given type however late the value is', async () => {
    const source = jsonRows(5000, (row) => ({ id: row === 4000 ? 'x' : row }))
    const refusal = await refusalOf(
      loadInto(database, source, {
        engine,
        options: { columns: [{ name: 'id', type: 'number' }] },
      }),
    )
    expect(refusal.message).to.match(/^Invalid number/)
    expect(source.opened).to.equal(1)
  })

  it('takes a column option for a key that comes late, and refuses one that never comes', async () => {
    const { columns } = await loadInto(database, lateKey(), {
      engine,
      options: { columns: [{ name: 'late', type: 'text' }] },
    })
    expect(columns.at(-1)).to.include({ name: 'late', type: 'text', given: true })
    const refusal = await refusalOf(
      loadInto(database, lateKey(), {
        engine,
        options: { columns: [{ name: 'never', type: 'text' }] },
      }),
    )
    expect(refusal.problem).to.deep.equal({ kind: 'options', pointer: '/columns/0/name' })
  })

  it('gives up on a source that gives other rows each time it is read', async () => {
    let read = 0
    const source = bytesOf(function* () {
      read++
      yield Array.from({ length: 2000 }, (_, row) =>
        JSON.stringify(row === 1500 ? { id: row, [`key${read}`]: 1 } : { id: row }),
      ).join('\n')
    })
    // Every pass meets a key that the pass before did not have.
    const error = await loadInto(database, source, { engine }).catch((caught: unknown) => caught)
    if (error instanceof EngineError) expect(error.problem.kind).to.equal('structure')
    else expect(await rowsOf(database, 'select count(*)::int as n from loaded')).to.have.length(1)
    expect(source.opened).to.be.at.most(4)
  })

  describe('whose numbers could be read in two ways', () => {
    /** As many as no sample holds, then what comes late. */
    const amounts = (usual: string, ...late: readonly string[]) => {
      const cells = [...Array<string>(20_000).fill(usual), ...late]
      return bytesOf(`id\tamount\n${cells.map((cell, row) => `${row}\t${cell}\n`).join('')}`)
    }
    const shown = async (source: ReturnType<typeof amounts>, setup: LoadSetup = { engine }) => {
      const { columns, report } = await loadInto(database, source, setup)
      const { sqlType, evidence } = columns[1]!
      const [first] = await rowsOf(database, 'select amount::text from loaded where _row = 1')
      const { restarts, widenings } = report
      const changes = widenings.map(({ from, to, cause }) => [from, to, cause.value])
      return { sqlType, ambiguous: evidence.ambiguous, first: first!['amount'], restarts, changes }
    }

    it('takes a late decimal comma for what it says of all of them', async () => {
      expect(await shown(amounts('1,234', '1,5'))).to.deep.equal({
        sqlType: 'numeric',
        ambiguous: false,
        first: '1.234',
        restarts: 1,
        changes: [['bigint', 'numeric', '1,5']],
      })
    })

    it('takes late thousands for what they say of all of them', async () => {
      const options = { delimiter: ';' }
      const cells = [...Array<string>(20_000).fill('1,234'), '1,234,567']
      const source = bytesOf(`id;amount\n${cells.map((cell, row) => `${row};${cell}\n`).join('')}`)
      expect(await shown(source, { engine, options })).to.deep.equal({
        sqlType: 'numeric',
        ambiguous: false,
        first: '1234',
        restarts: 1,
        changes: [['numeric (comma-decimal)', 'numeric (point-decimal)', '1,234,567']],
      })
    })

    it('is not ambiguous once a late value fits one reading alone, without a restart', async () => {
      expect(await shown(amounts('1,234', '1,234,567'))).to.deep.equal({
        sqlType: 'bigint',
        ambiguous: false,
        first: '1234',
        restarts: 0,
        changes: [],
      })
    })

    it('stays ambiguous where no value fits one reading alone', async () => {
      expect(await shown(amounts('1,234', '5,678'))).to.include({ ambiguous: true, restarts: 0 })
    })

    it('keeps the text where no reading takes all of them, in one restart', async () => {
      const late = ['1,234,567', ...Array<string>(5000).fill('1,234'), '1,5']
      expect(await shown(amounts('1,234', ...late))).to.deep.equal({
        sqlType: 'text',
        ambiguous: false,
        first: '1,234',
        restarts: 1,
        changes: [['bigint', 'text', '1,5']],
      })
    })

    it('learns the decimal sign after whole numbers alone', async () => {
      expect(await shown(amounts('12', '1.234,5', '2,75'))).to.deep.equal({
        sqlType: 'numeric',
        ambiguous: false,
        first: '12',
        restarts: 1,
        changes: [['bigint', 'numeric', '1.234,5']],
      })
    })
  })
})
