import { expect } from 'chai'
import * as fc from 'fast-check'
import { DateTime } from 'luxon'

import { DatePattern, faultOfPattern } from '../../../pipelines/dates/date-pattern.ts'
import { USUAL_PATTERNS } from '../../../pipelines/dates/usual-patterns.ts'
import type { DateDecision } from '../../../pipelines/encoders/column-decision.ts'
import { cell, storedAs, type Cell } from '../cells.ts'

const DAY_MILLISECONDS = 86_400_000

const column = (pattern: string, sqlType: DateDecision['sqlType'] = 'date'): DateDecision => ({
  type: 'date',
  sqlType,
  given: true,
  dateFormat: 'YYYY-MM-DD',
  layout: null,
  pattern,
})

/** ISO 8601 of what a pattern reads; null where it reads nothing. */
function read(pattern: string, text: string): string | null {
  const reader = new DatePattern(pattern)
  const bytes = Buffer.from(`<${text}>`)
  if (!reader.read(bytes, 1, bytes.length - 1)) return null
  const seconds = reader.secondOfDay - reader.zoneOffset
  const instant = new Date(reader.dayNumber * DAY_MILLISECONDS + seconds * 1000)
  const iso = instant.toISOString()
  return reader.hasTime ? iso.slice(0, 19) : iso.slice(0, 10)
}

