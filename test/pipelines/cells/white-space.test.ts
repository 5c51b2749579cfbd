import { expect } from 'chai'
import * as fc from 'fast-check'

import { skipSpace, skipSpaceBack } from '../../../pipelines/cells/white-space.ts'

describe('White space around a cell', () => {
  it('is what `trim` takes for it, from both ends', () => {
    const unit = fc.constantFrom(...' \t\n\u00a0\u1680\u2003\u2028\u205f\u3000\ufeffaé€', '😀')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = units.join('')
        const bytes = Buffer.from(text)
        const start = skipSpace(bytes, 0, bytes.length)
        const end = skipSpaceBack(bytes, start, bytes.length)
        expect(bytes.toString('utf8', start, end)).to.equal(text.trim())
      }),
      { numRuns: 5000 },
    )
  })

  it('ends where the cell ends', () => {
    const bytes = Buffer.from('  a  ')
    expect(skipSpace(bytes, 0, 2)).to.equal(2)
    expect(skipSpaceBack(bytes, 3, 5)).to.equal(3)
  })
})
