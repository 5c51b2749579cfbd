import { expect } from 'chai'
import * as fc from 'fast-check'
import { DateTime } from 'luxon'

import { UI_DATE_FORMATS, type UiDateFormat } from '../../../pipelines/core/options.ts'
import { LAYOUTS } from '../../../pipelines/dates/formats.ts'
import { DateScanner } from '../../../pipelines/dates/scan-date.ts'
import type { DateDecision } from '../../../pipelines/encoders/column-decision.ts'
import { growthTenfold, IN_PROPORTION } from '../../support/processor-time.ts'
import { cell, storedAs, storing, type Cell } from '../cells.ts'

function dates(dateFormat: UiDateFormat, sqlType: 'date' | 'timestamptz' = 'date'): DateDecision {
  return { type: 'date', sqlType, given: true, dateFormat, layout: null }
}

function day(text: string | Cell, format: UiDateFormat = 'DD/MM/YYYY'): string {
  return storedAs(dates(format), text)
}

function instant(text: string | Cell, timezone = 'UTC'): string {
  return storedAs(dates('YYYY-MM-DD', 'timestamptz'), text, { timezone })
}

/**
 * Of all long texts together: one that takes the square of its length takes far longer than all others.
 * Only reading is measured: a collection of the heap for 100 KB that were made may take longer.
 */
function growthOf(prepare: (part: string) => () => string): Promise<number> {
  const prepared = new Map<number, readonly (() => string)[]>()
  return growthTenfold((length) => {
    const reads = prepared.get(length) ?? LONG_TEXTS.map((text) => prepare(text.slice(0, length)))
    prepared.set(length, reads)
    for (const read of reads) read()
  })
}

const LONG_TEXTS = [
  ...['9', '0', '01/', '1-', '1.', '2024-01-31T', '2024-01-31T10:00:00.', ' 1', '31/01/2024 '].map(
    (text) => text.repeat(100_000 / text.length),
  ),
  `2024-01-31T10:00:00.${'1'.repeat(100_000)}x`,
  `31/01/2024${' '.repeat(100_000)}x`,
  `2024-01-31T10:00:00${'+01:00'.repeat(16_000)}`,
]

