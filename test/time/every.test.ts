import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { every } from '../../src/time/clock.ts'

describe('work that is repeated at an interval', () => {
  it('is done again and again, never twice at once', async () => {
    let [atOnce, most, turns] = [0, 0, 0]
    const enough = Promise.withResolvers<void>()
    await using _repetition = every(1, async () => {
      most = Math.max(most, ++atOnce)
      await sleep(5)
      atOnce--
      if (++turns === 5) enough.resolve()
    })
    await enough.promise
    expect(most).to.equal(1)
  })

  it('has ended when its end was awaited, and does not start again', async () => {
    const begun = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    let turns = 0
    const repetition = every(1, async () => {
      turns++
      begun.resolve()
      await end.promise
    })
    await begun.promise
    const over = repetition[Symbol.asyncDispose]()
    end.resolve()
    await over
    expect(turns).to.equal(1)
  })
})
