import { expect } from 'chai'

import { retryAfterSeconds } from '../../../src/connectors/formulaires/retry-after.ts'
import { withRetries, type RetryPolicy } from '../../../src/connectors/formulaires/retry.ts'

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
  const failing = (random: () => number) => {
    const at: number[] = []
    const run = withRetries<number[]>(
      async () => {
        at.push(performance.now())
        throw new Error('no')
      },
      {
        policy,
        signal: new AbortController().signal,
        judge: () => ({ kind: 'again', afterSeconds: null }),
        random,
      },
    ).catch(() => at)
    return run
  }

  it('end after the last attempt, and back off up to the longest delay', async () => {
    const at = await failing(() => 1)
    expect(at).to.have.length(4)
    const waits = at.slice(1).map((time, index) => time - at[index]!)
    for (const [index, least] of [19, 29, 29].entries()) {
      expect(waits[index]).to.be.at.least(least)
      expect(waits[index]).to.be.below(least + 60)
    }
  })

  it('take the whole delay by chance, down to none', async () => {
    const at = await failing(() => 0)
    expect(at.at(-1)! - at[0]!).to.be.below(25)
  })
})
