import { expect } from 'chai'

import { judgeCells } from '../../../src/stack/read/count-broken.ts'

/** More states than are kept, so all of its steps are tried at each character. */
const SLOW = '[ab]*a[ab]{100}z'
/** It takes a second or so, and a turn some milliseconds of it. */
const FEWEST_TURNS = 10
const HEADER_BYTES = 19

/** As COPY sends one column. */
async function* copied(...cells: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.alloc(HEADER_BYTES)
  for (const cell of cells) {
    const row = Buffer.alloc(6 + cell.length)
    row.writeInt16BE(1)
    row.writeInt32BE(cell.length, 2)
    row.write(cell, 6)
    yield row
  }
}

/** Letters of which no states come again. */
function disordered(length: number): string {
  let seed = 1
  const next = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0)
  return Array.from({ length }, () => (next() & 0x1_0000 ? 'a' : 'b')).join('')
}

describe('rules that are tried on what is loaded, of a long value', () => {
  it('let others have their turn in the middle of it', async () => {
    const long = disordered(256 * 1024)
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const column = { type: 'text', sqlType: 'text' } as const
    const { judged, found } = await judgeCells(
      copied(long, `${long}a${'b'.repeat(100)}z`),
      column,
      [{ matches: SLOW }],
    )
    isOver = true
    expect(judged).to.equal(2)
    expect(found.map(({ count: broken }) => broken)).to.deep.equal([1])
    expect(turns).to.be.at.least(FEWEST_TURNS)
  })
})
