import { tmpdir } from 'node:os'

import { expect } from 'chai'
import { parquetWriteBuffer } from 'hyparquet-writer'

import { createEngine, DEFAULT_LIMITS, type IngestOptions } from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { patience } from '../../support/patience.ts'
import { turnsDuring } from '../../support/turns.ts'
import { bytesOf, loadInto, refusalOf, rowsOf } from './loading.ts'

const engine = createEngine({ tempDir: tmpdir() })
const preview = (file: string | Buffer, options: IngestOptions = {}) =>
  engine.preview(bytesOf(file), options, { limit: 10, mostBytes: 8_000_000, signal: patience() })

/** Reads everything, so that only what no table should hold stops it. */
async function readAll(file: string | Buffer, options: IngestOptions = {}): Promise<number> {
  let rows = 0
  for await (const some of engine.readCells(bytesOf(file), options, patience())) rows += some.length
  return rows
}

const limitOf = async (reading: Promise<unknown>) => (await refusalOf(reading)).problem

/** One large cell, with blank ones below it. */
const titled = (bytes: number, blanks: number): string =>
  `title;n\n${'x'.repeat(bytes)};0\n${Array.from({ length: blanks }, (_, row) => `;${row}\n`).join('')}`

const parquet = (columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData']): Buffer =>
  Buffer.from(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED', rowGroupSize: 10_000_000 }))

/** A dictionary of one word, which fills all cells. */
const ofOneWord = (word: string, rows: number): Buffer =>
  parquet([
    {
      name: 'word',
      data: Array<string>(rows).fill(word),
      type: 'STRING',
      encoding: 'RLE_DICTIONARY',
    },
  ])

describe('Cells that share their text', () => {
  const database = useDatabase()

  const shared: Readonly<Record<string, () => readonly [string | Buffer, IngestOptions]>> = {
    'filled from above': () => [titled(400_000, 150), { fillDown: true }],
    'of a dictionary': () => [ofOneWord('x'.repeat(422_000), 10_000), {}],
  }
  for (const [how, make] of Object.entries(shared)) {
    it(`count each time towards the sample of a preview: ${how}`, async () => {
      const [file, options] = make()
      const { columns, rows, isSample } = await preview(file, options)
      const most = Math.ceil(DEFAULT_LIMITS.sampleBytes / 400_000) + 1
      expect(columns[0]!.evidence.sampled).to.be.within(2, most)
      expect(rows).to.have.length(10)
      expect(isSample).to.equal(true)
    })

    it(`let others have their turn while a preview looks at them: ${how}`, async () => {
      const [file, options] = make()
      const turns = await turnsDuring(() => preview(file, options))
      // Of 16 MiB of text a turn looks at some rows; a dozen turns are the reading alone.
      expect(turns).to.be.at.least(4)
    })
  }

  it('do not change a type by where the sample ends: it has a number of rows', async () => {
    const { columns } = await preview(`n\n${'1\n'.repeat(10_000)}x\n`)
    expect(columns[0]).to.include({ sqlType: 'bigint' })
    expect(columns[0]!.evidence.sampled).to.equal(10_000)
  })

  it('are refused by a preview where not even its first rows can be honest', async () => {
    const expansion = { kind: 'limit', limit: 'expansionRatio' }
    expect(await limitOf(preview(titled(400_000, 10_000), { fillDown: true }))).to.include(
      expansion,
    )
  })

  it('become a table no larger than what was sent can hold', async () => {
    const expansion = { kind: 'limit', limit: 'expansionRatio' }
    expect(await limitOf(readAll(titled(293_000, 1100), { fillDown: true }))).to.include(expansion)
    expect(await limitOf(readAll(ofOneWord('x'.repeat(194_000), 1700)))).to.include(expansion)
  })

  it('are no runs that a few bytes make millions of rows of', async () => {
    const yes = Array<boolean>(3_000_000).fill(true)
    const file = parquet([{ name: 'yes', data: yes, type: 'BOOLEAN', encoding: 'RLE' }])
    expect(file.length).to.be.below(1000)
    const { text, problem } = await refusalOf(readAll(file))
    expect(problem).to.include({ kind: 'limit', limit: 'expansionRatio' })
    expect(String(text)).to.equal(
      'The file expands to far more than a file of its size should hold.',
    )
  })

  it('leave nothing behind where a load is refused', async () => {
    const load = loadInto(database, bytesOf(titled(293_000, 1100)), { options: { fillDown: true } })
    expect(await limitOf(load)).to.include({ limit: 'expansionRatio' })
    expect((await rowsOf(database, "select to_regclass('loaded')::text as it"))[0]!.it).to.equal(
      null,
    )
  })

  it('are loaded where they are what files usually hold', async () => {
    const titles = `title;n\n${Array.from({ length: 2000 }, (_, row) => `${row % 100 === 0 ? `Région ${row}` : ''};${row}\n`).join('')}`
    expect(await readAll(titles, { fillDown: true })).to.equal(2000)
    expect(await readAll(ofOneWord('Provence-Alpes-Côte d’Azur', 100_000))).to.equal(100_000)
  })

  it('are surveyed in turns when a type breaks among them', async () => {
    const rows = Array.from({ length: 300 }, (_, row) => `;${row === 290 ? 'x' : row}\n`).join('')
    const file = `title;n\n${'y'.repeat(100_000)};0\n${rows}`
    const options = { fillDown: true } as const
    const engineOptions = { limits: { ...DEFAULT_LIMITS, sampleRows: 10 } }
    const turns = await turnsDuring(async () => {
      const { report } = await loadInto(database, bytesOf(file), { options, engine: engineOptions })
      expect(report.columns.map(({ sqlType }) => sqlType)).to.deep.equal(['text', 'text'])
    })
    expect(turns).to.be.at.least(4)
  })
})

describe('cells that are read as they are', () => {
  const sizes = async (text: string) => {
    const pieces: { readonly cells: number; readonly characters: number }[] = []
    for await (const rows of engine.readCells(bytesOf(text), {}, patience())) {
      const cells = rows.flatMap((row) => row.cells)
      const characters = cells.reduce((sum, cell) => sum + (cell.text?.length ?? 0), 0)
      pieces.push({ cells: cells.length, characters })
    }
    return pieces
  }

  it('are handed over by so many at once, and no row is lost', async () => {
    const pieces = await sizes(`a;b;c\n${'1;2;3\n'.repeat(20_000)}`)
    expect(Math.max(...pieces.map(({ cells }) => cells))).to.be.at.most(8192)
    expect(pieces.reduce((sum, { cells }) => sum + cells, 0)).to.equal(60_000)
  })

  it('are handed over by so much at once', async () => {
    const pieces = await sizes(`a;b\n${`${'x'.repeat(200_000)};2\n`.repeat(20)}`)
    expect(Math.max(...pieces.map(({ characters }) => characters))).to.be.at.most(1_300_000)
    expect(pieces.reduce((sum, { cells }) => sum + cells, 0)).to.equal(40)
  })
})
