import { expect } from 'chai'

import type { ColumnOverride, IngestOptions } from '../../../pipelines/core/options.ts'
import { TypeDetector, type DetectedColumn } from '../../../pipelines/transforms/detect-types.ts'
import { createValueContext } from '../../../pipelines/transforms/value-context.ts'
import { growthTenfold, IN_PROPORTION } from '../../support/processor-time.ts'
import { cell, columnOf, type Cell } from '../cells.ts'

type Values = (string | Cell | null)[]

interface Circumstances extends IngestOptions {
  decimalHint?: ','
}

function detect(
  values: Values,
  { decimalHint, ...options }: Circumstances = {},
  given: Omit<ColumnOverride, 'name'> | null = null,
): DetectedColumn {
  const override = given === null ? null : { name: 'c', ...given }
  const detector = new TypeDetector(createValueContext(options, decimalHint ?? null), override)
  const half = Math.ceil(values.length / 2)
  detector.observe(columnOf(values.slice(0, half)), 0)
  detector.observe(columnOf(values.slice(half), half + 1), 0)
  return detector.decide()
}

function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value)
}

describe('The type of a column', () => {
  const types: [values: Values, sqlType: string][] = [
    [['1', '2', ''], 'bigint'],
    [['1', '2', '3.5'], 'numeric'],
    [['1 234,56', '2'], 'numeric'],
    [['20240131', '20240201'], 'bigint'],
    [['0', '1', '1'], 'bigint'],
    [['1e5', '2'], 'numeric'],
    [['123456789012345678'], 'bigint'],
    [['1234567890123456789'], 'text'],
    [['1234567890123456789.0'], 'numeric'],
    [['007', '12'], 'text'],
    [['+33612345678'], 'text'],
    [['inf', '1'], 'text'],
    [['NaN'], 'text'],
    [['1,5', '1.5'], 'text'],
    [['1', 'abc'], 'text'],
    [['1', 'null', 'UNDEFINED', null], 'bigint'],
    [['1', 'N/A', 'NA', '#N/A', '-', '\\N'], 'bigint'],
    [['oui', 'NON', 'N/A'], 'boolean'],
    [['vrai', 'false', 'Yes'], 'boolean'],
    [['oui', '1'], 'text'],
    [['N/A', '-'], 'text'],
    [['null', ''], 'text'],
    [['', null, '  '], 'text'],
    [[], 'text'],
    [['2024-01-31', '2024-02-01'], 'date'],
    [['31/01/2024', '31/01/2024 10:00'], 'timestamptz'],
    [['31/01/2024', '0', '0', '1970-01-01T01:00:00Z', '30/12/1899'], 'date'],
    [['0', '0'], 'bigint'],
    [['1970-01-01', ''], 'text'],
    [[cell('number', '1'), cell('number', '2.0')], 'numeric'],
    [[cell('number', '12345678901234567890')], 'numeric'],
    [[cell('number', '1.5'), '2,5'], 'numeric'],
    [[cell('boolean', 'true'), 'non'], 'boolean'],
    [[cell('boolean', 'true'), cell('number', '1')], 'text'],
    [[cell('date', '2024-01-31'), cell('date', '2024-01-31T10:00:00')], 'timestamptz'],
    [[cell('json', '[1]'), cell('json', '{}'), 'N/A', ''], 'jsonb'],
    [[cell('json', '[1]'), 'texte'], 'text'],
    [['[1]', '{}'], 'text'],
  ]
  for (const [values, sqlType] of types) {
    const shown = values.map((value) => (typeof value === 'object' ? (value?.text ?? null) : value))
    it(`of ${JSON.stringify(shown)} is ${sqlType}`, () => {
      expect(detect(values).decision.sqlType).to.equal(sqlType)
    })
  }

  it('takes what the request names for NULL', () => {
    const { decision, evidence } = detect(['1', 'ND', '-999'], { nullValues: ['ND', '-999'] })
    expect(decision.sqlType).to.equal('bigint')
    expect(evidence.nulls).to.deep.equal({ 'null-value': 2 })
  })

  it('ignores batches that are older than the column', () => {
    const detector = new TypeDetector(createValueContext({}, null), null)
    detector.observe(columnOf(['abc']), 1)
    expect(detector.decide().evidence.sampled).to.equal(0)
  })
})

