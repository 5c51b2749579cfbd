import { expect } from 'chai'

import { MiB } from '../../pipelines/index.ts'
import { isReached, type MeasuredContender } from '../../benchmarks/benchmark.ts'
import { csvFigures, type CsvResults } from '../../benchmarks/cases/csv-figures.ts'

function took(...samples: readonly number[]): MeasuredContender {
  return { name: '', unit: 's', samples, peakRssBytes: 100 * MiB }
}

const results: CsvResults = {
  copy: took(4),
  bare: took(4),
  binary: took(3),
  floor: took(2),
  usual: took(20),
  duckdb: took(1),
  byDefault: took(2),
  byCli: took(2),
  oneStream: took(2),
  twoStreams: took(2),
  general: took(10),
}

function figure(what: string, once: MeasuredContender, tenfold: MeasuredContender, alike = 4) {
  return csvFigures(results, { once, tenfold }, alike, true).find((each) => each.what === what)!
}

describe('the figures of the CSV benchmark', () => {
  it('are not decided by one slow run of ten times the rows', () => {
    const time = figure('of the time for ten times the rows', took(3, 3, 9), took(30, 90, 31))
    expect(time.found).to.be.closeTo(10.33, 0.01)
    expect(isReached(time)).to.equal(true)
  })

  it('compare ten times the rows with the runs beside them, not with earlier ones', () => {
    const time = figure('of the time for ten times the rows', took(5), took(50))
    expect(time.found).to.equal(10)
    const grown = { ...took(50), peakRssBytes: 130 * MiB }
    const memory = figure('of that memory for ten times the rows', took(5), grown)
    expect(memory.found).to.equal(1.3)
    expect(isReached(memory)).to.equal(false)
  })

  it('require the same data of both readers of the engine as of COPY', () => {
    const what = 'tables that hold the same data, cell by cell'
    expect(isReached(figure(what, took(1), took(10), 4))).to.equal(true)
    expect(isReached(figure(what, took(1), took(10), 3))).to.equal(false)
  })
})
