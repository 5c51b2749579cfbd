import { expect } from 'chai'
import * as fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile } from '../../support/sources.ts'

const RECORDS = `[
  {"count":9007199254740993,"price":"12.50","exact":"12345678901234567890.123456789","long":"${'9'.repeat(39)}","paid":true,"day":"2024-02-29","at":"2024-01-31T09:30:00.250Z","name":"Élodie 🎉","more":{"b":[1,2.50],"a":"x"}},
  {"count":-1,"price":"-0.05","exact":"-1","long":"1.5","paid":false,"day":"1899-12-31","at":"1950-06-01T00:00:00Z","name":" =1+1 ","more":{"n":"null"}},
  {"count":null,"price":null,"exact":null,"long":null,"paid":null,"day":null,"at":null,"name":"of blanks","more":null}
]`

const OPTIONS = {
  columns: [
    { name: 'price', type: 'number' },
    { name: 'exact', type: 'number' },
    { name: 'long', type: 'number' },
    { name: 'day', type: 'date' },
    { name: 'at', type: 'date' },
  ],
}

/** Each of the four directly behind each of the four, once. */
const EACH_AFTER_EACH = [
  ['csv', 'csv', 'xlsx', 'xlsx', 'ndjson', 'ndjson', 'parquet', 'parquet'],
  ['csv', 'ndjson', 'csv', 'parquet', 'xlsx', 'parquet', 'ndjson', 'xlsx', 'csv'],
].flat()

const ROUND_TRIP = {
  columns: [
    { name: 'id', type: 'number' },
    { name: 'text', type: 'text' },
    { name: 'whole', type: 'number' },
    { name: 'decimal', type: 'number' },
    { name: 'yes', type: 'boolean' },
    { name: 'day', type: 'date' },
    { name: 'moment', type: 'date' },
    { name: 'more', type: 'json' },
  ],
}

const DAY_MS = 86_400_000
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 5 })
const textPieces = [
  'a',
  'É',
  '😀',
  '"',
  "'",
  ',',
  ';',
  '\n',
  '\t',
  ' ',
  '0',
  '=1',
  '_x000D_',
  '<&>',
]
const jsonText = fc.string({ unit: fc.constantFrom('a', 'é', '"', ' ', '1'), maxLength: 5 })
const roundTripRow = fc.record({
  text: orNull(
    fc
      .string({ unit: fc.constantFrom(...textPieces), minLength: 1, maxLength: 12 })
      .filter((text) => text.trim() !== ''),
  ),
  whole: orNull(fc.maxSafeInteger()),
  decimal: orNull(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((value) => value / 1000)),
  yes: orNull(fc.boolean()),
  // What programs write for "no date" is none.
  day: orNull(
    fc
      .integer({ min: 366, max: 50_000 })
      .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10)),
  ),
  moment: orNull(
    fc
      .integer({ min: 366, max: 50_000 })
      .map((day) => new Date(day * DAY_MS + 45_296_789).toISOString()),
  ),
  more: orNull(
    fc.oneof(
      fc.dictionary(jsonText, fc.oneof(fc.integer(), jsonText, fc.constant(null)), { maxKeys: 3 }),
      fc.array(fc.oneof(fc.integer(), jsonText, fc.boolean()), { maxLength: 3 }),
    ),
  ),
})

