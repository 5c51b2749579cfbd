import { existsSync, mkdirSync, writeFileSync } from 'node:fs'

import { barChart } from './bar-chart.ts'
import { readRun, type RecordedCase } from './recorded-run.ts'
import { resultsPage } from './results-page.ts'

const RESULTS = new URL('../results/', import.meta.url)
const LATEST = new URL('latest.json', RESULTS)

/** What earlier runs left to be kept beside. */
export function readLatest(): readonly RecordedCase[] {
  return existsSync(LATEST) ? readRun(LATEST).cases : []
}

/** RESULTS.md, a plot for each case, and the data that a later run can be compared with. */
export function writeReport(cases: readonly RecordedCase[]): void {
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(LATEST, `${JSON.stringify({ cases }, null, 2)}\n`)
  writeFileSync(new URL('../RESULTS.md', import.meta.url), resultsPage(cases))
  for (const recorded of cases) {
    writeFileSync(
      new URL(`${recorded.name}.svg`, RESULTS),
      barChart(`${recorded.name}: ${recorded.summary}`, recorded),
    )
  }
}
