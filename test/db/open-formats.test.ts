import { expect } from 'chai'
import type { Pool } from 'pg'

import { migrate } from '../../src/db/migrate.ts'
import { databaseBefore, type EarlierDatabase } from '../support/earlier-database.ts'

const MIGRATION = '0019_open_formats'

/** What was stored of an input, and what is stored of it now. */
const INPUTS = {
  csv: [
    {
      format: 'csv',
      mended: { rowsPadded: 2 },
      dialect: {
        encoding: { value: 'windows-1252', evidence: 'not UTF-8' },
        delimiter: { value: ';', evidence: 'given' },
        quote: { value: '"', evidence: 'found' },
        header: { row: 3, line: 4, evidence: 'found' },
      },
    },
    {
      repaired: { rowsPadded: 2 },
      sourceType: 'CSV',
      encoding: 'windows-1252',
      layout: { kind: 'fields', delimiter: ';', quote: '"', headerEnd: 3 },
    },
  ],
  column: [
    {
      format: 'csv',
      mended: {},
      dialect: { delimiter: { value: null }, quote: { value: null }, header: { row: 0 } },
    },
    {
      repaired: {},
      sourceType: 'CSV',
      layout: { kind: 'fields', delimiter: null, quote: null, headerEnd: 0 },
    },
  ],
  excel: [
    { format: 'excel', mended: { cellsCut: 1 }, dialect: { sheet: 'A', headerRow: 2 } },
    {
      repaired: { cellsCut: 1 },
      sourceType: 'EXCEL',
      layout: { kind: 'fields', delimiter: ',', quote: '"', headerEnd: 2 },
    },
  ],
  json: [
    { format: 'json', mended: {}, dialect: { encoding: { value: 'utf-8' } } },
    { repaired: {}, sourceType: 'JSON', encoding: 'utf-8', layout: { kind: 'records' } },
  ],
  form: [
    { format: 'records', mended: {}, dialect: {} },
    { repaired: {}, sourceType: 'API_FORM', layout: { kind: 'records' } },
  ],
} as const

describe('the reports of loads that an earlier version has stored', () => {
  let database: EarlierDatabase
  let pool: Pool

  before('makes a database as it was before, with a load of every kind', async () => {
    database = await databaseBefore(MIGRATION)
    pool = database.pool
    await pool.query("insert into enterprises (name, account_type) values ('A', 'enterprise')")
    await pool.query(
      `insert into generated_tables (enterprise_id, name) select id, 'a' from enterprises`,
    )
    for (const [name, [input]] of Object.entries(INPUTS)) {
      await add(name, JSON.stringify({ counts: {}, input }))
    }
    await add('loading', null)
  })
  after(() => database[Symbol.asyncDispose]())

  const add = (name: string, report: string | null, sourceType: string | null = null) =>
    pool.query(
      `insert into loads (table_id, number, kind, mode, state, filename, report, source_type)
       select id, (select count(*) + 1 from loads), 'reload', 'replace', 'kept', $1, $2, $3
       from generated_tables`,
      [name, report, sourceType],
    )

  it('say how rows are laid out as reports do now', async () => {
    expect(await migrate(database.url)).to.include(MIGRATION)
    const { rows } = await pool.query<{ name: string; report: unknown }>(
      'select filename as name, report from loads order by id',
    )
    const expected = Object.entries(INPUTS).map(([name, [before, added]]) => {
      const { format, dialect } = before
      return { name, report: { counts: {}, input: { format, dialect, ...added } } }
    })
    expect(rows).to.deep.equal([...expected, { name: 'loading', report: null }])
  })

  it('leave room for the type of a format that comes later, and for no other text', async () => {
    await add('later', null, 'FIXED_WIDTH')
    const refused = await add('wrong', null, 'a type').catch((error: unknown) => error)
    expect(String(refused)).to.contain('loads_source_type_check')
  })
})
