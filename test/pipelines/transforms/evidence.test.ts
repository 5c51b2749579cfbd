import { expect } from 'chai'

import { Outcome, OutcomeTally } from '../../../pipelines/cells/outcome.ts'

describe('The tally of a load', () => {
  it('takes the place of what the sample counted', () => {
    const tally = new OutcomeTally(2)
    tally.add(1, Outcome.blank)
    tally.add(1, Outcome.fallbackParsed)
    tally.add(1, Outcome.blank)
    tally.add(0, Outcome.invalid)
    const sampled = {
      sampled: 3,
      candidates: [],
      nulls: { epoch: 1 },
      fallbackParsed: 0,
      counterExample: null,
      ambiguous: false,
    }
    expect(tally.complete(1, sampled)).to.deep.equal({
      ...sampled,
      nulls: { blank: 2 },
      fallbackParsed: 1,
    })
    expect(tally.count(0, Outcome.invalid)).to.equal(1)
  })
})
