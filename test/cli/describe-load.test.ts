import { expect } from 'chai'

import { streamMessages } from '../../pipelines/sinks/stream-messages.ts'
import { describeLoad, type ReportedLoad } from '../../src/cli/describe-load.ts'

const LOAD: ReportedLoad = {
  file: 'prices.csv',
  schema: 'public',
  table: 'prices',
  rejects: null,
  rowsInTable: 1300,
  reader: 'csv-ranges',
  input: {
    format: 'csv',
    sourceType: 'CSV',
    layout: { kind: 'records' },
    dialect: {},
    repaired: {},
  },
  columns: [],
  counts: { read: 300, loaded: 300, rejected: 0, blank: 0 },
  invalidCells: 0,
  widenings: [],
  restarts: 0,
  warnings: [],
  streams: 1,
  streamsBecause: streamMessages.said(),
  bytesRead: 5000,
  durationMs: 100,
}
const linesOf = (given: Partial<ReportedLoad>) =>
  describeLoad({ ...LOAD, ...given })
    .trimEnd()
    .split('\n')

describe('a load, as a terminal is told of it', () => {
  it('is so many rows in so much time', () => {
    expect(linesOf({})).to.include.members([
      'Loaded prices.csv into public.prices',
      '  300 rows in 0.1 s, 3,000 a second',
      '  public.prices holds 1,300 rows',
      '  1 COPY stream: This number was asked for',
    ])
  })

  it('tells of cells that are NULL because they did not fit', () => {
    expect(linesOf({ invalidCells: 1 })).to.include('  1 cell does not fit its column, and is NULL')
    expect(linesOf({ invalidCells: 2 })).to.include(
      '  2 cells do not fit their columns, and are NULL',
    )
  })

  it('tells where rows are that were left out', () => {
    const counts = { read: 302, loaded: 300, rejected: 1, blank: 1 }
    const lines = linesOf({ counts, invalidCells: 4, rejects: 'prices_rejects' })
    expect(lines).to.include.members([
      '  1 invalid row left out and kept in public.prices_rejects',
      '  1 blank row left out',
    ])
    expect(lines.join()).not.to.contain('NULL')
  })
})
