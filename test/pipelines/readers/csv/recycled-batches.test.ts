import { expect } from 'chai'

import { type Batch, cellText, type IngestOptions } from '../../../../pipelines/index.ts'
import { csvFormat } from '../../../../pipelines/readers/csv/index.ts'
import { inChunks, openReading } from '../../../contracts/reader.ts'

const ROWS = 30_000
const CHUNK_BYTES = 64 * 1024

/** Every turn that makes a reader write values behind its input, or move what it has. */
function messyLines(): string[] {
  return Array.from({ length: ROWS }, (_, row) => {
    if (row % 7000 === 6999) return `${row};"${'long ""cell"" '.repeat(40_000)}";z`
    if (row % 11 === 0) return `${row};"say ""${row}""";"x"y`
    if (row % 13 === 0) return `${row};b`
    if (row % 17 === 0) return `${row};"line\nbreak ""${row}""";é`
    return `${row};plain ${row};c`
  })
}

async function read(text: string, options: IngestOptions, handBack: boolean) {
  const stream = () => inChunks(Buffer.from(text), CHUNK_BYTES)
  const open = await openReading(csvFormat, stream, { options })
  const { reading } = open
  const rows: (string | null)[][] = []
  const raw: string[] = []
  const memory = new Set<ArrayBufferLike>()
  try {
    for (let batch = await open.next(); batch !== null; batch = await open.next()) {
      memory.add(batch.start.buffer)
      for (let row = 0; row < batch.rows; row++) {
        rows.push(cellsOf(batch, row))
        raw.push(reading.rawRow(batch, row))
      }
      if (handBack) reading.recycle?.(batch)
    }
    return { table: { rows, raw, report: open.report() }, memories: memory.size }
  } finally {
    await open.close()
  }
}

function cellsOf(batch: Batch, row: number): (string | null)[] {
  return Array.from({ length: batch.width }, (_, column) => cellText(batch, row, column))
}

describe('Batches of CSV that are handed back', () => {
  const text = `a;b;c\n${messyLines().join('\n')}\n`
  const endings = [
    { name: 'whole rows', text, options: { ragged: 'pad' } },
    {
      name: 'a quote that is never closed',
      text: `${text}1;"open;2\n3;4;5\n6;"7 ""8""";9`,
      options: { ragged: 'pad', onInvalid: 'skip' },
    },
  ] as const

  for (const { name, text: written, options } of endings) {
    it(`do not change the rows that follow (${name})`, async () => {
      const kept = await read(written, options, false)
      const recycled = await read(written, options, true)
      expect(kept.table.rows.length).to.be.at.least(ROWS)
      expect(recycled.table).to.deep.equal(kept.table)
    })
  }

  it('lend their memory to later ones', async () => {
    const kept = await read(text, { ragged: 'pad' }, false)
    const recycled = await read(text, { ragged: 'pad' }, true)
    expect(kept.memories).to.be.greaterThan(3)
    expect(recycled.memories).to.be.at.most(2)
  })
})
