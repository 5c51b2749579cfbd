import { expect } from 'chai'
import * as fc from 'fast-check'

import { compareDecimals, plainest, scaled, unscaled } from '../../../pipelines/rules/decimals.ts'

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }))
  .map(([units, scale]) => ({ units, scale, text: unscaled(units, scale) }))

describe('decimals', () => {
  it('are compared with all of their digits', () => {
    expect(compareDecimals('0.1', '0.10')).to.equal(0)
    expect(compareDecimals('9007199254740993', '9007199254740992')).to.be.above(0)
    expect(compareDecimals('-0.00000000000000000001', '0')).to.be.below(0)
    fc.assert(
      fc.property(decimal, decimal, (one, other) => {
        const scale = Math.max(one.scale, other.scale)
        const a = one.units * 10n ** BigInt(scale - one.scale)
        const b = other.units * 10n ** BigInt(scale - other.scale)
        return Math.sign(compareDecimals(one.text, other.text)) === (a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  it('are whole numbers of their last digit', () => {
    fc.assert(
      fc.property(decimal, ({ units, scale, text }) => {
        expect(scaled(text, scale)).to.equal(units)
        expect(scaled(text, scale + 2)).to.equal(units * 100n)
      }),
    )
  })

  it('are written in one way', () => {
    expect(['1.50', '1.00', '100', '-0.0', '0'].map(plainest)).to.deep.equal([
      '1.5',
      '1',
      '100',
      '0',
      '0',
    ])
  })
})
