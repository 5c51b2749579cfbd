import { expect } from 'chai'

import { geojsonFormat, jsonFormat } from '../../../../pipelines/readers/json/index.ts'
import { openSource } from '../../../contracts/reader.ts'
import { turnsDuring } from '../../../support/turns.ts'
import { bytesInPieces, type JsonCase, readJson, readTable, type Table } from './read-json.ts'

/** With all that is written otherwise than it is stored, and longer than a turn. */
const LONG = Array.from({ length: 15_000 }, (_, at) => ({
  at,
  b: `é"${at}`,
  a: at % 3 === 0 ? '[]' : '{}',
}))
const WRITTEN = LONG.map(({ at, b, a }) => {
  const text = JSON.stringify(b).replace('é', String.raw`\u00e9`)
  return `{ "z":[${at},{"b":${text},\n"a":null}] ,"a":${a}}`
}).join(',')
const STORED = `[${LONG.map(({ at, b, a }) => `{"a":${a},"z":[${at},{"a":null,"b":${JSON.stringify(b)}}]}`).join(',')}]`
const TEXT = `${'\\n'.repeat(400_000)}é`

const object = (long: string) => `{"n":1,"t":"${TEXT}","long":[${long}],"u":"ü","v":[${long}]}`
const CELLS = ['1', JSON.parse(`"${TEXT}"`) as string, STORED, 'ü', STORED]

/** A row before the long one, and one behind it. */
const LAYOUTS: readonly {
  readonly name: string
  readonly given?: JsonCase
  readonly text: string
  readonly cells: readonly (string | null)[]
}[] = [
  {
    name: 'objects of an array',
    text: `[{"n":0},\n${object(WRITTEN)},\n{"n":2}]`,
    cells: CELLS,
  },
  {
    name: 'an object a line',
    text: `{"n":0}\n${object(WRITTEN.replaceAll('\n', ''))}\n{"n":2}`,
    cells: CELLS,
  },
  {
    name: 'entries of an object',
    text: `{"x":{"n":0},\n"y${TEXT}":${object(WRITTEN)},\n"z":{"n":2}}`,
    cells: [JSON.parse(`"y${TEXT}"`) as string, ...CELLS],
  },
  {
    name: 'features',
    text: `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":0},"geometry":null},\n{"type":"Feature","properties":${object(WRITTEN)},"geometry":[${WRITTEN}]},\n{"type":"Feature","properties":{"n":2},"geometry":null}]}`,
    cells: [CELLS[0]!, STORED, ...CELLS.slice(1)],
  },
  {
    name: 'arrays',
    text: `[["n","t","long","u","v"],[0,null,null,null,null],\n[1,"${TEXT}",[${WRITTEN}],"ü",[${WRITTEN}]],\n[2,null,null,null,null]]`,
    cells: CELLS,
  },
  {
    name: 'arrays with values beside the table',
    given: { options: { ragged: 'pad' } },
    text: `[["n"],[0],\n[1${',""'.repeat(700_000)}],\n[2]]`,
    cells: ['1'],
  },
]

describe('JSON reader: rows that are longer than a turn', () => {
  for (const { name, given = {}, text, cells } of LAYOUTS) {
    it(`reads ${name} as short ones, wherever it was interrupted`, async () => {
      const read = async (pieceBytes: number) => {
        const source = bytesInPieces(Buffer.from(text), pieceBytes)
        return readTable(
          await openSource(name === 'features' ? geojsonFormat : jsonFormat, source, given),
        )
      }
      const whole = await read(text.length)
      const inPieces = await read(70_001)
      for (const table of [whole, inPieces]) {
        expect(table.faults).to.deep.equal({})
        expect(table.rows).to.have.length(3)
        const row = table.rows[1]!.filter((cell) => cell !== null)
        expect(row.map((cell) => cell.length)).to.deep.equal(cells.map((cell) => cell!.length))
        expect(row.every((cell, at) => cell === cells[at])).to.equal(true)
      }
      expect(inPieces.lines).to.deep.equal(whole.lines)
      expect(linesBehind(whole)).to.equal(text.split('\n').length)
    })
  }

  it('lets others have their turn in the middle of a value, of a row, and on the way to the rows', async () => {
    const values = `[${'1,'.repeat(3_000_000)}1]`
    for (const text of [
      `[{"a":${values}}]`,
      `[["a"],${values}]`,
      `{"before":${values},"rows":[{"a":1}]}`,
      `[{${Array.from({ length: 600 }, (_, at) => `"k${at}":[${'1,'.repeat(5000)}1]`).join(',')}}]`,
    ]) {
      const read = () => readJson(text, { pieceBytes: text.length })
      expect(await turnsDuring(read), text.slice(0, 20)).to.be.at.least(10)
    }
  })

  it('takes no array of numbers for a header, however long it is', async () => {
    const text = `[[${'1,'.repeat(20_000)}1],["a"]]`
    const refused = await readJson(text).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(Error).with.property('message').that.contains('No rows')
  })

  it('keeps the best of many arrays that could be the rows, and names the first of the others', async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => `"k${at}":[{"a":${at}}]`)
    rows[700] = '"best":[{"a":1},{"a":2}]'
    const { rows: read, report } = await readJson(`{${rows.join(',')}}`)
    expect(read).to.deep.equal([['1'], ['2']])
    const others = ['/k0', '/k1', '/k2', '/k3', '/k4']
    expect(report.dialect).to.deep.include({ path: '/best', otherArrays: others })
  })
})

function linesBehind({ lines }: Table): number {
  return lines.at(-1)!
}
