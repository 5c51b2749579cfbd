import { expect } from 'chai'

import { retryAfterSeconds } from '../../../src/connectors/formulaires/retry-after.ts'
import { withRetries, type RetryPolicy } from '../../../src/connectors/formulaires/retry.ts'
import { type HeldClock, holdClock } from '../../support/held-clock.ts'

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)

describe('Retry-After', () => {
  for (const [header, seconds] of [
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['999999999', 86_400],
    ['9'.repeat(500), 86_400],
    ['Thu, 01 Jan 2026 12:01:30 GMT', 90],
    ['Thursday, 01-Jan-26 12:00:05 GMT', 5],
    ['Thu Jan  1 12:02:00 2026', 120],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    [null, null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['2026', 2026],
    [`Thu, ${'9'.repeat(5000)}`, null],
  ] as const) {
    it(`${header?.slice(0, 40)} means ${seconds}`, () => {
      expect(retryAfterSeconds(header, NOW)).to.equal(seconds)
    })
  }
})

describe('retries', () => {
  const policy: RetryPolicy = {
    attempts: 4,
    baseDelayMs: 20,
    maxDelayMs: 30,
    maxRetryAfterMs: 1000,
    retryTooSlow: false,
  }
  const after = (attempt: () => Promise<never>, random: () => number, clock: HeldClock) =>
    withRetries(attempt, {
      policy,
      signal: stop.signal,
      judge: () => ({ kind: 'again', afterSeconds: null }),
      random,
      clock,
    }).catch((error: unknown) => error)

  let stop: AbortController
  let attempts: number
  const fails = async () => {
    attempts++
    throw new Error('no')
  }
  beforeEach(() => {
    stop = new AbortController()
    attempts = 0
  })

  it('end after the last attempt, and back off up to the longest delay', async () => {
    const clock = holdClock()
    const outcome = after(fails, () => 1, clock)
    for (const waitMs of [20, 30, 30]) {
      await clock.waiting(1)
      clock.advance(waitMs)
    }
    expect(await outcome).to.have.property('message', 'no')
    expect(attempts).to.equal(4)
    expect(clock.waits).to.deep.equal([20, 30, 30])
  })

  it('come after any part of the delay, down to none, by chance', async () => {
    const clock = holdClock()
    const chances = [0.5, 0.1, 0]
    const outcome = after(fails, () => chances.shift()!, clock)
    for (let attempt = 0; attempt < 3; attempt++) {
      await clock.waiting(1)
      clock.advance(30)
    }
    await outcome
    expect(clock.waits).to.deep.equal([10, 3, 0])
  })

  it('end while they wait, with the reason of the signal', async () => {
    const clock = holdClock()
    const outcome = after(fails, () => 1, clock)
    await clock.waiting(1)
    stop.abort(new Error('cancelled'))
    expect(await outcome).to.equal(stop.signal.reason)
    expect(attempts).to.equal(1)
  })
})
