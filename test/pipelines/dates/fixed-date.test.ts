import { expect } from 'chai'
import * as fc from 'fast-check'

import { FixedDate } from '../../../pipelines/dates/fixed-date.ts'
import { LAYOUTS } from '../../../pipelines/dates/formats.ts'
import { placeholderRule } from '../../../pipelines/dates/placeholders.ts'
import { DateScanner } from '../../../pipelines/dates/scan-date.ts'
import { Outcome } from '../../../pipelines/cells/outcome.ts'

const digit = fc.constantFrom(...'0123456789')
const field = (length: number) => fc.string({ unit: digit, minLength: length, maxLength: length })
const separator = fc.constantFrom('/', '-', '.')
const year = fc.oneof(field(4), fc.integer({ min: 1895, max: 2030 }).map(String))
const month = fc.integer({ min: 0, max: 13 }).map((value) => String(value).padStart(2, '0'))
const day = fc.integer({ min: 0, max: 32 }).map((value) => String(value).padStart(2, '0'))

const date = fc
  .tuple(separator, separator, year, month, day, fc.constantFrom('ymd', 'dmy', 'mdy'))
  .map(([first, second, y, m, d, order]) => {
    const fields = { y, m, d }
    const [one, two, three] = [...order].map((name) => fields[name as 'y' | 'm' | 'd'])
    return `${one}${first}${two}${second}${three}`
  })
const time = fc.oneof(
  fc.constant(''),
  fc
    .tuple(fc.constantFrom(' ', 'T', 't', '-'), field(2), field(2), field(2))
    .map(([gap, hour, minute, second]) => `${gap}${hour}:${minute}:${second}`),
)
/** Dates, and texts that differ from one in a single character. */
const text = fc
  .tuple(date, time, fc.option(fc.tuple(fc.nat(18), fc.constantFrom(...'0/:-. xé'))))
  .map(([dateText, timeText, change]) => {
    const whole = dateText + timeText
    return change === null
      ? whole
      : whole.slice(0, change[0]) + change[1] + whole.slice(change[0] + 1)
  })

describe('The quick way to read a date', () => {
  for (const [layout, { name, yearDigits }] of LAYOUTS.entries()) {
    if (yearDigits === 2) {
      it(`does not read ${name}, whose year has two digits`, () => {
        expect(FixedDate.of(layout)).to.equal(null)
      })
      continue
    }
    it(`reads as the scanner does, by ${name}`, () => {
      const fixed = FixedDate.of(layout)!
      const scanner = new DateScanner()
      fc.assert(
        fc.property(text, (written) => {
          const bytes = Buffer.from(written)
          if (!fixed.read(bytes, 0, bytes.length)) return
          const layouts = scanner.scan(bytes, 0, bytes.length)
          expect(layouts & (1 << layout), written).not.to.equal(0)
          expect(fixed.dayNumber, written).to.equal(scanner.dayNumber(layout))
          expect(fixed.hasTime, written).to.equal(scanner.hasTime)
          expect(fixed.secondOfDay, written).to.equal(scanner.secondOfDay)
          const utcSeconds = fixed.dayNumber * 86_400 + fixed.secondOfDay
          expect(placeholderRule(scanner, utcSeconds), written).to.equal(Outcome.stored)
        }),
        { numRuns: 2000 },
      )
    })
  }

  it('reads usual dates at any place of a buffer', () => {
    const fixed = FixedDate.of(LAYOUTS.findIndex(({ name }) => name === 'DD/MM/YYYY'))!
    const bytes = Buffer.from('x;29/02/2024 23:59:58;y')
    expect(fixed.read(bytes, 2, 21)).to.equal(true)
    expect(fixed).to.include({ dayNumber: 19_782, hasTime: true, secondOfDay: 86_398 })
    expect(fixed.read(bytes, 2, 12)).to.equal(true)
    expect(fixed).to.include({ dayNumber: 19_782, hasTime: false, secondOfDay: 0 })
  })

  it('leaves placeholders to the scanner', () => {
    const fixed = FixedDate.of(LAYOUTS.findIndex(({ name }) => name === 'DD/MM/YYYY'))!
    for (const written of ['01/01/1970', '30/12/1899', '01/01/1900', '31/12/1969 22:00:00']) {
      expect(fixed.read(Buffer.from(written), 0, written.length), written).to.equal(false)
    }
  })
})