describe('A date', () => {
  const days: [text: string, day: string][] = [
    ['2024-01-31', '"2024-01-31"'],
    ['2024/01/31', '"2024-01-31"'],
    ['31/01/2024', '"2024-01-31"'],
    ['31/01/24', '"2024-01-31"'],
    ['01/31/2024', '"2024-01-31"'],
    ['31-01-2024', '"2024-01-31"'],
    ['01-31-2024', '"2024-01-31"'],
    ['31.01.2024', '"2024-01-31"'],
    ['5/3/2024', '"2024-03-05"'],
    [' 05/03/2024\u00a0', '"2024-03-05"'],
    ['01/01/69', '"2069-01-01"'],
    ['02/01/70', '"1970-01-02"'],
    ['31/12/99', '"1999-12-31"'],
    ['01/01/00', '"2000-01-01"'],
    ['29/02/2024', '"2024-02-29"'],
    ['29/02/2000', '"2000-02-29"'],
    ['0001-01-01', '"0001-01-01"'],
    ['9999-12-31', '"9999-12-31"'],
  ]
  for (const [text, expected] of days) {
    it(`reads ${text}`, () => expect(day(text)).to.equal(expected))
  }

  const invalid = [
    '31/02/2024',
    '29/02/2023',
    '29/02/1900',
    '00/01/2024',
    '01/00/2024',
    '32/01/2024',
    '13/13/2024',
    '0000-01-01',
    '20240131',
    '2024-01',
    '2024-031',
    '2024-W05-1',
    '31/01-2024',
    '31/01/2024x',
    '31/01/024',
    '1/1/1',
    '31 01 2024',
    '2024-01-31T25:00',
    '2024-01-31T10:60',
    '2024-01-31T10:00:60',
    '2024-01-31T10',
    '31/01/2024 10:00Z',
    '31/01/2024 10:00:00.5',
    '2024-01-31T10:00:00.',
    '2024-01-31T10:00+2',
    '2024-01-31T10:00+25:00',
    '2024-01-31T24:00:01',
    '31.01.24',
    'N/A',
    '-',
    '1',
    'hier',
  ]
  for (const text of invalid) {
    it(`is not ${text}`, () => expect(day(text)).to.equal('invalid'))
  }

  const instants: [text: string, instant: string][] = [
    ['2024-01-31T10:20', '"2024-01-31T10:20:00.000Z"'],
    ['2024-01-31 10:20:30', '"2024-01-31T10:20:30.000Z"'],
    ['2024-01-31T10:20:30Z', '"2024-01-31T10:20:30.000Z"'],
    ['2024-01-31T10:20:30.5Z', '"2024-01-31T10:20:30.500Z"'],
    ['2024-01-31T10:20:30,123456789+02:00', '"2024-01-31T08:20:30.123Z"'],
    ['2024-01-31T10:20:30+0200', '"2024-01-31T08:20:30.000Z"'],
    ['2024-01-31T10:20:30-05', '"2024-01-31T15:20:30.000Z"'],
    ['2024-01-31 10:20:30 +0200', '"2024-01-31T08:20:30.000Z"'],
    ['2024-01-31T24:00:00Z', '"2024-02-01T00:00:00.000Z"'],
    ['31/01/2024 10:20', '"2024-01-31T10:20:00.000Z"'],
    ['31/01/2024 9:05', '"2024-01-31T09:05:00.000Z"'],
    ['31/01/24 10:20:30', '"2024-01-31T10:20:30.000Z"'],
    ['31.01.2024 10:20:30', '"2024-01-31T10:20:30.000Z"'],
    ['1500-06-15T12:00:00Z', '"1500-06-15T12:00:00.000Z"'],
    ['9999-12-31T23:59:59.999Z', '"9999-12-31T23:59:59.999Z"'],
    ['9999-12-31T23:59:59-01:00', 'invalid'],
    ['0001-01-01T00:00:00+01:00', 'invalid'],
    ['2024-01-31', '"2024-01-31T00:00:00.000Z"'],
  ]
  for (const [text, expected] of instants) {
    it(`with a time reads ${text}`, () => {
      const stored = instant(text)
      expect(stored).to.equal(expected)
    })
  }

  it('is read by the named format before any other', () => {
    expect(day('03/04/2024', 'DD/MM/YYYY')).to.equal('"2024-04-03"')
    expect(day('03/04/2024', 'MM/DD/YYYY')).to.equal('"2024-03-04"')
    expect(day('03/04/2024', 'YYYY-MM-DD')).to.equal('"2024-04-03"')
  })

  it('is read by the layouts of the named format before any other', () => {
    expect(day('03-04-2024', 'MM/DD/YYYY')).to.equal('"2024-03-04"')
    expect(day('03.04.2024', 'DD-MM-YYYY')).to.equal('"2024-04-03"')
    expect(day('03/04/24', 'MM/DD/YYYY')).to.equal('"2024-04-03"')
  })

  it('in canonical text is read as such whatever the format', () => {
    expect(day(cell('date', '2024-01-31'), 'DD/MM/YYYY')).to.equal('"2024-01-31"')
  })

  it('with a time asks a column of days to widen', () => {
    expect(day('31/01/2024 00:00')).to.equal('misfit')
  })

  it('is not a number, a boolean or JSON', () => {
    expect(day(cell('number', '45000'))).to.equal('invalid')
    expect(day(cell('boolean', 'true'))).to.equal('invalid')
    expect(day(cell('json', '["2024-01-31"]'))).to.equal('invalid')
  })

  for (const format of UI_DATE_FORMATS) {
    it(`of 100 KB takes time in proportion to its length, as ${format}`, async () => {
      for (const text of LONG_TEXTS) expect(day(text, format)).to.equal('invalid')
      const growth = await growthOf((part) => storing(dates(format), part))
      expect(growth).to.be.below(IN_PROPORTION)
    })
  }

  it('of 100 KB with a time takes time in proportion to its length', async () => {
    const growth = await growthOf((part) =>
      storing(dates('YYYY-MM-DD', 'timestamptz'), part, { timezone: 'Pacific/Auckland' }),
    )
    expect(growth).to.be.below(IN_PROPORTION)
  })
})

