import { expect } from 'chai'

import { nextRun, requireTimes } from '../../../src/domain/schedules/next-run.ts'
import { type Problem, ValidationException } from '../../../src/errors/index.ts'

const times = (cron: string, timezone: string, after: string, count = 3): string[] => {
  const found: string[] = []
  let at = new Date(after)
  for (let turn = 0; turn < count; turn++) {
    at = nextRun({ cron, timezone }, at)
    found.push(at.toISOString())
  }
  return found
}

describe('the next run of a schedule', () => {
  it('comes at its hour in its own time zone, before and after the clocks change', () => {
    expect(times('0 6 * * *', 'Europe/Paris', '2026-03-28T00:00:00Z')).to.deep.equal([
      '2026-03-28T05:00:00.000Z',
      '2026-03-29T04:00:00.000Z',
      '2026-03-30T04:00:00.000Z',
    ])
  })

  it('comes right after an hour that the clocks leave out', () => {
    expect(times('30 2 * * *', 'Europe/Paris', '2026-03-28T12:00:00Z', 2)).to.deep.equal([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ])
  })

  it('comes once where the clocks repeat an hour', () => {
    expect(times('30 2 * * *', 'Europe/Paris', '2026-10-24T12:00:00Z', 2)).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ])
  })

  it('is after the given moment, never at it', () => {
    expect(times('*/15 * * * *', 'UTC', '2026-01-01T00:15:00.000Z', 1)).to.deep.equal([
      '2026-01-01T00:30:00.000Z',
    ])
  })

  it('ignores spaces around its five fields', () => {
    const cron = '  0 6 * * *  '
    requireTimes({ cron, timezone: 'UTC' })
    expect(times(cron, 'UTC', '2026-01-01T00:00:00Z', 1)).to.deep.equal([
      '2026-01-01T06:00:00.000Z',
    ])
  })

  for (const [cron, timezone, pointer] of [
    ['0 6 * *', 'UTC', '/cron'],
    ['0 0 6 * * *', 'UTC', '/cron'],
    ['@daily', 'UTC', '/cron'],
    ['61 6 * * *', 'UTC', '/cron'],
    ['0 0 31 2 *', 'UTC', '/cron'],
    ['tous les jours à 6 h', 'UTC', '/cron'],
    ['', 'UTC', '/cron'],
    ['0 6 * * *', 'Europe/Atlantis', '/timezone'],
    ['0 6 * * *', '', '/timezone'],
  ] as const) {
    it(`is not that of «${cron}» in «${timezone}»`, () => {
      let refusal: unknown
      try {
        requireTimes({ cron, timezone })
      } catch (error) {
        refusal = error
      }
      expect(refusal).to.be.instanceOf(ValidationException)
      const { errors = [] } = (refusal as Problem).extras
      expect(errors.map((error) => 'pointer' in error && error.pointer)).to.deep.equal([pointer])
    })
  }
})
