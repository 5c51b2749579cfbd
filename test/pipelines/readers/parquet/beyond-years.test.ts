import { tmpdir } from 'node:os'

import { expect } from 'chai'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

import { createEngine, type IngestOptions } from '../../../../pipelines/index.ts'
import { civilDate } from '../../../../pipelines/readers/texts/civil-date.ts'
import { useDatabase } from '../../../support/database.ts'
import { patience } from '../../../support/patience.ts'
import { bytesOf, loadInto, refusalOf, rowsOf } from '../../engine/loading.ts'

const DAY_MS = 86_400_000n
const LAST_DAY = 2_932_896

/** Days and milliseconds of the same dates; all are today's but the last. */
async function fileOf(ordinary: number, last: number): Promise<Buffer> {
  const days = [...Array<number>(ordinary).fill(20_000), last]
  const writer = new ByteWriter()
  const schema: SchemaElement[] = [
    { name: 'table', num_children: 2 },
    { name: 'day', repetition_type: 'REQUIRED', type: 'INT32', converted_type: 'DATE' },
    {
      name: 'instant',
      repetition_type: 'REQUIRED',
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
  ]
  const parquet = new ParquetWriter({ writer, schema })
  const columnData = [
    { name: 'day', data: days },
    { name: 'instant', data: days.map((day) => BigInt(day) * DAY_MS + 1000n) },
  ]
  await parquet.write({ columnData, rowGroupSize: 100 })
  await parquet.finish()
  return Buffer.from(writer.getBytes())
}

describe('Dates of Parquet before year 1 and after 9999', () => {
  const database = useDatabase()

  const texts: Readonly<Record<number, string>> = {
    [LAST_DAY]: '9999-12-31',
    [LAST_DAY + 1]: '+010000-01-01',
    [-719_162]: '0001-01-01',
    [-719_163]: '0000-12-31',
    [-719_529]: '-000001-12-31',
  }
  it('are written as ISO 8601 writes them', () => {
    for (const [day, text] of Object.entries(texts)) {
      expect(civilDate(Number(day))).to.equal(text)
      expect(new Date(Number(day) * Number(DAY_MS)).toISOString()).to.match(
        new RegExp(`^[${text[0]!}]${text.slice(1)}T`),
      )
    }
  })

  const wheres = { 'in the sample': 3, 'behind the sample': 250 }
  for (const [where, ordinary] of Object.entries(wheres)) {
    it(`make their column text, and are warned of: ${where}`, async () => {
      const file = await fileOf(ordinary, LAST_DAY + 1)
      for (const options of [{}, { nullValues: ['?'] }]) {
        const { report } = await loadInto(database, bytesOf(file), {
          options,
          engine: { limits: { sampleRows: 10 } },
        })
        expect(report.columns.map(({ sqlType }) => sqlType)).to.deep.equal(['text', 'text'])
        const warned = report.warnings.filter(({ code }) => code === 'dates-beyond-years')
        expect(warned.map(({ column }) => column)).to.deep.equal(['day', 'instant'])
        const rows = await rowsOf(database, 'select day, instant from loaded order by _row')
        expect(rows).to.have.length(ordinary + 1)
        expect(rows[0]).to.deep.equal({ day: '2024-10-04', instant: '2024-10-04T00:00:01Z' })
        expect(rows.at(-1)).to.deep.equal({
          day: '+010000-01-01',
          instant: '+010000-01-01T00:00:01Z',
        })
      }
    })
  }

  it('are shown as text by a preview', async () => {
    const { columns, rows, warnings } = await createEngine({ tempDir: tmpdir() }).preview(
      bytesOf(await fileOf(1, -719_529)),
      {},
      { limit: 5, signal: patience() },
    )
    expect(columns.map(({ sqlType }) => sqlType)).to.deep.equal(['text', 'text'])
    expect(rows[1]).to.deep.equal(['"-000001-12-31"', '"-000001-12-31T00:00:01Z"'])
    expect(warnings.map(({ code }) => code)).to.include('dates-beyond-years')
  })

  it('leave a column of dates alone whose dates are all of those years', async () => {
    const { report } = await loadInto(database, bytesOf(await fileOf(3, LAST_DAY)))
    expect(report.columns.map(({ sqlType }) => sqlType)).to.deep.equal(['date', 'timestamptz'])
    expect(report.warnings).to.deep.equal([])
  })

  it('are cells that do not fit where the request says that they are dates', async () => {
    const options: IngestOptions = { columns: [{ name: 'day', type: 'date' }] }
    for (const ordinary of Object.values(wheres)) {
      const file = bytesOf(await fileOf(ordinary, LAST_DAY + 1))
      const engine = { limits: { sampleRows: 10 } }
      const { problem } = await refusalOf(loadInto(database, file, { options, engine }))
      expect(problem.kind).to.equal('cells')
      if (problem.kind !== 'cells') continue
      expect(problem).to.include({ total: 1 })
      expect(problem.errors[0]).to.include({ column: 'day', value: '+010000-01-01' })
    }
  })
})
