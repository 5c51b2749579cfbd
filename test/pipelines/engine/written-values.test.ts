import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'

import { expect } from 'chai'

import { createEngine, type IngestOptions, type Preview } from '../../../pipelines/index.ts'

const engine = createEngine({ tempDir: tmpdir() })

function preview(content: string | Buffer, options: IngestOptions = {}): Promise<Preview> {
  const open = async () => Readable.from([Buffer.from(content)])
  const { signal } = new AbortController()
  return engine.preview({ kind: 'bytes', open }, options, { limit: 100, signal })
}

/** The column that stands behind another one, so that no cell of it makes a blank row. */
async function column(cells: readonly string[], options: IngestOptions = {}) {
  const seen = await preview(`n;v\n${cells.map((cell) => `a;${cell}\n`).join('')}`, options)
  const { type, evidence } = seen.columns[1]!
  const values = seen.rows.map(([, value]) => JSON.parse(value ?? 'null') as unknown)
  return { type, unit: evidence.unit, values, invalid: seen.invalidCells }
}

const given = (type: 'boolean' | 'number'): IngestOptions => ({ columns: [{ name: 'v', type }] })

describe('numbers as people write them', () => {
  it('may all have a currency, which the report tells', async () => {
    expect(await column(['12,50 €', '1 000,00 €', '-3,10 €'])).to.deep.include({
      type: 'number',
      unit: '€',
      values: [12.5, 1000, -3.1],
    })
    expect(await column(['$1,200.50', '$3.00'])).to.deep.include({ unit: '$', values: [1200.5, 3] })
    expect(await column(['CHF 12.50', 'CHF 3.00'])).to.deep.include({ values: [12.5, 3] })
  })

  it('are divided by a hundred where they are per cent', async () => {
    expect(await column(['12,5 %', '100 %', '-3%'])).to.deep.include({
      unit: '%',
      values: [0.125, 1, -0.03],
    })
  })

  it('may have a trailing minus or be in parentheses', async () => {
    expect(await column(['12,50', '3,10-', '(4,20)'])).to.deep.include({
      type: 'number',
      values: [12.5, -3.1, -4.2],
    })
    expect(await column(['12', '3-', '(4)'])).to.deep.include({ values: [12, -3, -4] })
  })

  it('stay text where only some have a unit, or several have others', async () => {
    expect((await column(['12 €', '13'])).type).to.equal('text')
    expect((await column(['12 €', '13 $'])).type).to.equal('text')
    expect((await column(['12 %', '13'])).type).to.equal('text')
  })

  it('are taken with or without a unit by a column that is said to be one', async () => {
    expect(await column(['12 €', '13', '(4)', '50 %', 'x'], given('number'))).to.deep.include({
      values: [12, 13, -4, 0.5, null],
      invalid: 1,
    })
  })

  it('are warned of where they are said to be numbers, and have different units', async () => {
    const warned = async (cells: readonly string[]) => {
      const { warnings, columns } = await preview(
        `n;v\n${cells.map((cell) => `a;${cell}\n`).join('')}`,
        given('number'),
      )
      const found = warnings.filter(({ code }) => code === 'mixed-units')
      for (const { column: name } of found) expect(name).to.equal('v')
      return [columns[1]!.evidence.mixedUnits, ...found.map(({ message }) => String(message))]
    }
    expect(await warned(['12 k€', '15 €', '3'])).to.deep.equal([
      ['k€', '€', ''],
      '“v”: the numbers are not all written with the same unit (k€, €, and some with none), and the table does not tell it.',
    ])
    expect((await warned(['12 €', '$15'])).at(-1)).to.contain('unit (€, $), and')
    expect(await warned(['12 k€', '15 k€'])).to.deep.equal([undefined])
    expect(await warned(['12', '15', 'x'])).to.deep.equal([undefined])
  })
})

describe('a column that is said to be of booleans', () => {
  it('takes single letters and digits', async () => {
    for (const [yes, no] of ['ON', 'on', 'YN', 'VF', '10'].map((pair) => [...pair])) {
      expect((await column([yes!, no!, ''], given('boolean'))).values).to.deep.equal([
        true,
        false,
        null,
      ])
    }
  })

  it('takes crosses, between which a blank says no', async () => {
    expect((await column(['X', '', 'x'], given('boolean'))).values).to.deep.equal([
      true,
      false,
      true,
    ])
  })

  it('refuses other letters, and is not found by letters alone', async () => {
    expect((await column(['o', 'z'], given('boolean'))).invalid).to.equal(1)
    expect((await column(['O', 'N'])).type).to.equal('text')
  })
})

describe('values that a request names as NULL', () => {
  it('are NULL in a text column, too', async () => {
    const { values } = await column(['x', ' n.c. ', 'y'], { nullValues: ['n.c.'] })
    expect(values).to.deep.equal(['x', null, 'y'])
  })
})

describe('text in a code page of DOS or of old Macs', () => {
  const cases: readonly [string, readonly number[]][] = [
    ['cp850', [0x48, 0x82, 0x6c, 0x8a, 0x6e, 0x65]],
    ['IBM437', [0x48, 0x82, 0x6c, 0x8a, 0x6e, 0x65]],
    ['macintosh', [0x48, 0x8e, 0x6c, 0x8f, 0x6e, 0x65]],
  ]
  for (const [encoding, name] of cases) {
    it(`is read where ${encoding} is named`, async () => {
      const bytes = Buffer.concat([
        Buffer.from('nom;ville\n'),
        Buffer.from(name),
        Buffer.from(';x\n'),
      ])
      const seen = await preview(bytes, { encoding })
      expect(JSON.parse(seen.rows[0]![0]!)).to.equal('Hélène')
      expect(seen.warnings).to.deep.equal([])
    })
  }
})