describe('The pattern of a date', () => {
  const dates: [pattern: string, text: string, iso: string | null][] = [
    ['yyyyMMdd', '20240131', '2024-01-31'],
    ['yyyyMMdd', '20240231', null],
    ['yyyyMMdd', '2024131', null],
    ['yyyyMMdd', '202401310', null],
    ['yyMMdd', '240131', '2024-01-31'],
    ['yyMMdd', '700131', '1970-01-31'],
    ['ddMMyyyy', '29022024', '2024-02-29'],
    ['d MMM yyyy', '3 mars 2024', '2024-03-03'],
    ['d MMM yyyy', '03 Févr. 2024', '2024-02-03'],
    ['d MMM yyyy', '03 fevrier 2024', '2024-02-03'],
    ['d MMM yyyy', '15 AOÛT 2024', '2024-08-15'],
    ['d MMM yyyy', '15 aou\u0302t 2024', '2024-08-15'],
    ['d MMM yyyy', '3\u00a0 Sept 2024', '2024-09-03'],
    ['d MMM yyyy', '1er janvier 2024', '2024-01-01'],
    ['d MMM yyyy', '1ex janvier 2024', null],
    ['d MMM yyyy', '3mars 2024', null],
    ['d MMM yyyy', '3 brumaire 2024', null],
    ['d MMM. yyyy', '3 janv. 2024', '2024-01-03'],
    ['d MMMM yyyy', '14 juillet 2024', '2024-07-14'],
    ['d MMMM yyyy', '14 juil. 2024', null],
    ['MMMM d, yyyy', 'May 2nd, 2024', '2024-05-02'],
    ['dd-MMM-yy', '05-DEC-23', '2023-12-05'],
    ['EEEE d MMMM yyyy', 'mercredi 31 janvier 2024', '2024-01-31'],
    ['EEE d MMM yyyy', 'Wed 31 Jan 2024', '2024-01-31'],
    ['EEEE d MMMM yyyy', 'lundi 31 janvier 2024', null],
    ['EEEE d MMMM yyyy', 'mercredi 31 décembre 1969', '1969-12-31'],
    ['MM/yyyy', '02/2024', '2024-02-01'],
    ['yyyy', '2024', '2024-01-01'],
    ["'le' d/M/yyyy", 'LE 5/3/2024', '2024-03-05'],
    ["d/M/yyyy 'à' H'h'mm", '5/3/2024 à 9h05', '2024-03-05T09:05:00'],
    ["yyyy''MM''dd", "2024'01'31", '2024-01-31'],
    ['M/d/yyyy h:mm a', '1/31/2024 12:05 AM', '2024-01-31T00:05:00'],
    ['M/d/yyyy h:mm a', '1/31/2024 12:05 p.m', null],
    ['M/d/yyyy h:mm a', '1/31/2024 12:05 pm', '2024-01-31T12:05:00'],
    ['M/d/yyyy h:mm a', '1/31/2024 13:05 pm', null],
    ['yyyyMMddHHmmss', '20240131235959', '2024-01-31T23:59:59'],
    ['yyyyMMddHHmmss', '20240131245959', null],
    ['yyyyMMddHHmm ZZ', '202401312359 +02:00', '2024-01-31T21:59:00'],
    ['yyyyMMddHHmm ZZ', '202401312359 -0130', '2024-02-01T01:29:00'],
    ['yyyyMMddHHmmZZ', '202401312359Z', '2024-01-31T23:59:00'],
    ['yyyyMMddHHmm ZZ', '202401312359 +02:', null],
    ['yyyyMMddHHmm ZZ', '202401312359 2', null],
  ]
  for (const [pattern, text, iso] of dates) {
    it(`${pattern} reads «${text}» as ${iso ?? 'no date'}`, () => {
      expect(faultOfPattern(pattern)).to.equal(null)
      expect(read(pattern, text)).to.equal(iso)
    })
  }

  const faults: [pattern: string, said: RegExp][] = [
    ['YYYY-MM-DD', /“YYYY” has no meaning\. There are yyyy/],
    ['yyyy-MM-dd T', /“T” has no meaning/],
    ['yyyy-MM-dd yy', /“yyyy” and “yy” say the same/],
    ['yyyy MMM M', /“MMM” and “M” say the same/],
    ['yyyyMd', /where “M” ends and “d” begins/],
    ["yyyy-M'0'd", /where “M” ends and “'0'” begins/],
    ["d 'de MMMM yyyy", /a single quote is not closed/],
    ['d MMMM', /lacks “yyyy”\.$/],
    ['-', /lacks “yyyy”\.$/],
    ['d yyyy', /lacks “MM”, which “d” needs/],
    ['MM yyyy HH', /lacks “dd”, which “HH” needs/],
    ['d/M/yyyy mm', /lacks “HH”, which “mm” needs/],
    ['d/M/yyyy h:mm', /lacks “a”, which “h” needs/],
    ['d/M/yyyy HH:mm a', /lacks “h”, which “a” needs/],
  ]
  for (const [pattern, said] of faults) {
    it(`${pattern} is refused`, () => {
      expect(String(faultOfPattern(pattern))).to.match(said)
    })
  }

  const cells: [value: string | Cell, stored: string][] = [
    ['20240131', '"2024-01-31"'],
    [cell('number', '20240131'), '"2024-01-31"'],
    [cell('date', '2024-01-31'), '"2024-01-31"'],
    [' 19000101 ', 'excelDayOne'],
    ['18991230', 'excelDayZero'],
    ['19700101', 'epoch'],
    ['0', 'zero'],
    ['', 'blank'],
    ['31/01/2024', '"2024-01-31"'],
    ['20240231', 'invalid'],
    [cell('number', '12'), 'invalid'],
    [cell('boolean', 'true'), 'invalid'],
  ]
  for (const [value, stored] of cells) {
    const shown = typeof value === 'string' ? value : `the ${value.kind} ${value.text}`
    it(`makes of «${shown}» ${stored}`, () => {
      expect(storedAs(column('yyyyMMdd'), value)).to.equal(stored)
    })
  }

  it('reads a time where the column has its zone', () => {
    const timed = column('d MMM yyyy HH:mm', 'timestamptz')
    const options = { timezone: 'Europe/Paris' }
    expect(storedAs(timed, '3 juil. 2024 09:30', options)).to.equal('"2024-07-03T07:30:00.000Z"')
  })

  it('knows the point of an abbreviation from the point of the pattern', () => {
    for (const text of ['1.janv.1971', '1.janv..1971', '1.janvier.1971', '1.Jan.1971']) {
      expect(read('d.MMM.yyyy', text), text).to.equal('1971-01-01')
    }
    expect(read('d.MMM.yyyy', '1.janv...1971')).to.equal(null)
    expect(read('d MMM yyyy', '1 janv. 1971')).to.equal('1971-01-01')
    expect(read('MMM yyyy', 'janv.')).to.equal(null)
  })

  it('agrees with luxon on what the usual patterns write', () => {
    const moment = fc.date({
      min: new Date('1971-01-01'),
      max: new Date('2060-12-31'),
      noInvalidDate: true,
    })
    const language = fc.constantFrom('fr', 'en')
    fc.assert(
      fc.property(moment, fc.constantFrom(...USUAL_PATTERNS), language, (date, pattern, locale) => {
        const text = DateTime.fromJSDate(date, { zone: 'utc' }).setLocale(locale).toFormat(pattern)
        const back = DateTime.fromFormat(text, pattern, { zone: 'utc', locale })
        expect(back.isValid, text).to.equal(true)
        const expected = back.toISO()!.slice(0, 19)
        expect(read(pattern, text)).to.equal(expected.slice(0, read(pattern, text)?.length))
      }),
    )
  })
})
