import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'

import { SLOWEST, watchPace } from '../../src/time/clock.ts'
import { holdClock } from '../support/held-clock.ts'

const SECOND_MS = 1_000

describe('the pace of a client', () => {
  /** Lets so many seconds pass, in each of which so many bytes go through. */
  async function after(seconds: number, bytesASecond: number, isTheirTurn = true) {
    const clock = holdClock()
    let bytes = 0
    let cuts = 0
    using _watch = watchPace(
      { moved: () => bytes, isTheirTurn: () => isTheirTurn, tooSlow: () => void cuts++ },
      clock,
    )
    for (let second = 0; second < seconds; second++) {
      bytes += bytesASecond
      clock.advance(SECOND_MS)
      await nextTurn()
    }
    return cuts
  }

  it('may be the slowest that is allowed', async () => {
    expect(await after(180, SLOWEST.bytesPerSecond)).to.equal(0)
  })

  it('is too slow below that, over a minute', async () => {
    expect(await after(59, SLOWEST.bytesPerSecond - 1)).to.equal(0)
    expect(await after(60, SLOWEST.bytesPerSecond - 1)).to.equal(1)
  })

  it('is not judged while the service itself is slow', async () => {
    expect(await after(600, 0, false)).to.equal(0)
  })
})
