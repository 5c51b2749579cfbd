import { expect } from 'chai'

import { MiB } from '../../pipelines/index.ts'
import {
  isReached,
  median,
  timesAsFast,
  timesAsLong,
  timesAsLongInTurns,
} from '../../benchmarks/benchmark.ts'
import { barChart } from '../../benchmarks/report/bar-chart.ts'
import { compareRuns } from '../../benchmarks/report/compare.ts'
import { contenderTable } from '../../benchmarks/report/describe-case.ts'
import { mergeCases, type RecordedCase } from '../../benchmarks/report/recorded-run.ts'
import { resultsPage } from '../../benchmarks/report/results-page.ts'

function recorded(name: string, samples: readonly number[], changes = {}): RecordedCase {
  return {
    name,
    summary: 'a against b',
    measuredAt: '2026-01-02T03:04:05.000Z',
    machine: { cpu: 'CPU', cores: 2, memoryGiB: 8, platform: 'linux x64', node: 'v24.0.0' },
    input: '1,000 rows',
    rows: 1000,
    bytes: 10 * MiB,
    contenders: [{ name: 'a & b', unit: 's', samples, peakRssBytes: 50 * MiB }],
    figures: [{ what: 'of the time', found: 2, atMost: 1 }],
    caveats: ['Read with care.'],
    ...changes,
  }
}