describe('Reading dates', () => {
  const moment = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  const LUXON = {
    'ISO 8601': "yyyy-MM-dd'T'HH:mm:ss.SSSZZ",
    'YYYY-MM-DD': 'yyyy-MM-dd',
    'YYYY/MM/DD': 'yyyy/MM/dd',
    'DD/MM/YYYY': 'dd/MM/yyyy',
    'DD/MM/YY': 'dd/MM/yy',
    'MM/DD/YYYY': 'MM/dd/yyyy',
    'DD-MM-YYYY': 'dd-MM-yyyy',
    'MM-DD-YYYY': 'MM-dd-yyyy',
    'DD.MM.YYYY': 'dd.MM.yyyy',
  }

  it('agrees with luxon on what every layout writes', () => {
    const layouts = fc.constantFrom(...LAYOUTS.slice(1))
    fc.assert(
      fc.property(moment, layouts, fc.boolean(), (date, layout, timed) => {
        const short = layout.yearDigits === 2
        fc.pre(!short || (date.getUTCFullYear() >= 1971 && date.getUTCFullYear() < 2070))
        fc.pre(!isPlaceholder(date))
        const format = `${LUXON[layout.name]}${timed ? ' HH:mm:ss' : ''}`
        const text = DateTime.fromJSDate(date, { zone: 'utc' }).toFormat(format)
        const iso = `${date.toISOString().slice(0, timed ? 19 : 10)}${timed ? '' : 'T00:00:00'}.000Z`
        const decision: DateDecision = {
          ...dates(layout.shownAs, 'timestamptz'),
          layout: layout.name,
        }
        expect(storedAs(decision, text)).to.equal(`"${iso}"`)
      }),
    )
  })

  it('agrees with luxon on ISO 8601 with zones', () => {
    const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(moment, minutes, (date, offset) => {
        fc.pre(!isPlaceholder(date))
        const text = DateTime.fromJSDate(date)
          .setZone(`UTC${sign(offset)}`)
          .toISO()!
        expect(instant(text)).to.equal(`"${date.toISOString()}"`)
      }),
    )
  })

  it('accepts no impossible day, and every possible one', () => {
    const scanner = new DateScanner()
    const field = fc.integer({ min: 0, max: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), field, field, (year, month, date) => {
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(date, 2)}`
        const bytes = Buffer.from(text)
        expect(scanner.scan(bytes, 0, bytes.length) !== 0).to.equal(DateTime.fromISO(text).isValid)
      }),
      { numRuns: 1000 },
    )
  })

  it('never reads past the cell', () => {
    const bytes = Buffer.from('2024-01-3110:00')
    expect(new DateScanner().scan(bytes, 0, 9)).to.not.equal(0)
    expect(new DateScanner().scan(bytes, 0, 7)).to.equal(0)
    expect(new DateScanner().scan(bytes, 0, 0)).to.equal(0)
  })
})

function isPlaceholder(date: Date): boolean {
  const written = date.toISOString().slice(0, 10)
  return ['1899-12-30', '1900-01-01', '1970-01-01', '1969-12-31', '1970-01-02'].includes(written)
}

function sign(minutes: number): string {
  const absolute = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${Math.floor(absolute / 60)}:${pad(absolute % 60, 2)}`
}

function pad(value: number, width: number): string {
  return value.toString().padStart(width, '0')
}
