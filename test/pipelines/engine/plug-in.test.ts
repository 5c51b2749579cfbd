import { expect } from 'chai'

import {
  type Batch,
  type Format,
  NULL_CELL,
  type Reader,
  type Stage,
  standardFormats,
} from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { bytesOf, loadInto, rowsOf } from './loading.ts'

/** `key=value` pairs, one row a line: a format nobody has registered yet. */
const pairs: Reader = {
  name: 'pairs',
  async open(source, { signal }) {
    const chunks = await Array.fromAsync(await source.open(signal))
    const text = Buffer.concat(chunks as Buffer[]).toString()
    const lines = text
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
    let isRead = false
    return {
      reader: 'pairs',
      headers: ['key', 'value'],
      async next() {
        if (isRead) return null
        isRead = true
        return batchOf(lines.map((line) => line.split('=')))
      },
      rawRow: (_, row) => lines[row]!,
      place: () => null,
      describe: () => ({ format: 'csv', dialect: {}, mended: {} }),
      bytesRead: text.length,
      close: async () => undefined,
    }
  },
}

function batchOf(rows: readonly (readonly string[])[]): Batch {
  const cells = rows.flat()
  const start = new Int32Array(cells.length)
  const end = new Int32Array(cells.length)
  let at = 0
  cells.forEach((cell, index) => {
    start[index] = at
    at += Buffer.byteLength(cell)
    end[index] = at
  })
  return {
    bytes: Buffer.from(cells.join('')),
    start,
    end,
    kinds: null,
    width: 2,
    rows: rows.length,
    firstRow: 1,
    lines: Int32Array.from(rows, (_, row) => row + 2),
    faults: [],
  }
}

const pairsFormat: Format = {
  name: 'pairs',
  reader: pairs,
  recognises: ({ bytes }) => bytes.subarray(0, 6).toString() === '#pairs',
}

/** Takes passwords out before anything else sees them. */
const redact: Stage = {
  name: 'redact',
  apply({ bytes, start, end, width, rows }) {
    for (let row = 0; row < rows; row++) {
      const key = row * width
      if (bytes.toString('utf8', start[key], end[key]) === 'password') end[key + 1] = NULL_CELL
    }
  },
}

describe('a part of one’s own', () => {
  const database = useDatabase()

  it('reads a format that is new, once it is registered', async () => {
    const { report } = await loadInto(database, bytesOf('#pairs\nname=Zoé\nage=41\n'), {
      engine: { formats: standardFormats().with(pairsFormat) },
    })
    expect(report.reader).to.equal('pairs')
    expect(await rowsOf(database, 'select key, value from loaded order by _row')).to.deep.equal([
      { key: 'name', value: 'Zoé' },
      { key: 'age', value: '41' },
    ])
  })

  it('changes cells on their way, as a stage', async () => {
    await loadInto(database, bytesOf('key;value\nname;Zoé\npassword;secret\nage;x\n'), {
      engine: { stages: [redact] },
    })
    expect(await rowsOf(database, 'select value from loaded order by _row')).to.deep.equal([
      { value: 'Zoé' },
      { value: null },
      { value: 'x' },
    ])
  })
})
