import { expect } from 'chai'
import * as fc from 'fast-check'

import { EngineError } from '../../../../pipelines/index.ts'
import { parquetFormat } from '../../../../pipelines/readers/parquet/index.ts'
import { inChunks, readTable } from '../../../contracts/reader.ts'
import { parquetFixtures } from '../../../support/fixtures.ts'
import { type RawParquet, rawParquet } from '../../../support/raw-parquet.ts'
import { refusalOf } from '../../engine/loading.ts'

const tableOf = (bytes: Buffer) => readTable(parquetFormat, () => inChunks(bytes, 64 * 1024))

describe('Parquet whose pages, sizes and counts do not agree', () => {
  it('is read where they do', async () => {
    expect((await tableOf(rawParquet())).rows).to.deep.equal([['1'], ['2'], ['3']])
    expect((await tableOf(rawParquet({ values: [7], run: 4 }))).rows.flat().join('')).to.equal(
      '7777',
    )
  })

  it('is read where zeros stand behind the values of a page, as fastparquet writes them', async () => {
    const counts = { rows: 3, chunkValues: 3, pageValues: 3 }
    const padded = rawParquet({ ...counts, values: [1, 2, 3, 0, 0] })
    expect((await tableOf(padded)).rows).to.deep.equal([['1'], ['2'], ['3']])
    for (const values of [
      [1, 2, 3, 0],
      [1, 2, 3, 0, 4],
    ]) {
      const { problem } = await refusalOf(tableOf(rawParquet({ ...counts, values })))
      expect(problem.kind).to.equal('structure')
    }
  })

  it('is read where the header of its dictionary is missing in the bytes of a column', async () => {
    const whole = { values: [7], run: 4 }
    const file = rawParquet(whole)
    const chunkBytes = file.length - 8 - file.readUInt32LE(file.length - 8) - 4
    const short = rawParquet({ ...whole, chunkBytes: chunkBytes - 13 })
    expect((await tableOf(short)).rows.flat().join('')).to.equal('7777')
    const cut = await refusalOf(tableOf(rawParquet({ chunkBytes: 20 })))
    expect(cut.problem.kind).to.equal('structure')
  })

  const lies: Readonly<Record<string, RawParquet>> = {
    'fewer rows than values': { rows: 2 },
    'more rows than values': { rows: 4 },
    'fewer rows in the file than in its groups': { rows: 2, groupRows: 3 },
    'fewer values than rows': { chunkValues: 2 },
    'more values than rows': { chunkValues: 4 },
    'fewer values and rows than its page': { rows: 2, chunkValues: 2 },
    'a page of fewer values than it holds': { rows: 2, chunkValues: 2, pageValues: 2 },
    'a page of more values than it holds': { rows: 4, chunkValues: 4, pageValues: 4 },
    'a page of another size than it states': { expandedBytes: 16 },
    'a page that ends before its values': { pageBytes: 8, expandedBytes: 8 },
    'a page that ends behind the column': { pageBytes: 4000, expandedBytes: 4000 },
    'a column that ends before its page': { chunkBytes: 20 },
    'a column with something behind its pages': { chunkBytes: 60 },
    'a column of another type than the schema': { chunkType: 2 },
    'a page with another checksum': { checksum: 1 },
    'a run that is longer than its page': {
      values: [7],
      run: 9,
      pageValues: 4,
      chunkValues: 4,
      rows: 4,
    },
    'a run that is shorter than its page': {
      values: [7],
      run: 4,
      pageValues: 9,
      chunkValues: 9,
      rows: 9,
    },
  }
  for (const [what, lie] of Object.entries(lies)) {
    it(`is refused: ${what}`, async () => {
      const { problem, message } = await refusalOf(tableOf(rawParquet(lie)))
      expect(problem.kind).to.equal('structure')
      expect(message).to.match(/^The Parquet file is truncated or damaged \(.+\)\. Write it again/)
    })
  }

  const files = parquetFixtures().filter(({ bytes }) => bytes.length < 20_000)
  it('never becomes other rows than it states, whatever byte is wrong', async () => {
    const counts = await Promise.all(
      files.map(async ({ bytes }) => {
        return await tableOf(bytes).then(
          ({ rows }) => rows.length,
          () => -1,
        )
      }),
    )
    const any = fc.record({
      file: fc.nat(files.length - 1),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      to: fc.integer({ min: 1, max: 255 }),
    })
    await fc.assert(
      fc.asyncProperty(any, async ({ file, at, to }) => {
        const bytes = Buffer.from(files[file]!.bytes)
        const position = Math.min(bytes.length - 1, Math.floor(at * bytes.length))
        bytes[position]! ^= to
        try {
          const { rows } = await tableOf(bytes)
          expect(rows.length).to.equal(counts[file])
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
        }
      }),
      { numRuns: 300 },
    )
  })
})