describe('The date format of a column', () => {
  it('is kept from 80 % on', () => {
    const dates = times(8, '31/01/2024')
    expect(detect([...dates, 'x', 'y']).decision.type).to.equal('date')
    expect(detect([...dates, 'x', 'y', 'z']).decision.type).to.equal('text')
    expect(detect([...dates.slice(1), 'x', 'y']).decision.type).to.equal('text')
  })

  it('does not count placeholders and blanks among the 80 %', () => {
    const values = [...times(4, '31/01/2024'), 'x', ...times(20, '0'), ...times(20, '')]
    expect(detect([...values, ...times(9, '01/01/1900')]).decision.type).to.equal('date')
  })

  it('counts N/A among the 80 %, since a date column does not know it', () => {
    expect(detect([...times(4, '31/01/2024'), 'N/A']).decision.type).to.equal('date')
    expect(detect([...times(3, '31/01/2024'), 'N/A']).decision.type).to.equal('text')
  })

  it('counts values with and without a time together', () => {
    const values = [...times(4, '31/01/2024'), ...times(4, '31/01/2024 10:00'), 'x']
    expect(detect(values).decision).to.include({ sqlType: 'timestamptz', dateFormat: 'DD/MM/YYYY' })
  })

  it('is day-first where month-first reads as many, and says so', () => {
    const { decision, evidence } = detect(['01/02/2024', '03/04/2024'])
    expect(decision).to.include({ dateFormat: 'DD/MM/YYYY', layout: 'DD/MM/YYYY' })
    expect(evidence.ambiguous).to.equal(true)
  })

  it('is the one that reads most, without doubt', () => {
    const monthFirst = detect([...times(9, '01/02/2024'), '01/25/2024'])
    expect(monthFirst.decision).to.include({ dateFormat: 'MM/DD/YYYY' })
    expect(monthFirst.evidence.ambiguous).to.equal(false)
    const dayFirst = detect([...times(9, '01/02/2024'), '25/01/2024'])
    expect(dayFirst.decision).to.include({ dateFormat: 'DD/MM/YYYY' })
    expect(dayFirst.evidence.ambiguous).to.equal(false)
  })

  const shown: [value: string, format: string][] = [
    ['2024-01-31T10:00:00.000Z', 'YYYY-MM-DD'],
    ['2024/01/31', 'YYYY-MM-DD'],
    ['31/01/24', 'DD/MM/YYYY'],
    ['01-31-2024', 'MM/DD/YYYY'],
    ['31-01-2024', 'DD-MM-YYYY'],
    ['31.01.2024', 'DD-MM-YYYY'],
  ]
  for (const [value, format] of shown) {
    it(`of ${value} is shown as ${format}`, () => {
      expect(detect([value]).decision).to.include({ dateFormat: format })
    })
  }

  it('takes typed dates for written ones of any layout', () => {
    const typed = times(5, cell('date', '2024-01-31'))
    expect(detect([...typed, ...times(5, '31/01/2024')]).decision).to.include({
      dateFormat: 'DD/MM/YYYY',
    })
    expect(detect(typed).decision).to.include({ dateFormat: 'YYYY-MM-DD', layout: 'ISO 8601' })
    expect(detect(typed).evidence.ambiguous).to.equal(false)
  })
})