describe('the Parquet export of a source', () => {
  const app = useApp()
  let client: TestClient

  before(async () => {
    client = app.client.as(await app.build.user())
  })

  const exported = async (uuid: string): Promise<ArrayBuffer> => {
    const response = await fetch(`${app.address}/sources/${uuid}/export?format=parquet`, {
      headers: { 'x-app-access-token': await client.token() },
    })
    expect(response.status).to.equal(200)
    expect(response.headers.get('content-type')).to.equal('application/vnd.apache.parquet')
    expect(response.headers.get('content-disposition')).to.include('.parquet')
    return response.arrayBuffer()
  }

  it('has the types of the table, and its values', async () => {
    const source = await created(createFromFile(client, RECORDS, { options: OPTIONS }, 'a.json'))
    const file = await exported(source.uuid)
    const [, ...columns] = parquetMetadata(file).schema
    const types = columns.map(({ name, type, converted_type, precision, scale }) => {
      return [name, type, converted_type, precision, scale]
    })
    expect(types).to.deep.equal([
      ['count', 'INT64', undefined, undefined, undefined],
      ['price', 'INT64', 'DECIMAL', 4, 2],
      ['exact', 'FIXED_LEN_BYTE_ARRAY', 'DECIMAL', 29, 9],
      ['long', 'BYTE_ARRAY', 'UTF8', undefined, undefined],
      ['paid', 'BOOLEAN', undefined, undefined, undefined],
      ['day', 'INT32', 'DATE', undefined, undefined],
      ['at', 'INT64', 'TIMESTAMP_MICROS', undefined, undefined],
      ['name', 'BYTE_ARRAY', 'UTF8', undefined, undefined],
      ['more', 'BYTE_ARRAY', 'JSON', undefined, undefined],
    ])
    const [first, second, third] = await parquetReadObjects({ file })
    expect(first).to.deep.include({
      count: 9007199254740993n,
      price: 12.5,
      long: '9'.repeat(39),
      paid: true,
      day: new Date('2024-02-29T00:00:00Z'),
      at: new Date('2024-01-31T09:30:00.250Z'),
      name: 'Élodie 🎉',
      more: { a: 'x', b: [1, 2.5] },
    })
    expect(second).to.deep.include({
      count: -1n,
      price: -0.05,
      exact: -1,
      long: '1.5',
      paid: false,
      day: new Date('1899-12-31T00:00:00Z'),
      at: new Date('1950-06-01T00:00:00Z'),
      name: ' =1+1 ',
    })
    const { name, ...blanks } = third!
    expect(name).to.equal('of blanks')
    expect(Object.values(blanks)).to.have.length(8)
    for (const value of Object.values(blanks)) expect(value ?? null).to.equal(null)
  })

  it('is loaded as the same rows, with every digit', async () => {
    const source = await created(createFromFile(client, RECORDS, { options: OPTIONS }, 'a.json'))
    const file = new Uint8Array(await exported(source.uuid))
    const options = { columns: [{ name: 'long', type: 'number' }] }
    const again = await created(createFromFile(client, file, { options }, 'a.parquet'))
    const rows = async (uuid: string) =>
      (await client.get(`/sources/${uuid}/export?format=csv`)).text
    expect(await rows(again.uuid)).to.equal(
      // A decimal has one scale in all of its column.
      (await rows(source.uuid)).replace(',-1,1.5,', ',-1.000000000,1.5,'),
    )
  })

  it('loses nothing when a table goes from any format to any other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(roundTripRow, { minLength: 1, maxLength: 12 }), async (rows) => {
        const records = rows.map((row, at) => ({ id: at + 1, ...row }))
        const first = await created(
          createFromFile(client, JSON.stringify(records), { options: ROUND_TRIP }, 'a.json'),
        )
        const expected = await tableOf(first.uuid)
        let { uuid } = first
        for (const [at, format] of EACH_AFTER_EACH.entries()) {
          const path = `/sources/${uuid}/export?format=${format}`
          const answer = await fetch(app.address + path, {
            headers: { 'x-app-access-token': await client.token() },
          })
          const content = new Uint8Array(await answer.arrayBuffer())
          const name = `a.${format}`
          ;({ uuid } = await created(
            createFromFile(client, content, { options: ROUND_TRIP }, name),
          ))
          const trip = [EACH_AFTER_EACH[at - 1] ?? 'json', format].join(' to ')
          expect(await tableOf(uuid), trip).to.deep.equal(expected)
        }
      }),
      { numRuns: 2, endOnFailure: true },
    )
  })

  const tableOf = async (uuid: string) => {
    const { body } = await client.get(`/sources/${uuid}/data?limit=100`)
    return { columns: body.columns, items: body.items }
  }

  it('has many rows in several row groups, in their order', async () => {
    const rows = Array.from({ length: 70_000 }, (_, at) => `${at + 1},text ${at}`)
    const source = await created(createFromFile(client, `n,t\n${rows.join('\n')}\n`))
    const file = await exported(source.uuid)
    const { row_groups: groups, num_rows: count } = parquetMetadata(file)
    expect(count).to.equal(70_000n)
    expect(groups.map(({ num_rows }) => num_rows)).to.deep.equal([65_536n, 4464n])
    const objects = await parquetReadObjects({ file })
    expect(objects.map(({ n, t }) => `${n},${t}`)).to.deep.equal(rows)
  })

  it('has long rows in row groups of their own', async () => {
    const rows = Array.from({ length: 7 }, (_, at) => `${at + 1},${String(at).repeat(1_200_000)}`)
    const source = await created(createFromFile(client, `n,t\n${rows.join('\n')}\n`))
    const file = await exported(source.uuid)
    expect(parquetMetadata(file).row_groups).to.have.length(2)
    const objects = await parquetReadObjects({ file })
    expect(objects.map(({ n, t }) => `${n},${t}`)).to.deep.equal(rows)
  })
})
