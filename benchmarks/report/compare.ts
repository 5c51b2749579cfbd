import { type MeasuredContender, timesAsFast } from '../benchmark.ts'
import { spread, type Table } from './describe-case.ts'
import type { RecordedCase } from './recorded-run.ts'

/** Less than this is noise, whatever the runs say. */
const LEAST_CHANGE = 0.1

/**
 * Now against then, contender by contender, as a ratio of speeds. A change counts when it is larger
 * than the spread of the runs on either side: the same machine gives other numbers every time.
 */
export function compareRuns(
  then: readonly RecordedCase[],
  now: readonly RecordedCase[],
): { readonly table: Table; readonly slower: number } {
  const rows = now.flatMap((measured) => {
    const earlier = then.find(({ name }) => name === measured.name)
    return measured.contenders.flatMap((contender) => {
      const before = earlier?.contenders.find(({ name }) => name === contender.name)
      return before === undefined ? [] : [compareContender(measured.name, before, contender)]
    })
  })
  return {
    table: { words: 3, titles: ['case', 'contender', '', 'speed now / then'], rows },
    slower: rows.filter((row) => row[2] === 'slower').length,
  }
}

function compareContender(
  name: string,
  before: MeasuredContender,
  now: MeasuredContender,
): readonly [string, string, string, string] {
  const ratio = timesAsFast(now, before)
  const noise = Math.max(LEAST_CHANGE, spread(before), spread(now))
  const verdict = ratio > 1 + noise ? 'faster' : ratio < 1 / (1 + noise) ? 'slower' : 'the same'
  return [name, now.name, verdict, ratio.toFixed(2)]
}
