import { expect } from 'chai'
import * as fc from 'fast-check'

import { findOpenQuote } from '../../../../pipelines/readers/csv/find-open-quote.ts'
import { splitRecord } from '../../../../pipelines/readers/csv/dialect.ts'

const DIALECTS = [
  { delimiter: ',', quote: '"', escape: '"', isSpaced: false },
  { delimiter: '||', quote: '"', escape: '\\', isSpaced: false },
  { delimiter: '§', quote: '«', escape: '«', isSpaced: false },
  { delimiter: 'é|', quote: '«', escape: '\\', isSpaced: false },
  { delimiter: null, quote: '"', escape: '"', isSpaced: false },
] as const

describe('the search for an open quote', () => {
  for (const dialect of DIALECTS) {
    it(`finds the one where a record is split at ${JSON.stringify(dialect)}`, () => {
      const { delimiter, quote, escape } = dialect
      const parts = [delimiter ?? ',', quote, quote, escape, 'a', 'é', '😀', '|', '\n', '\r\n']
      const text = fc.array(fc.constantFrom(...parts), { maxLength: 14 })
      fc.assert(
        fc.property(text, (pieces) => {
          const record = pieces.join('')
          const { openedAt } = splitRecord(record, 0, dialect)
          const expected = openedAt === null ? null : Buffer.byteLength(record.slice(0, openedAt))
          const found = findOpenQuote(Buffer.from(record), dialect).next()
          expect(found).to.deep.equal({ done: true, value: expected })
        }),
        { numRuns: 2000 },
      )
    })
  }

  it('leaves the event loop turns while it goes through a long record', () => {
    const finding = findOpenQuote(Buffer.from(`a,"${'x\n'.repeat(4_000_000)}`), DIALECTS[0])
    let turns = 0
    let step = finding.next()
    for (; !step.done; step = finding.next()) turns++
    expect(step.value).to.equal(2)
    expect(turns).to.be.at.least(3)
  })
})
