import { expect } from 'chai'

import type { DateDecision } from '../../../pipelines/encoders/column-decision.ts'
import { cell, storedAs, type Cell } from '../cells.ts'

const COLUMN: DateDecision = {
  type: 'date',
  sqlType: 'timestamptz',
  given: true,
  dateFormat: 'DD/MM/YYYY',
  layout: null,
}

function rule(value: string | Cell | null, timezone = 'UTC'): string {
  return storedAs(COLUMN, value, { timezone })
}

describe('In a date column', () => {
  const placeholders: [value: string | Cell | null, rule: string][] = [
    [null, 'blank'],
    ['', 'blank'],
    [' \t\u00a0\u2009', 'blank'],
    ['null', 'nullText'],
    [' NULL ', 'nullText'],
    ['Undefined', 'nullText'],
    ['0', 'zero'],
    [' 0 ', 'zero'],
    ['0.0', 'zero'],
    ['0,0', 'zero'],
    [cell('number', '0'), 'zero'],
    [cell('number', '0.0'), 'zero'],
    ['1970-01-01', 'epoch'],
    ['1970/01/01', 'epoch'],
    ['01/01/1970', 'epoch'],
    ['01/01/70', 'epoch'],
    ['1/1/1970', 'epoch'],
    ['01-01-1970', 'epoch'],
    ['01.01.1970', 'epoch'],
    ['01/01/1970 00:00', 'epoch'],
    ['1970-01-01T00:00:00.000Z', 'epoch'],
    ['1970-01-01T01:00:00Z', 'epoch'],
    ['1970-01-01T02:00:00Z', 'epoch'],
    ['1970-01-01T02:00:00.000+00:00', 'epoch'],
    ['1970-01-01T02:00:00+02:00', 'epoch'],
    ['1970-01-01T00:00:00+02:00', 'epoch'],
    ['1969-12-31T19:00:00-05:00', 'epoch'],
    ['1970-01-01T02:00:00.001Z', '"1970-01-01T02:00:00.001Z"'],
    ['1970-01-01T02:00:01Z', '"1970-01-01T02:00:01.000Z"'],
    ['1969-12-31T23:59:59Z', '"1969-12-31T23:59:59.000Z"'],
    ['1970-01-02', '"1970-01-02T00:00:00.000Z"'],
    [cell('date', '1970-01-01'), 'epoch'],
    ['1899-12-30', 'excelDayZero'],
    ['30/12/1899', 'excelDayZero'],
    ['12/30/1899', 'excelDayZero'],
    ['30.12.1899', 'excelDayZero'],
    ['1899-12-30T10:00:00Z', 'excelDayZero'],
    ['30/12/1899 23:59', 'excelDayZero'],
    ['1899-12-31', '"1899-12-31T00:00:00.000Z"'],
    ['1900-01-01', 'excelDayOne'],
    ['01/01/1900', 'excelDayOne'],
    ['1900-01-01 12:34:56', 'excelDayOne'],
    ['01/01/00', '"2000-01-01T00:00:00.000Z"'],
    ['N/A', 'invalid'],
    ['00', 'invalid'],
    ['0.00', 'invalid'],
    ['-', 'invalid'],
  ]
  for (const [value, expected] of placeholders) {
    const shown = typeof value === 'object' && value !== null ? `${value.text} (typed)` : value
    it(`${JSON.stringify(shown)} is ${expected}`, () => expect(rule(value)).to.equal(expected))
  }

  it('midnight of the epoch is a placeholder as written, whatever the time zone', () => {
    for (const timezone of ['Europe/Paris', 'America/New_York', 'Asia/Tokyo', 'Pacific/Apia']) {
      expect(rule('1970-01-01 00:00:00', timezone)).to.equal('epoch')
      expect(rule('1970-01-01', timezone)).to.equal('epoch')
    }
  })

  it('the epoch window is two hours of UTC, wherever the time was written', () => {
    expect(rule('01/01/1970 03:00', 'Europe/Paris')).to.equal('epoch')
    expect(rule('01/01/1970 03:01', 'Europe/Paris')).to.equal('"1970-01-01T02:01:00.000Z"')
    expect(rule('31/12/1969 19:30', 'America/New_York')).to.equal('epoch')
    expect(rule('01/01/1970 01:00', 'America/New_York')).to.equal('"1970-01-01T06:00:00.000Z"')
  })

  it('what the request names is NULL too', () => {
    expect(storedAs(COLUMN, ' ND ', { nullValues: ['ND'] })).to.equal('nullValue')
    expect(storedAs(COLUMN, 'nd', { nullValues: ['ND'] })).to.equal('invalid')
  })
})
