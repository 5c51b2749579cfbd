import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect } from 'chai'

import type { IngestOptions } from '../../../../pipelines/index.ts'
import { createCsvFormat, csvFormat } from '../../../../pipelines/readers/csv/index.ts'
import { openReading, readTable } from '../../../contracts/reader.ts'

/** What stands beside each file. */
interface Expected {
  readonly file: string
  readonly options?: IngestOptions
  readonly reader: string
  readonly found: {
    readonly delimiter: string | null
    readonly headerRow: number
    readonly encoding: string
    readonly repaired?: Readonly<Record<string, number>>
  }
  readonly headers: readonly (string | null)[]
  readonly rows: readonly (readonly (string | null)[])[]
}

const FOLDER = join(import.meta.dirname, '../../../fixtures/csv')

const fixtures = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Expected)

describe('CSV files as people send them', () => {
  for (const { file, options = {}, reader: name, found, headers, rows } of fixtures) {
    const stream = () => createReadStream(join(FOLDER, file))

    it(`reads ${file}`, async () => {
      const table = await readTable(csvFormat, stream, { options })
      expect(table.headers).to.deep.equal(headers)
      expect(table.rows).to.deep.equal(rows)
      expect(table.faults).to.deep.equal([])
    })

    it(`tells how ${file} is written`, async () => {
      const reading = await openReading(csvFormat, stream, { options })
      while ((await reading.next()) !== null);
      const { dialect, repaired } = reading.report()
      const { table } = reading.table()
      await reading.close()
      expect(reading.reading.reader).to.equal(name)
      expect(dialect['delimiter']).to.include({ value: found.delimiter })
      expect(dialect['encoding']).to.include({ value: found.encoding })
      expect(table!.header.rows.at(-1) ?? 0).to.equal(found.headerRow)
      const done = Object.fromEntries(Object.entries(repaired).filter(([, times]) => times > 0))
      expect(done).to.deep.equal(found.repaired ?? {})
    })

    it(`agrees with csv-parse about ${file}`, async () => {
      const general = createCsvFormat(() => 'general')
      expect(await readTable(general, stream, { options })).to.deep.equal(
        await readTable(csvFormat, stream, { options }),
      )
    })
  }
})
