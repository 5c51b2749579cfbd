import { expect } from 'chai'
import { Type } from 'typebox'

import {
  ingestOptionsSchema,
  NULL_CELL,
  type Stage,
  standardFormats,
} from '../../../pipelines/index.ts'
import { describeReader } from '../../contracts/reader.ts'
import { useDatabase } from '../../support/database.ts'
import { pairsFormat } from '../../support/new-format/pairs.ts'
import { bytesOf, loadInto, refusalOf, rowsOf } from './loading.ts'

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

const lines = (count: number) =>
  Buffer.from(
    `#pairs\n${Array.from({ length: count }, (_, row) => `key ${row}=é${row}\n`).join('')}`,
  )

describeReader('The smallest reader', {
  format: pairsFormat,
  inputs: [
    { name: 'pairs', bytes: lines(3) },
    { name: 'no line end', bytes: Buffer.from('#pairs\na=é\nb=') },
    { name: 'a line that is no pair', bytes: Buffer.from('#pairs\na=1\nb\nc=2\n') },
  ],
  large: () => lines(50_000),
})

describe('an engine with parts from outside', () => {
  const database = useDatabase()
  const formats = standardFormats().with(pairsFormat)

  it('reads a format that is new, once it is registered', async () => {
    const { report } = await loadInto(database, bytesOf('#pairs\nname=Zoé\nage=41\n'), {
      engine: { formats },
    })
    expect(report.reader).to.equal('pairs')
    expect(report.input).to.deep.equal({
      format: 'pairs',
      sourceType: 'PAIRS',
      encoding: 'utf-8',
      layout: { kind: 'fields', delimiter: '=', quote: null, headerEnd: 1 },
      dialect: { compression: 'none', between: '=' },
      repaired: {},
    })
    expect(await rowsOf(database, 'select key, value from loaded order by _row')).to.deep.equal([
      { key: 'name', value: 'Zoé' },
      { key: 'age', value: '41' },
    ])
  })

  it('gives a format the options that it declares, and warns of those of others', async () => {
    const source = bytesOf('#pairs\nname:Zoé\n')
    const { report } = await loadInto(database, source, {
      engine: { formats },
      options: { format: 'pairs', between: ':', sheet: 2 },
    })
    expect(report.warnings.map(({ message }) => String(message))).to.deep.equal([
      'The option sheet has no meaning for pairs, and was ignored.',
    ])
    expect(await rowsOf(database, 'select value from loaded')).to.deep.equal([{ value: 'Zoé' }])
  })

  it('refuses an option that no format declares', async () => {
    const options = { between: ':' }
    const refusal = await refusalOf(loadInto(database, bytesOf('a;b\n1;2\n'), { options }))
    expect(refusal.problem).to.deep.equal({ kind: 'options', pointer: '/between' })
  })

  it('shows in the schema of the options which formats know one', () => {
    const { properties } = ingestOptionsSchema(formats) as unknown as {
      properties: Record<string, { description?: string; enum?: readonly string[] }>
    }
    expect(properties['between']?.description).to.equal('For pairs. Default: =')
    expect(properties['path']?.description).to.match(/^For xml, geojson, json\. JSON Pointer/)
    expect(properties['format']?.enum).to.include.members(['pairs', 'csv'])
  })

  it('must not declare an option of another format in a way of its own', () => {
    const mistaken = { ...pairsFormat, name: 'mistaken', options: { sheet: Type.Boolean() } }
    expect(() => ingestOptionsSchema(standardFormats().with(mistaken))).to.throw(
      'declares the option sheet',
    )
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
