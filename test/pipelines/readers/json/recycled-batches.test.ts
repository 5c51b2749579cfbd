import { expect } from 'chai'

import { jsonFormat } from '../../../../pipelines/readers/json/index.ts'
import { inChunks, openReading, readTable } from '../../../contracts/reader.ts'

const ROWS = 30_000
const CHUNK_BYTES = 64 * 1024

/** Values in place and values made anew, rows of any length, broken ones, and a key that comes late. */
function messyRow(row: number): string {
  if (row % 7000 === 6999) return `{"a":${row},"b":"${'long \\n cell '.repeat(10_000)}"}`
  if (row % 11 === 0) return `{"a":-0.0,"b":"say \\"${row}\\"","c":{"z":${row},"a":[1, 2]}}`
  if (row % 13 === 0) return `{"a":1e3,"b":true}`
  if (row % 17 === 0) return `{"b":null,"a":${row},"b":"é ${row}"}`
  if (row % 19 === 0) return `{"a":${row},"b":}`
  if (row === 20_001) return `{"a":${row},"late":"key"}`
  return `{"a":${row},"b":"plain ${row}","c":{"a":[1,2],"z":${row}}}`
}

const rows = (rowAt: (row: number) => string) =>
  Buffer.from(Array.from({ length: ROWS }, (_, row) => rowAt(row)).join('\n'))
const messy = rows(messyRow)
const plain = rows((row) => `{"id":${row},"name":"a name \\u0041","where":{"z":1,"a":[2]}}`)
const options = { onInvalid: 'skip' } as const

async function memories(handsBack: boolean): Promise<number> {
  const reading = await openReading(jsonFormat, () => inChunks(plain, CHUNK_BYTES))
  const seen = new Set<ArrayBufferLike>()
  try {
    for (let batch = await reading.next(); batch !== null; batch = await reading.next()) {
      seen.add(batch.bytes.buffer)
      if (handsBack) reading.reading.recycle?.(batch)
    }
    return seen.size
  } finally {
    await reading.close()
  }
}

describe('Batches of JSON that are handed back', () => {
  it('do not change the rows that follow', async () => {
    const read = (handsBack: boolean) =>
      readTable(jsonFormat, () => inChunks(messy, CHUNK_BYTES), { options, handsBack })
    const kept = await read(false)
    expect(kept.rows).to.have.length(ROWS)
    expect(await read(true)).to.deep.equal(kept)
  })

  it('lend their memory to later ones', async () => {
    expect(await memories(false)).to.be.greaterThan(4)
    expect(await memories(true)).to.be.at.most(2)
  })
})
