import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'

import { expect } from 'chai'

import { createEngine, normaliseHeaders } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { csvFixtures, excelFixtures, type Fixture, jsonFixtures } from '../../support/fixtures.ts'
import { bytesOf, loadInto, rowsOf } from './loading.ts'
import { patience } from '../../support/patience.ts'

/** How a fixture comes out of the whole engine. */
interface StoredTable {
  /** `header: type`, with the format or the pattern of a date. */
  readonly columns: readonly string[]
  /** Cells as JSON; numbers as their digits. */
  readonly rows: readonly (readonly unknown[])[]
}

const STORED = new URL('../../fixtures/stored-tables.json', import.meta.url)
const stored = JSON.parse(readFileSync(STORED, 'utf8')) as Readonly<Record<string, StoredTable>>

const fixtures: readonly Fixture[] = [...csvFixtures(), ...jsonFixtures(), ...excelFixtures()]

describe('every fixture, from its bytes to its table', () => {
  const database = useDatabase()

  afterEach(async () => {
    await database.pool.query('drop table if exists loaded, loaded_rejects')
  })

  for (const { name, bytes, options } of fixtures) {
    it(`${name} is shown as it is stored`, async () => {
      const signal = patience()
      const preview = await createEngine({ tempDir: tmpdir() }).preview(bytesOf(bytes), options, {
        limit: 100,
        signal,
      })
      const { columns } = await loadInto(database, bytesOf(bytes), { options })

      expect(preview.columns).to.deep.equal(columns)
      const names = columns.map((column) => column.name)
      expect(normaliseHeaders(names)).to.deep.equal(names)
      const list = columns.map(({ column }) => `to_json("${column}")::text as "${column}"`)
      const rows = await rowsOf(database, `select ${list.join(', ')} from loaded order by _row`)
      const shown = (row: readonly unknown[]) =>
        row.map((cell, at) => asShown(cell as string | null, columns[at]!.sqlType))
      const inTable = rows.map((row) => shown(columns.map(({ column }) => row[column])))
      const inPreview = preview.rows.map(shown)
      expect(inTable).to.deep.equal(inPreview)

      expect({
        columns: columns.map(({ name: header, sqlType, dateFormat, pattern = dateFormat }) =>
          [`${header}: ${sqlType}`, ...(pattern === undefined ? [] : [pattern])].join(' '),
        ),
        rows: inTable,
      }).to.deep.equal(stored[name])
    })
  }

  it('holds no expectation for a fixture that was removed', () => {
    expect(Object.keys(stored).toSorted()).to.deep.equal(
      fixtures.map(({ name }) => name).toSorted(),
    )
  })
})

/** A cell from its JSON: a number with every digit, an instant in the notation of the product. */
function asShown(json: string | null, sqlType: string): unknown {
  if (json === null || sqlType === 'bigint' || sqlType === 'numeric') return json
  const value = JSON.parse(json) as unknown
  return sqlType === 'timestamptz' ? new Date(value as string).toISOString() : value
}
