import { tmpdir } from 'node:os'

import { expect } from 'chai'

import { type ColumnRule, createEngine } from '../../../pipelines/index.ts'
import { columnsGiven } from '../../../src/domain/shapes/shape-columns.ts'
import { expectationOfShape } from '../../../src/stack/fill/target-columns.ts'
import { patience } from '../../support/patience.ts'
import { bytesOf } from './loading.ts'

const PATTERNS = Array.from({ length: 50 }, (_, at): ColumnRule => ({
  matches: `z${at}[0-9]+`,
  severity: 'warning',
}))
/** More than once for each two patterns: they take some 4 ms a piece, and a turn 8. */
const FEWEST_TURNS = 10

/** How often others had their turn meanwhile. */
async function judge(csv: string) {
  const given = columnsGiven([{ name: 'note', type: 'text', rules: PATTERNS }], null)
  const shape = { ...given, heldColumns: [] }
  const expectation = expectationOfShape({ shape: shape as never, given: {} })
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    const shown = await createEngine({ tempDir: tmpdir() }).preview(
      bytesOf(csv),
      {},
      {
        limit: 20,
        expectation,
        signal: patience(),
      },
    )
    return { shown, turns }
  } finally {
    isOver = true
  }
}

describe('rules that look at much', () => {
  const MEGABYTE = 1024 * 1024

  it('let others have their turn in the middle of a cell, and of a row', async () => {
    const idle = await judge('note;n\nx;1\n')
    const long = await judge(`note;n\n${'x'.repeat(MEGABYTE)};1\n`)
    expect(long.turns - idle.turns).to.be.at.least(FEWEST_TURNS)
    expect(long.shown.byRule).to.deep.equal([])
  })

  it('say of a long value what they say of a short one, and of each row of its own', async () => {
    const long = 'x'.repeat(MEGABYTE)
    const { shown } = await judge(`note;n\n${long}z7;1\n${long}z71;2\nz71;3\n;4\n`)
    const count = PATTERNS.length * 3 - 2
    expect(shown.warnings.map(({ count: each }: { count?: number }) => each)).to.deep.equal([count])
  })
})