describe('A given type', () => {
  it('is held to whatever the values are', () => {
    for (const type of ['text', 'number', 'date', 'boolean', 'json'] as const) {
      expect(detect(['1', 'abc'], {}, { type }).decision).to.include({ type, given: true })
    }
  })

  it('number takes identifiers, and is numeric where nothing is known', () => {
    expect(detect(['007', '+12'], {}, { type: 'number' }).decision.sqlType).to.equal('bigint')
    expect(
      detect(['007', '1234567890123456789'], {}, { type: 'number' }).decision.sqlType,
    ).to.equal('numeric')
    expect(detect([''], {}, { type: 'number' }).decision.sqlType).to.equal('numeric')
  })

  it('number is read the way most of its values allow', () => {
    expect(detect(['1,5', '2,5', '1.5', 'x'], {}, { type: 'number' }).decision).to.include({
      notation: 'comma-decimal',
    })
  })

  it('date has the format that was named, else the one that reads most', () => {
    const values = ['01/25/2024', 'x', 'y', 'z']
    expect(detect(values, {}, { type: 'date', dateFormat: 'DD/MM/YYYY' }).decision).to.include({
      dateFormat: 'DD/MM/YYYY',
      layout: null,
    })
    expect(detect(values, {}, { type: 'date' }).decision).to.include({ dateFormat: 'MM/DD/YYYY' })
    expect(detect([], {}, { type: 'date' }).decision).to.include({ dateFormat: 'YYYY-MM-DD' })
  })
})

describe('A pattern', () => {
  const date = { type: 'date' } as const
  const asGiven = (values: Values, pattern: string) =>
    detect(values, {}, { ...date, pattern }).decision

  it('tells whether its column has times, and leaves other dates to the layouts', () => {
    expect(asGiven(['20240131'], 'yyyyMMdd')).to.include({ sqlType: 'date', pattern: 'yyyyMMdd' })
    expect(asGiven(['202401310900'], 'yyyyMMddHHmm').type).to.equal('date')
    expect(asGiven(['202401310900'], 'yyyyMMddHHmm').sqlType).to.equal('timestamptz')
    expect(asGiven(['31/01/2024 09:00'], 'yyyyMMdd').sqlType).to.equal('timestamptz')
  })

  it('is a candidate, and what it does not read is counted', () => {
    const values = ['20240131', '20240201', '03/01/2024', '19000101', 'x']
    const { evidence } = detect(values, {}, { ...date, pattern: 'yyyyMMdd' })
    expect(evidence).to.deep.include({ sampled: 4, fallbackParsed: 1, ambiguous: false })
    expect(evidence.nulls).to.deep.equal({ 'excel-day-one': 1 })
    expect(evidence.candidates).to.deep.include({ type: 'date', format: 'yyyyMMdd', accepted: 2 })
    expect(evidence.counterExample).to.include({ value: '03/01/2024' })
    expect(evidence).not.to.have.property('fittingPattern')
  })

  const proposed: [values: Values, pattern: string | undefined][] = [
    [['20240131', '20240201'], 'yyyyMMdd'],
    [[cell('number', '20240131')], 'yyyyMMdd'],
    [['31012024', '01022024'], 'ddMMyyyy'],
    [['3 mars 2024', '1er mai 2024'], 'd MMMM yyyy'],
    [['3 mars 2024', '14 juil. 2024'], 'd MMM yyyy'],
    [['May 3, 2024'], 'MMMM d, yyyy'],
    [['05-DEC-23', '06-JAN-24'], 'd-MMM-yy'],
    [['5/3/2024 9h05'], "d/M/yyyy H'h'mm"],
    [[...times(8, '3 mars 2024'), 'x', 'y'], 'd MMMM yyyy'],
    [[...times(7, '3 mars 2024'), 'x', 'y'], undefined],
    [['31/01/2024', '20240131'], undefined],
    [['18240131', '20240231', '75011000'], undefined],
    [['Brest', 'Nîmes'], undefined],
    [['', null], undefined],
  ]
  for (const [values, pattern] of proposed) {
    it(`${pattern ?? 'none'} is proposed for ${JSON.stringify(values)}`, () => {
      expect(detect(values).evidence.fittingPattern).to.equal(pattern)
    })
  }

  it('is proposed for a given date, and for no other given type', () => {
    expect(detect(['20240131'], {}, date).evidence.fittingPattern).to.equal('yyyyMMdd')
    expect(detect(['20240131'], {}, { type: 'text' }).evidence).not.to.have.property(
      'fittingPattern',
    )
  })
})

