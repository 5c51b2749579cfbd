import { expect } from 'chai'
import { Type } from 'typebox'

import {
  type Batch,
  defineFormat,
  ingestOptionsSchema,
  NULL_CELL,
  openText,
  type Stage,
  standardFormats,
} from '../../../pipelines/index.ts'
import { useDatabase } from '../../support/database.ts'
import { bytesOf, loadInto, refusalOf, rowsOf } from './loading.ts'

/** `key=value` pairs, one row a line: a format nobody has registered yet. */
const pairs = defineFormat({
  name: 'pairs',
  sourceType: 'PAIRS',
  options: { between: Type.String({ minLength: 1, maxLength: 1 }) },
  recognises: ({ bytes }) => (bytes.toString('latin1', 0, 6) === '#pairs' ? 'certainly' : 'no'),
  async open(input, context) {
    const { between = '=' } = context.options
    const text = openText(input, context)
    const chunks: Buffer[] = []
    for (let chunk = await text.next(); chunk !== null; chunk = await text.next()) {
      chunks.push(chunk)
    }
    const [, ...lines] = Buffer.concat(chunks).toString().trimEnd().split('\n')
    let isRead = false
    return {
      reader: 'pairs',
      headers: ['key', 'value'],
      headersGrow: false,
      layout: { kind: 'fields', delimiter: between, quote: null, headerEnd: 1 },
      async next() {
        if (isRead) return null
        isRead = true
        return batchOf(lines.map((line) => line.split(between)))
      },
      rawRow: (_, row) => lines[row]!,
      place: () => null,
      describe: () => ({ dialect: { between }, repaired: {} }),
    }
  },
})

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
  const formats = standardFormats().with(pairs)

  it('reads a format that is new, once it is registered', async () => {
    const { report } = await loadInto(database, bytesOf('#pairs\nname=Zoé\nage=41\n'), {
      engine: { formats },
    })
    expect(report.reader).to.equal('pairs')
    expect(report.input).to.deep.equal({
      format: 'pairs',
      sourceType: 'PAIRS',
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
    expect(report.warnings).to.deep.equal([
      'the option "sheet" means nothing for pairs, and did nothing',
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
    expect(properties['between']?.description).to.equal('For pairs')
    expect(properties['path']?.description).to.match(/^For json\. JSON Pointer/)
    expect(properties['format']?.enum).to.include.members(['pairs', 'csv'])
  })

  it('must not declare an option of another format in a way of its own', () => {
    const mistaken = { ...pairs, name: 'mistaken', options: { sheet: Type.Boolean() } }
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
