import { expect } from 'chai'

import { type Contender, inTurns } from '../../benchmarks/support/in-turns.ts'

describe('benchmark contenders that run in turns', () => {
  it('lets a slow one stop before the others, which go on in their order', async () => {
    const order: string[] = []
    const contender = (name: string, mostRuns?: number): Contender => ({
      name,
      ...(mostRuns === undefined ? {} : { mostRuns }),
      prepare: async () => {
        order.push(`${name} made ready`)
      },
      run: async () => {
        order.push(name)
        return { ms: 1000 * order.length, peakRssBytes: null }
      },
    })
    const { fast, slow } = await inTurns({ fast: contender('fast'), slow: contender('slow', 1) }, 2)
    expect(order).to.deep.equal([
      'fast made ready',
      'fast',
      'slow made ready',
      'slow',
      'fast made ready',
      'fast',
    ])
    expect(fast.samples).to.deep.equal([2, 6])
    expect(slow.samples).to.deep.equal([4])
  })

  it('keeps the highest memory of all runs, and none where none is seen', async () => {
    const peaks = [50, 70, 60]
    const { ours, psql } = await inTurns(
      {
        ours: { name: '', run: async () => ({ ms: 1, peakRssBytes: peaks.shift()! }) },
        psql: { name: '', run: async () => ({ ms: 1, peakRssBytes: null }) },
      },
      3,
    )
    expect(ours.peakRssBytes).to.equal(70)
    expect(psql.peakRssBytes).to.equal(null)
  })
})
