import { expect } from 'chai'
import * as fc from 'fast-check'

import { chooseMerge } from '../../src/stack/keep/housekeeping.ts'

interface Part {
  readonly rowCount: number
  /** How often its rows have been copied at most. */
  readonly copies: number
}

/** What a table is like after loads of these sizes, each followed by the mergers it asks for. */
function append(sizes: readonly number[]): { parts: Part[]; mostParts: number } {
  let parts: Part[] = []
  let mostParts = 0
  for (const rowCount of sizes) {
    parts.push({ rowCount, copies: 0 })
    for (;;) {
      const chosen = chooseMerge(parts)
      if (chosen.length === 0) break
      const merged = {
        rowCount: chosen.reduce((sum, part) => sum + part.rowCount, 0),
        copies: Math.max(...chosen.map(({ copies }) => copies)) + 1,
      }
      parts = [...parts.slice(0, parts.length - chosen.length), merged]
    }
    mostParts = Math.max(mostParts, parts.length)
  }
  return { parts, mostParts }
}

describe('which partitions of a table are merged', () => {
  it('are none while there are few', () => {
    expect(chooseMerge(Array.from({ length: 7 }, () => ({ rowCount: 5 })))).to.deep.equal([])
    expect(chooseMerge([])).to.deep.equal([])
  })

  it('are the last ones, none of them much larger than all those after it', () => {
    const sizes = [800_000, 90_000, 4000, 30, 5, 5, 5, 5]
    const parts = sizes.map((rowCount) => ({ rowCount }))
    expect(chooseMerge(parts).map(({ rowCount }) => rowCount)).to.deep.equal([30, 5, 5, 5, 5])
  })

  it('are never large ones, nor ones before a large one', () => {
    const parts = [1, 1, 1, 1, 5_000_000, 1, 1, 1, 1, 1, 1].map((rowCount) => ({ rowCount }))
    expect(chooseMerge(parts)).to.deep.equal([])
    const more = [...parts, { rowCount: 1 }, { rowCount: 1 }]
    expect(chooseMerge(more)).to.have.length(8)
  })

  it('keep their number small, and copy no row often, whatever the sizes', () => {
    const size = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 200_000 }))
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 1500 }), (sizes) => {
        const { parts, mostParts } = append(sizes)
        const rows = parts.reduce((sum, { rowCount }) => sum + rowCount, 0)
        expect(rows).to.equal(sizes.reduce((sum, one) => sum + one, 0))
        const large = parts.filter(({ rowCount }) => rowCount >= 1_000_000).length
        expect(mostParts - large).to.be.below(40)
        expect(Math.max(...parts.map(({ copies }) => copies))).to.be.below(30)
      }),
    )
  })

  it('leave a thousand small appends in less than ten partitions', () => {
    const { mostParts, parts } = append(Array.from({ length: 1000 }, () => 10))
    expect(mostParts).to.be.below(10)
    expect(Math.max(...parts.map(({ copies }) => copies))).to.be.below(150)
  })
})
