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

  it('may have any currency, before or after, and a sign on either side of it', async () => {
    const written: readonly (readonly [string, string, number])[] = [
      ['NOK 1 200,50', 'NOK', 1200.5],
      ['12,50 XOF', 'XOF', 12.5],
      ['R$ 12,50', 'R$', 12.5],
      ['CA$12,50', 'CA$', 12.5],
      ['12,50 kr.', 'kr.', 12.5],
      ['F CFA 12,50', 'F CFA', 12.5],
      ['-€12,50', '€', -12.5],
      ['€-12,50', '€', -12.5],
      ['€ - 12,50', '€', -12.5],
      ['12,50-€', '€', -12.5],
      ['12,50 € -', '€', -12.5],
      ['(12,50 €)', '€', -12.5],
      ['€(12,50)', '€', -12.5],
      ['(12,50) €', '€', -12.5],
      ['+12,50 €', '€', 12.5],
    ]
    for (const [text, unit, value] of written) {
      expect(await column([text]), text).to.deep.include({ type: 'number', unit, values: [value] })
    }
  })

  it('are no numbers where what stands beside them is no currency, or a sign too many', async () => {
    const others = [
      'Q1',
      '12 km',
      'XXX 12',
      '-12-',
      '-(12)',
      '(12',
      '€12 €',
      '+ 33612345678',
      '06-12',
    ]
    for (const text of others) expect((await column([text])).type, text).to.equal('text')
  })

  it('are codes where all are letters of a currency right before plain digits', async () => {
    for (const codes of [['NAD83', 'NAD27'], ['NAD83'], ['RM12', 'RM15']]) {
      expect((await column(codes)).type, codes[0]).to.equal('text')
    }
    expect((await column(['EUR12', 'EUR12.50'])).values).to.deep.equal([12, 12.5])
    expect((await column(['NAD 83', 'NAD 27'])).values).to.deep.equal([83, 27])
  })

  it('are thousands where a sign of three digits stands in money, whatever the delimiter', async () => {
    expect((await column(['$2,500', '$3,100'])).values).to.deep.equal([2500, 3100])
    expect((await column(['R$ 2.500', 'R$ 3.100'])).values).to.deep.equal([2500, 3100])
    expect((await column(['2,500', '3,100'])).values).to.deep.equal([2.5, 3.1])
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

describe('identifiers that a spreadsheet has rounded', () => {
  const warnedOf = async (cells: readonly string[]) => {
    const { warnings } = await preview(`n;v\n${cells.map((cell) => `a;${cell}\n`).join('')}`)
    return warnings.filter(({ code }) => code === 'identifiers-rounded')
  }

  it('are warned of with the first, where most are so and the others as long', async () => {
    const [warning] = await warnedOf(['782034000019', '2,43E+13', '3,11E+13', '1,2E+12', '3E+13'])
    expect(warning).to.deep.include({ column: 'v', line: 3 })
    expect(String(warning?.message)).to.contain('“2,43E+13”')
  })

  it('are not seen among short numbers, measurements and exponents of few digits', async () => {
    expect(await warnedOf(['2,43E+13', '12', '13', '14'])).to.deep.equal([])
    expect(await warnedOf(['2,43E-13', '1,1E-05'])).to.deep.equal([])
    expect(await warnedOf(['1E+05', '2E+06'])).to.deep.equal([])
    expect(await warnedOf(['782034000019', '782034000027'])).to.deep.equal([])
  })
})

describe('dates of which day and month both fit', () => {
  const dates = async (cells: readonly string[], options: IngestOptions = {}) => {
    const { columns, rows, warnings } = await preview(
      `n;v\n${cells.map((cell) => `a;${cell}\n`).join('')}`,
      options,
    )
    const about = warnings.filter(({ column: name }) => name === 'v')
    return {
      type: columns[1]!.type,
      pattern: columns[1]!.evidence.fittingPattern,
      values: rows.map(([, value]) => JSON.parse(value ?? 'null') as unknown),
      codes: about.map(({ code }) => code),
    }
  }

  it('are warned of with two digits for the year, too, and with the other pattern', async () => {
    expect(await dates(['01/02/24', '3/4/24'])).to.deep.equal({
      type: 'date',
      pattern: 'M/d/yy',
      values: ['2024-02-01', '2024-04-03'],
      codes: ['day-and-month-ambiguous', 'pattern-would-fit'],
    })
  })

  it('are not, once a day is no month', async () => {
    expect(await dates(['01/02/24', '13/4/24'])).to.deep.include({ pattern: undefined, codes: [] })
  })

  it('do not keep a pattern from being proposed that reads all of them', async () => {
    const most = ['01/02/24', '3/4/24', '05/22/24', '05/28/24', '05/06/24']
    expect(await dates(most)).to.deep.include({ type: 'text', pattern: 'M/d/yy' })
    const asDates: IngestOptions = { columns: [{ name: 'v', type: 'date' }] }
    expect(await dates(most, asDates)).to.deep.include({ type: 'date', pattern: 'M/d/yy' })
    const named: IngestOptions = { columns: [{ name: 'v', type: 'date', pattern: 'M/d/yy' }] }
    expect(await dates(most, named)).to.deep.include({ pattern: undefined, codes: [] })
  })
})

describe('days that programs write for no date', () => {
  const cells = ['2024-01-05', '1970-01-01', '1900-01-01', '1899-12-30', 'null', '0']

  it('are NULL, unless datePlaceholders says that they are dates', async () => {
    expect((await column(cells)).values).to.deep.equal(['2024-01-05', null, null, null, null, null])
    expect((await column(cells, { datePlaceholders: true })).values.slice(0, 2)).to.deep.equal([
      '2024-01-05',
      null,
    ])
    const kept = await column(cells, { datePlaceholders: false })
    expect(kept).to.deep.include({
      type: 'date',
      values: [...cells.slice(0, 4), null, null],
      invalid: 0,
    })
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