/** As WCAG counts it: 3 for what is drawn, 4.5 for what is read. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

describe('the report of benchmarks', () => {
  it('takes the median, whatever the order of the runs', () => {
    expect(median([9, 1, 5])).to.equal(5)
    expect(median([4, 1, 2, 3])).to.equal(2.5)
  })

  it('knows which way each unit is better', () => {
    const contender = (unit: 's' | 'requests/s', value: number) => ({
      name: '',
      unit,
      samples: [value],
      peakRssBytes: null,
    })
    expect(timesAsFast(contender('s', 1), contender('s', 3))).to.equal(3)
    expect(timesAsLong(contender('s', 3), contender('s', 1))).to.equal(3)
    expect(timesAsFast(contender('requests/s', 1), contender('requests/s', 4))).to.equal(0.25)
  })

  it('compares turn by turn, so that a slow turn says nothing of either', () => {
    const contender = (...samples: readonly number[]) => ({
      name: '',
      unit: 's' as const,
      samples,
      peakRssBytes: null,
    })
    const [first, second] = [contender(2, 20, 3), contender(1, 10, 3)]
    expect(timesAsLongInTurns(first, second)).to.equal(2)
    expect(timesAsLong(first, second)).to.equal(1)
  })

  it('holds a figure to both of its bounds', () => {
    expect(isReached({ what: '', found: 0.9, atLeast: 0.85, atMost: 1.15 })).to.equal(true)
    expect(isReached({ what: '', found: 1.2, atLeast: 0.85, atMost: 1.15 })).to.equal(false)
    expect(isReached({ what: '', found: 0.8, atLeast: 0.85 })).to.equal(false)
  })

  it('shows median, spread, speed and memory', () => {
    const { titles, rows } = contenderTable(recorded('csv', [2, 4, 3]))
    expect(titles).to.deep.equal([
      '',
      'median',
      'lowest – highest',
      'rows/s',
      'MiB/s',
      'peak memory',
    ])
    expect(rows).to.deep.equal([['a & b', '3.00 s', '2.00 – 4.00', '333', '3.33', '50 MiB']])
  })

  it('shows how often each one ran where that differs', () => {
    const twice = { name: 'a', unit: 's', samples: [1, 2], peakRssBytes: null }
    const once = { name: 'b', unit: 's', samples: [3], peakRssBytes: null }
    const table = contenderTable(recorded('csv', [], { contenders: [twice, once], bytes: null }))
    expect(table.titles).to.deep.equal(['', 'median', 'lowest – highest', 'runs', 'rows/s'])
    expect(table.rows.map((row) => row[3])).to.deep.equal(['2', '1'])
  })

  it('calls nothing a change that lies within the spread of the runs', () => {
    const then = [recorded('csv', [1, 1.02]), recorded('json', [1, 2]), recorded('gone', [1])]
    const now = [recorded('csv', [1.5, 1.52]), recorded('json', [2, 2.1]), recorded('new', [1])]
    const { table, slower } = compareRuns(then, now)
    expect(table.rows).to.deep.equal([
      ['csv', 'a & b', 'slower', '0.67'],
      ['json', 'a & b', 'the same', '0.73'],
    ])
    expect(slower).to.equal(1)
  })

  it('keeps what was measured before beside what was measured now', () => {
    const merged = mergeCases(
      [recorded('excel', [1]), recorded('csv', [1]), recorded('removed', [1])],
      [recorded('csv', [2])],
      ['csv', 'excel'],
    )
    expect(merged.map(({ name, contenders }) => [name, contenders[0]!.samples])).to.deep.equal([
      ['csv', [2]],
      ['excel', [1]],
    ])
  })

  it('writes a page with the plot, the tables, the caveats and the machine', () => {
    const page = resultsPage([recorded('csv', [1, 2])])
    for (const part of [
      '![csv](results/csv.svg)',
      '| FAIL | of the time | 2.00 | ≤ 1 |',
      '- Read with care.',
      'Measured on 2026-01-02: CPU, 2 cores, 8 GiB, linux x64, Node 24.0.0.',
    ]) {
      expect(page).to.contain(part)
    }
  })

  it('draws a plot for light and for dark pages, with names escaped', () => {
    const svg = barChart('a < b', recorded('csv', [1, 2]))
    expect(svg).to.contain('prefers-color-scheme: dark')
    expect(svg).to.contain('a &lt; b').and.to.contain('a &amp; b')
    expect(svg).to.contain('1.50 s')
  })

  it('leaves room for the longest name and the longest value', () => {
    const name = 'a name of well over forty letters, as there are some'
    for (const longest of [name, 'short']) {
      const contenders = [
        { name: longest, unit: 's', samples: [1, 9], peakRssBytes: null },
        { name: 'b', unit: 's', samples: [3], peakRssBytes: null },
      ]
      const svg = barChart('a', recorded('csv', [], { contenders }))
      const [, end] = /<text x="([\d.]+)"[^>]*text-anchor="end">/.exec(svg)!
      // DejaVu Sans, the widest of the fonts, draws such words at 7 pixels a letter.
      expect(Number(end) - longest.length * 7).to.be.within(0, 40)
      const ends = [...svg.matchAll(/<text x="([\d.]+)" y="\d+">/g)].map(([, x]) => Number(x))
      expect(Math.max(...ends) + '1,234,567 /s'.length * 7).to.be.below(820)
    }
  })

  it('explains the colours that it uses', () => {
    const ours = { name: 'a', unit: 's', samples: [1], peakRssBytes: null, isOurs: true }
    const other = { name: 'b', unit: 's', samples: [1], peakRssBytes: null }
    const draw = (contenders: readonly object[]) =>
      barChart('a', recorded('csv', [], { contenders }))
    const both = draw([ours, other])
    expect(both).to.contain('this product').and.to.contain('what it is compared with')
    expect(both).to.contain('lowest to highest run')
    expect(draw([ours])).not.to.contain('what it is compared with')
    expect(draw([other])).not.to.contain('this product')
  })

  it('draws bars with enough contrast for light and for dark pages', () => {
    const svg = barChart('a', recorded('csv', [1]))
    const of = (kind: string) =>
      [...svg.matchAll(new RegExp(`\\.${kind} { fill: (#\\w{6})`, 'g'))].map(([, fill]) => fill!)
    const grounds = of('ground')
    expect(grounds).to.have.length(2)
    for (const [scheme, ground] of grounds.entries()) {
      expect(contrast(of('ours')[scheme]!, ground)).to.be.at.least(3)
      expect(contrast(of('other')[scheme]!, ground)).to.be.at.least(3)
      expect(contrast(of('faint')[scheme]!, ground)).to.be.at.least(4.5)
    }
  })
})
