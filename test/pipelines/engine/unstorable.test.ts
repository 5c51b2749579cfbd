import { expect } from 'chai'

import { useDatabase } from '../../support/database.ts'
import { bytesOf, loadInto, refusalOf, rowsOf } from './loading.ts'

/** JSON that says more than a database can hold. */
const rows = (...values: readonly string[]) =>
  bytesOf(`${values.map((value) => `{"id":1,"a":${value}}`).join('\n')}\n`)

describe('a header that Postgres cannot hold', () => {
  const database = useDatabase()

  it('is refused by its name', async () => {
    const { problem, message } = await refusalOf(loadInto(database, bytesOf('id;a\0b\n1;2\n')))
    expect(problem.kind).to.equal('structure')
    expect(message).to.contain('“a\u2400b”').and.contain('NUL')
  })
})

describe('a cell that Postgres cannot hold', () => {
  const database = useDatabase()

  afterEach(async () => {
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  const unstorable: Readonly<Record<string, string>> = {
    'a number beyond all bounds': '{"n":1e200000}',
    'a number with too many decimals': '[1e-200000]',
    'a number whose digits alone are too many': `[${'9'.repeat(140_000)}]`,
    'the character NUL': String.raw`{"s":"\u0000"}`,
    'half a character': String.raw`["\ud800"]`,
  }
  for (const [what, value] of Object.entries(unstorable)) {
    it(`is refused as a cell or as a row, not by the database: ${what} in JSON`, async () => {
      const { problem } = await refusalOf(loadInto(database, rows('{"ok":1}', value)))
      expect(problem.kind).to.be.oneOf(['cells', 'structure'])
      expect(problem).to.satisfy(
        (of: typeof problem) =>
          (of.kind === 'cells' && of.errors[0]?.row === 2) ||
          (of.kind === 'structure' && of.row === 2),
      )
    })

    it(`is skipped with its row: ${what} in JSON`, async () => {
      const options = { onInvalid: 'skip' } as const
      const { counts } = await loadInto(database, rows('{"ok":1}', value), { options })
      expect(counts).to.include({ loaded: 1, rejected: 1 })
      expect(await rowsOf(database, 'select row, line from loaded_rejects')).to.deep.equal([
        { row: 2, line: 2 },
      ])
    })
  }

  it('says of JSON that a number may be the reason', async () => {
    const { message } = await refusalOf(loadInto(database, rows('[1e200000]')))
    expect(message)
      .to.match(/^Invalid JSON: “\[1e200000\]”/)
      .and.contain('number of excessive size')
  })

  it('is kept as text where it is a number of its own', async () => {
    for (const value of ['1e200000', '1e-200000', '-1e999999999999999999999']) {
      const { columns } = await loadInto(database, rows('1', value))
      expect(columns[1]).to.include({ name: 'a', type: 'text' })
      expect(await rowsOf(database, 'select a from loaded order by _row')).to.deep.equal([
        { a: '1' },
        { a: value },
      ])
    }
  })

  it('is an invalid cell where a number was asked for', async () => {
    const options = { columns: [{ name: 'a', type: 'number' as const }] }
    const { problem } = await refusalOf(loadInto(database, rows('1', '1e200000'), { options }))
    expect(problem).to.deep.include({ kind: 'cells', total: 1 })
  })

  it('holds a nested number of thousands of digits to each of them', async () => {
    const digits = `1${'2345'.repeat(2500)}.${'6789'.repeat(1000)}`
    await loadInto(database, rows(`{"n":${digits}}`))
    const [row] = await rowsOf(database, "select a->>'n' as n from loaded")
    expect(row).to.deep.equal({ n: digits })
  })

  it('shows NUL by its picture, in errors and among the rejects alike', async () => {
    const csv = () => bytesOf('id;a\n1;x\0y\n2;z\n')
    const { problem } = await refusalOf(loadInto(database, csv()))
    expect(problem).to.deep.include({ kind: 'cells', total: 1 })
    if (problem.kind === 'cells') expect(problem.errors[0]).to.include({ value: 'x\u2400y' })
    await loadInto(database, csv(), { options: { onInvalid: 'skip' } })
    expect(await rowsOf(database, 'select value, raw from loaded_rejects')).to.deep.equal([
      { value: 'x\u2400y', raw: '1;x\u2400y' },
    ])
  })
})

describe('A report of long texts in UTF-16', () => {
  const database = useDatabase()

  it('holds whole characters, so that it can be stored', async () => {
    const long = '😀'.repeat(1200)
    const lines = [`x${long};`, '', 'name;n', ...Array.from({ length: 10_001 }, (_, n) => `r;${n}`)]
    const file = Buffer.from(`\ufeff${lines.join('\n')}\nTotal: ${long};7\n`, 'utf16le')
    const { report } = await loadInto(database, bytesOf(file))
    const said = JSON.stringify(report)
    expect(report.warnings.map(({ code }) => code)).to.include('total')
    expect(report.table?.titles[0]?.text).to.have.length(999)
    expect(said).to.not.match(/\\ud[89a-f]/)
    const { rows: stored } = await database.pool.query('select $1::jsonb as it', [said])
    expect(stored).to.have.length(1)
  })
})
