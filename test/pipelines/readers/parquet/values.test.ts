import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'
import * as fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parquetWriteBuffer } from 'hyparquet-writer'

import { createEngine } from '../../../../pipelines/index.ts'
import { parquetFormat } from '../../../../pipelines/readers/parquet/index.ts'
import { inChunks, readTable } from '../../../contracts/reader.ts'
import { parquetFixtures } from '../../../support/fixtures.ts'

const fixtures = new Map(parquetFixtures().map(({ name, bytes }) => [name, bytes]))

const tableOf = (bytes: Buffer) => readTable(parquetFormat, () => inChunks(bytes, 64 * 1024))
const fixture = (name: string) => fixtures.get(`${name}.parquet`)!

describe('Values of Parquet', () => {
  it('are the canonical text of what each type means', async () => {
    const { headers, rows } = await tableOf(fixture('types'))
    const columns = Object.fromEntries(
      headers.map((header, at) => [header, rows.map((cells) => cells[at])]),
    )
    expect(columns).to.deep.equal({
      bool: ['true', 'false', null],
      int8: ['-128', '127', null],
      uint32: ['0', '4294967295', null],
      int64: ['-9223372036854775808', '9223372036854775807', null],
      uint64: ['0', '18446744073709551615', null],
      float: ['0.1', null, null],
      half: ['0.5', '-65504', null],
      double: ['0.1', null, '1e300'],
      decimal9: ['-1.50', '1234567.89', null],
      decimal38: ['-0.0000000001', '1234567890123456789012345678.0123456789', null],
      text: ['é', '', null],
      bytes: ['oui', '/wA=', null],
      fixed: ['AP8A/w==', 'abcd', null],
      date: ['1970-01-01', '1899-12-30', null],
      time_ms: ['01:02:03', '23:59:59.999', null],
      time_us: ['00:00:00', '23:59:59.000001', null],
      instant_ms: ['2024-01-31T12:00:00.005Z', '1969-12-31T23:59:59Z', null],
      clock_us: ['2024-01-31T12:00:00.000005', '1970-01-01T00:00:00', null],
      clock_ns: ['1970-01-01T00:00:00', '1969-12-31T23:59:59.999999', null],
      word: ['a', 'a', null],
      nothing: [null, null, null],
    })
  })

  it('of bytes that hold NUL are base64, since no text of a database holds it', async () => {
    const point = Buffer.from('0101000000000000000000f03f0000000000000040', 'hex')
    const word = Buffer.from('a\0b')
    const values = [Buffer.from('oui'), word, word, Buffer.from('non'), point, Buffer.alloc(2)]
    const column = (name: string, type: object, encoding: 'PLAIN' | 'RLE_DICTIONARY') => {
      const schema = { name, type: 'BYTE_ARRAY', repetition_type: 'REQUIRED', ...type } as const
      return { schema, data: { name, data: values, encoding } }
    }
    const columns = [
      column('plain', {}, 'PLAIN'),
      column('words', {}, 'RLE_DICTIONARY'),
      column('text', { converted_type: 'UTF8' }, 'PLAIN'),
    ]
    const file = parquetWriteBuffer({
      columnData: columns.map(({ data }) => data),
      schema: [
        { name: 'root', num_children: columns.length },
        ...columns.map(({ schema }) => schema),
      ],
    })
    const { rows } = await tableOf(Buffer.from(file))
    const bytes = ['oui', 'YQBi', 'YQBi', 'non', point.toString('base64'), 'AAA=']
    expect(rows.map(([plain]) => plain)).to.deep.equal(bytes)
    expect(rows.map(([, words]) => words)).to.deep.equal(bytes)
    expect(rows[1]![2]).to.equal('a\0b')
  })

  it('that are nested are JSON', async () => {
    const { rows } = await tableOf(fixture('nested'))
    expect(rows).to.deep.equal([
      ['[1,null,2]', '{"b":1,"a":null}', '{"a":{"x":1.5},"z":"é"}', '[["a"],[],null]'],
      ['[]', '{}', '{"a":null,"z":null}', '[]'],
      [null, null, null, null],
    ])
  })

  it('of old timestamps are instants', async () => {
    const { rows } = await tableOf(fixture('int96'))
    expect(rows).to.deep.equal([['2024-01-31T12:00:00Z'], [null]])
  })

  const alike = [...fixtures.keys()].filter((name) => /^(codec|encoding|writer)-/.test(name))
  for (const name of alike) {
    it(`are the same however they are packed: ${name}`, async () => {
      const { rows } = await tableOf(fixtures.get(name)!)
      expect(rows).to.have.length(500)
      const day = (row: number) => new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10)
      for (const [row, cells] of rows.entries()) {
        const word = row % 7 === 0 ? null : `mot ${row % 11}`
        expect(cells).to.deep.equal([String(row), word, String(row / 7), day(row)])
      }
    })
  }

  it('agree with another reader, whatever the columns', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 })
    const row = fc.record({
      whole: fc.option(fc.integer()),
      real: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      word: fc.option(text),
      yes: fc.option(fc.boolean()),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 60 }),
        fc.constantFrom('UNCOMPRESSED', 'SNAPPY'),
        fc.integer({ min: 1, max: 70 }),
        async (rows, codec, rowGroupSize) => {
          const types = { whole: 'INT32', real: 'DOUBLE', word: 'STRING', yes: 'BOOLEAN' } as const
          const columnData = Object.entries(types).map(([name, type]) => ({
            name,
            type,
            nullable: true,
            data: rows.map((cells) => cells[name as keyof typeof types]),
          }))
          const file = parquetWriteBuffer({ columnData, codec, rowGroupSize })
          const expected = await parquetReadObjects({ file, compressors })
          const { rows: found } = await tableOf(Buffer.from(file))
          const shown = found.map((cells) => ({
            whole: cells[0] === null ? null : Number(cells[0]),
            real: cells[1] === null ? null : Number(cells[1]),
            word: cells[2],
            yes: cells[3] === null ? null : cells[3] === 'true',
          }))
          // A zero with a sign is none.
          const plain = expected.map(({ real, ...cells }) => ({
            ...cells,
            real: real === null ? null : real + 0,
          }))
          expect(shown.map(({ real, ...cells }) => ({ ...cells, real }))).to.deep.equal(plain)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('have the types of the file, also where no value shows them', async () => {
    const engine = createEngine({ tempDir: tmpdir() })
    const { columns, invalidCells } = await engine.preview(
      { kind: 'bytes', open: async () => Readable.from([fixture('types')]) },
      { columns: [{ name: 'text', type: 'json' }] },
      { limit: 3, signal: new AbortController().signal },
    )
    const types = Object.fromEntries(columns.map(({ name, sqlType }) => [name, sqlType]))
    expect(types).to.include({
      bool: 'boolean',
      int64: 'bigint',
      uint64: 'numeric',
      double: 'numeric',
      decimal9: 'numeric',
      text: 'jsonb',
      date: 'date',
      clock_us: 'timestamptz',
      nothing: 'text',
    })
    expect(invalidCells, 'a type that the request gives counts for more').to.equal(1)
  })

  it('keep dates that are placeholders in other formats', async () => {
    const engine = createEngine({ tempDir: tmpdir() })
    const { rows, columns } = await engine.preview(
      { kind: 'bytes', open: async () => Readable.from([fixture('types')]) },
      {},
      { limit: 3, signal: new AbortController().signal },
    )
    const at = columns.findIndex(({ name }) => name === 'date')
    expect(rows.map((cells) => cells[at])).to.deep.equal(['"1970-01-01"', '"1899-12-30"', null])
  })
})
