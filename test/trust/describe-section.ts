import { expect } from 'chai'

import { describeFailures, Ledger } from './ledger.ts'
import { openTrials, type Section } from './section.ts'

const SEED = 20_260_101
const FAILURES_SHOWN = 3

/** The short form of a section, with every run of the tests. */
export function describeSection(section: Section): void {
  describe(`trust: ${section.name}`, () => {
    it(section.about, async () => {
      const ledger = new Ledger()
      const trials = openTrials({
        section: section.name,
        extent: 'ci',
        seed: SEED,
        ledger,
        signal: new AbortController().signal,
      })
      await trials.guard(() => section.run(trials))
      const failures = ledger.failures.map((entry) => describeFailures(entry, FAILURES_SHOWN))
      expect(failures.join('\n')).to.equal('')
      expect(ledger.entries, 'what was tried').not.to.deep.equal([])
    })
  })
}
