import { expect } from 'chai'
import * as fc from 'fast-check'
import { DateTime } from 'luxon'

import { EngineError } from '../../../pipelines/core/errors.ts'
import { ZoneClock } from '../../../pipelines/dates/zone-clock.ts'
import type { DateDecision } from '../../../pipelines/encoders/column-decision.ts'
import { storedAs } from '../cells.ts'

const COLUMN: DateDecision = {
  type: 'date',
  sqlType: 'timestamptz',
  given: true,
  dateFormat: 'YYYY-MM-DD',
  layout: null,
}

function paris(text: string): string {
  return storedAs(COLUMN, text, { timezone: 'Europe/Paris' })
}

describe('A time without a zone', () => {
  it("is in the request's time zone, in winter and in summer", () => {
    expect(paris('2024-01-31 10:00')).to.equal('"2024-01-31T09:00:00.000Z"')
    expect(paris('2024-07-31 10:00')).to.equal('"2024-07-31T08:00:00.000Z"')
  })

  it('keeps its own zone where it has one', () => {
    expect(paris('2024-01-31T10:00Z')).to.equal('"2024-01-31T10:00:00.000Z"')
  })

  it('that the clocks skipped is read with the offset before the change', () => {
    expect(paris('2024-03-31 01:59:59')).to.equal('"2024-03-31T00:59:59.000Z"')
    expect(paris('2024-03-31 02:30')).to.equal('"2024-03-31T01:30:00.000Z"')
    expect(paris('2024-03-31 03:00')).to.equal('"2024-03-31T01:00:00.000Z"')
  })

  it('that the clocks showed twice is read with the offset after the change', () => {
    expect(paris('2024-10-27 01:59:59')).to.equal('"2024-10-26T23:59:59.000Z"')
    expect(paris('2024-10-27 02:30')).to.equal('"2024-10-27T01:30:00.000Z"')
    expect(paris('2024-10-27 03:00')).to.equal('"2024-10-27T02:00:00.000Z"')
  })

  it('knows offsets of odd seconds, from before there were time zones', () => {
    expect(paris('1850-01-01 00:00')).to.equal('"1849-12-31T23:50:39.000Z"')
  })

  it('reads times around a day that a country skipped', () => {
    const clock = new ZoneClock('Pacific/Apia')
    const skipped = Date.UTC(2011, 11, 30) / 86_400_000
    expect(clock.offsetAt(skipped, 43_200)).to.equal(-10 * 3600)
    expect(clock.offsetAt(skipped + 1, 0)).to.equal(14 * 3600)
  })

  it('agrees with luxon wherever the clocks neither skip nor repeat', () => {
    const zones = ['Europe/Paris', 'America/New_York', 'Pacific/Auckland', 'Asia/Kolkata']
    const second = fc.integer({ min: -3_000_000_000, max: 4_000_000_000 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), second, (zone, local) => {
        const clock = new ZoneClock(zone)
        const day = Math.floor(local / 86_400)
        const offset = clock.offsetAt(day, local - day * 86_400)
        const back = DateTime.fromSeconds(local - offset, { zone })
        const others = back.getPossibleOffsets()
        fc.pre(others.length === 1 && Math.round(back.offset * 60) === offset)
        expect(back.toFormat('yyyy-MM-dd HH:mm:ss')).to.equal(
          DateTime.fromSeconds(local, { zone: 'utc' }).toFormat('yyyy-MM-dd HH:mm:ss'),
        )
      }),
    )
  })

  it('in an unknown zone is refused with the place of the option', () => {
    expect(() => new ZoneClock('Europe/Atlantis'))
      .to.throw(EngineError)
      .with.nested.property('problem.pointer', '/timezone')
  })
})
