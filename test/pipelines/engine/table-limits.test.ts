import { expect } from 'chai'

import { EngineError, type IngestOptions } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { rawWorkbook, textRow } from '../../support/workbooks/raw-workbook.ts'
import { bytesOf, loadInto, refusalOf, rowsOf, stagingTables } from './loading.ts'

const MOST_COLUMNS = 1590
const headers = (columns: number) => Array.from({ length: columns }, (_, at) => `c${at}`)
const csvOf = (columns: number, ...cells: readonly string[]) =>
  bytesOf(
    [headers(columns), ...cells.map((cell) => Array<string>(columns).fill(cell))]
      .map((row) => `${row.join(',')}\n`)
      .join(''),
  )

describe('a table at its limits', () => {
  const database = useDatabase()

  afterEach(async () => {
    expect(await stagingTables(database)).to.deep.equal([])
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  const headersAlone: Readonly<Record<string, Buffer>> = {
    CSV: Buffer.from('nom;né le;montant\n'),
    'CSV without a line end': Buffer.from('nom;né le;montant'),
    'a workbook': rawWorkbook({ sheets: [{ rows: textRow('nom', 'né le', 'montant') }] }),
  }
  for (const [format, bytes] of Object.entries(headersAlone)) {
    it(`is empty, of text, where there are headers alone: ${format}`, async () => {
      const { columns, counts } = await loadInto(database, bytesOf(bytes))
      expect(columns.map(({ name, sqlType }) => [name, sqlType])).to.deep.equal([
        ['nom', 'text'],
        ['né le', 'text'],
        ['montant', 'text'],
      ])
      expect(counts).to.deep.equal({ read: 0, loaded: 0, rejected: 0, blank: 0 })
      expect(await rowsOf(database, 'select nom, ne_le, montant from loaded')).to.deep.equal([])
    })
  }

  it('is not made of white space alone, however much there is', async () => {
    for (const length of [1, 200_000]) {
      const { problem } = await refusalOf(loadInto(database, bytesOf(' \n'.repeat(length))))
      expect(problem).to.deep.equal({ kind: 'empty' })
    }
  })

  it('is made of a form whose only question has an empty label and no answer', async () => {
    const { columns, counts } = await loadInto(database, {
      kind: 'records',
      columns: [{ key: 'q1', label: '' }],
      pages: async function* () {
        yield [Buffer.from('[]')]
      },
    })
    expect(columns.map(({ sqlType }) => sqlType)).to.deep.equal(['text'])
    expect(counts).to.deep.equal({ read: 0, loaded: 0, rejected: 0, blank: 0 })
  })

  it('keeps a type that was given for a column without a row', async () => {
    const options: IngestOptions = {
      columns: [{ name: 'le', type: 'date', dateFormat: 'DD/MM/YYYY' }],
    }
    const { columns } = await loadInto(database, bytesOf('id;le\n'), { options })
    expect(columns[1]).to.include({ type: 'date', sqlType: 'date', dateFormat: 'DD/MM/YYYY' })
  })

  it(`has at most ${MOST_COLUMNS} columns`, async () => {
    const { columns } = await loadInto(database, csvOf(MOST_COLUMNS, 'x', 'y'))
    expect(columns).to.have.length(MOST_COLUMNS)
    const { problem, message } = await refusalOf(loadInto(database, csvOf(MOST_COLUMNS + 1, '1')))
    expect(problem).to.include({ kind: 'limit', limit: 'columns' })
    expect(message).to.contain('1590')
  })

  it('has no more columns even if JSON brings them one by one', async () => {
    const source = bytesOf(
      headers(MOST_COLUMNS + 1)
        .map((header) => `${JSON.stringify({ [header]: 1 })}\n`)
        .join(''),
    )
    const { problem } = await refusalOf(loadInto(database, source))
    expect(problem).to.include({ kind: 'limit', limit: 'columns' })
  })

  it('refuses headers of more than 4 MiB together', async () => {
    const long = 'Ab'.repeat(1024 * 1024)
    const { columns } = await loadInto(database, bytesOf(`a,${long}\n1,2\n`))
    expect(columns[1]!.name).to.have.length(long.length)
    for (const text of [`a,${long},${long}b\n1,2,3\n`, `[{"a":1},{"${long}${long}":2}]`]) {
      const { problem } = await refusalOf(loadInto(database, bytesOf(text)))
      expect(problem).to.include({ kind: 'limit', limit: 'headerBytes' })
    }
  })

  it('names the row and the line where a row is wider than a page can hold', async () => {
    for (const cell of ['some text that is not short', `1${'0'.repeat(16)}.5`]) {
      const { problem, message } = await refusalOf(
        loadInto(database, csvOf(MOST_COLUMNS, '1', '', cell, '2')),
      )
      expect(problem).to.deep.equal({ kind: 'limit', limit: 'row', row: 3, line: 4 })
      expect(message).to.match(/^Row 3 \(line 4\) is wider than PostgreSQL can hold/)
    }
  })

  it('does not count long texts, which PostgreSQL stores elsewhere, for the width of a row', async () => {
    const cells = (texts: number, text: string) =>
      Array.from({ length: MOST_COLUMNS }, (_, at) => (at < texts ? text : '')).join(',')
    const rows = [headers(MOST_COLUMNS).join(','), cells(100, 'long '.repeat(300))]
    const source = bytesOf([...rows, cells(600, 'x'.repeat(20)), ''].join('\n'))
    const { problem } = await refusalOf(loadInto(database, source))
    expect(problem).to.deep.equal({ kind: 'limit', limit: 'row', row: 2, line: 3 })
  })

  it('names the row of the sheet where a workbook has a row that is too wide', async () => {
    const cell = 'some text that is not short'
    const row = (text: string) => textRow(...Array<string>(MOST_COLUMNS).fill(text))
    const bytes = rawWorkbook({
      sheets: [{ name: 'Ventes', rows: textRow(...headers(MOST_COLUMNS)) + row('1') + row(cell) }],
    })
    const { problem, message } = await refusalOf(loadInto(database, bytesOf(bytes)))
    expect(problem).to.deep.equal({
      kind: 'limit',
      limit: 'row',
      row: 2,
      line: 3,
      place: 'Ventes!A3',
    })
    expect(message).to.match(/^Row 2 \(Ventes!A3\) is wider/)
  })

  it('names the row that is too wide among rows that are added to a table', async () => {
    await loadInto(database, csvOf(MOST_COLUMNS, 'x'))
    const wide = csvOf(MOST_COLUMNS, 'x', 'some text that is not short')
    const mode = { kind: 'append' } as const
    const { problem } = await refusalOf(loadInto(database, wide, { mode }))
    expect(problem).to.deep.equal({ kind: 'limit', limit: 'row', row: 2, line: 3 })
  })

  it('is not made of an empty input', async () => {
    for (const text of ['', ' \n\n', '[]']) {
      const { problem } = await refusalOf(loadInto(database, bytesOf(text)))
      expect(problem).to.deep.equal({ kind: 'empty' })
    }
  })
})

describe('texts that the request names as NULL', () => {
  const database = useDatabase()
  const nullValues = ['n.d.', '-999', ' vide ', '31/12/9999', 'peut-être', '{}']

  const typed: Readonly<Record<string, readonly [cells: readonly string[], stored: unknown]>> = {
    bigint: [['1', '-999', 'n.d.'], '1'],
    numeric: [['1.5', ' n.d. ', 'vide'], '1.5'],
    date: [['01/02/2024', '31/12/9999', 'n.d.'], '2024-02-01'],
    timestamptz: [['2024-02-01 10:00', '31/12/9999', 'n.d.'], '2024-02-01 10:00:00+00'],
    boolean: [['oui', 'peut-être', 'n.d.'], 'true'],
  }
  for (const [sqlType, [cells, stored]] of Object.entries(typed)) {
    it(`are NULL in a ${sqlType} column, and counted`, async () => {
      const source = bytesOf(`id;x\n${cells.map((cell, at) => `${at};${cell}\n`).join('')}`)
      const { columns } = await loadInto(database, source, { options: { nullValues } })
      expect(columns[1]).to.include({ sqlType })
      expect(columns[1]!.evidence.nulls).to.deep.equal({ 'null-value': 2 })
      const zone = "select set_config('timezone', 'UTC', true)"
      const { rows } = await database.pool.query(
        `with utc as (${zone}) select x::text from utc, loaded order by _row`,
      )
      expect(rows).to.deep.equal([{ x: stored }, { x: null }, { x: null }])
    })
  }

  it('are NULL in a json column, and counted', async () => {
    const source = bytesOf('{"x":{"a":1}}\n{"x":"n.d."}\n{"x":{}}\n')
    const { columns } = await loadInto(database, source, { options: { nullValues } })
    expect(columns[0]).to.include({ sqlType: 'jsonb' })
    expect(columns[0]!.evidence.nulls).to.deep.equal({ 'null-value': 2 })
    expect(await rowsOf(database, 'select x from loaded order by _row')).to.deep.equal([
      { x: { a: 1 } },
      { x: null },
      { x: null },
    ])
  })

  it('are NULL in a text column, too', async () => {
    const source = bytesOf('x;y\nabc;1\nn.d.;2\n-999;3\n')
    const { columns } = await loadInto(database, source, { options: { nullValues } })
    expect(columns[0]).to.include({ sqlType: 'text' })
    expect(await rowsOf(database, 'select x from loaded order by _row')).to.deep.equal([
      { x: 'abc' },
      { x: null },
      { x: null },
    ])
  })

  it('are NULL in columns whose type was given', async () => {
    const options: IngestOptions = {
      nullValues,
      columns: [
        { name: 'n', type: 'number' },
        { name: 'd', type: 'date' },
        { name: 'b', type: 'boolean' },
      ],
    }
    const source = bytesOf('n;d;b\nn.d.;n.d.;n.d.\n1;2024-01-31;1\n')
    await loadInto(database, source, { options })
    expect(await rowsOf(database, 'select n, d::text, b from loaded order by _row')).to.deep.equal([
      { n: null, d: null, b: null },
      { n: 1, d: '2024-01-31', b: true },
    ])
  })

  it('are refused like any other value if no option names them', async () => {
    const source = bytesOf('d\n01/02/2024\n02/02/2024\n03/02/2024\n04/02/2024\nn.d.\n')
    const error = await loadInto(database, source).catch((caught: unknown) => caught)
    expect(error).to.be.instanceOf(EngineError)
  })
})