describe('The evidence for a column', () => {
  it('counts what each candidate accepted, best first', () => {
    const { evidence } = detect(['01/02/2024', '25/01/2024', '3', 'x'])
    expect(evidence.sampled).to.equal(4)
    expect(evidence.candidates).to.deep.equal([
      { type: 'date', format: 'DD/MM/YYYY', accepted: 2 },
      { type: 'number', format: 'plain', accepted: 1 },
      { type: 'date', format: 'MM/DD/YYYY', accepted: 1 },
      { type: 'text', accepted: 4 },
    ])
  })

  it('counts no more cells for text than there were values', () => {
    const { evidence } = detect(['1', '2', '-', ''])
    expect(evidence.sampled).to.equal(2)
    expect(evidence.candidates).to.deep.equal([
      { type: 'number', format: 'plain', accepted: 2 },
      { type: 'text', accepted: 2 },
    ])
  })

  it('points at the first cell that the best candidate did not accept', () => {
    expect(detect(['1', '2', '3', 'abc', 'def']).evidence.counterExample).to.deep.equal({
      row: 4,
      value: 'abc',
    })
    expect(detect(['1', '2']).evidence.counterExample).to.equal(null)
  })

  it('has lines and places where the reader knows them', () => {
    const batch = { ...columnOf(['1', '2', 'x']), lines: Int32Array.of(5, 6, 9) }
    const context = createValueContext({}, null)
    const detector = new TypeDetector(context, null, (_, row) => `Feuil1!A${row + 2}`)
    detector.observe(batch, 0)
    expect(detector.decide().evidence.counterExample).to.deep.equal({
      row: 3,
      line: 9,
      place: 'Feuil1!A4',
      value: 'x',
    })
  })

  it('counts NULL cells by rule', () => {
    const values = ['31/01/2024', '', null, 'null', '0', '1970-01-01', '30/12/1899', '1900-01-01']
    expect(detect(values).evidence.nulls).to.deep.equal({
      blank: 2,
      'null-text': 1,
      zero: 1,
      epoch: 1,
      'excel-day-zero': 1,
      'excel-day-one': 1,
    })
    expect(detect(['1', 'N/A', '']).evidence.nulls).to.deep.equal({ blank: 1, 'well-known': 1 })
    expect(detect(['a', 'N/A', 'null', '']).evidence.nulls).to.deep.equal({ blank: 1 })
  })

  it('counts dates that only another format reads', () => {
    const values = [...times(8, '25/01/2024'), '01/25/2024', '2024-01-25']
    expect(detect(values).evidence.fallbackParsed).to.equal(2)
  })

  it('tells when the sign of a number could not be told', () => {
    expect(detect(['1,234'], { decimalHint: ',' })).to.have.nested.property(
      'evidence.ambiguous',
      true,
    )
    expect(detect(['1,234'], { decimalHint: ',' }).decision.sqlType).to.equal('numeric')
    expect(detect(['1,234']).decision.sqlType).to.equal('bigint')
    expect(detect(['1,234', '1,5']).evidence.ambiguous).to.equal(false)
    expect(detect(['1,234'], { decimal: '.' }).evidence.ambiguous).to.equal(false)
  })

  it('is found in time in proportion to the length of a value, whatever that looks like', async () => {
    for (const part of ['9', '01/', '2024-01-31T', ' 1', '1,234', '1 ', '-', 'oui', 'null', '{"']) {
      const long = part.repeat(100_000 / part.length)
      const growth = await growthTenfold((length) => detect([long.slice(0, length)]))
      expect(growth, part).to.be.below(IN_PROPORTION)
    }
  })
})
