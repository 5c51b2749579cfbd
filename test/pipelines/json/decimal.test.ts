import { expect } from 'chai'
import * as fc from 'fast-check'

import { canonicalDecimal } from '../../../pipelines/json/decimal.ts'

describe('Canonical decimals', () => {
  for (const [written, decimal] of [
    ['0', '0'],
    ['-0', '0'],
    ['-0.00', '0.00'],
    ['0e99999', '0'],
    ['0.0e-99999', '0'],
    ['1.50', '1.50'],
    ['-12', '-12'],
    ['1e5', '100000'],
    ['1E+2', '100'],
    ['1.25e1', '12.5'],
    ['1.25e2', '125'],
    ['-1.25e4', '-12500'],
    ['12.5e-1', '1.25'],
    ['12.5e-2', '0.125'],
    ['1e-7', '0.0000001'],
    ['0.001e2', '0.1'],
    ['0.05e3', '50'],
    ['-5e0', '-5'],
    ['123456789012345678901234567890.10', '123456789012345678901234567890.10'],
  ] as const) {
    it(`writes ${written} as ${decimal}`, () => {
      expect(canonicalDecimal(written)).to.equal(decimal)
    })
  }

  it('leaves what would be out of proportion', () => {
    for (const written of ['1e99999', '1e-99999', '-1.5e1000000000000']) {
      expect(canonicalDecimal(written)).to.equal(null)
    }
    expect(canonicalDecimal('1e400')).to.have.length(401)
  })

  it('means the number that was written', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const decimal = canonicalDecimal(String(number))!
        expect(decimal).to.match(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/)
        expect(Number(decimal)).to.equal(number === 0 ? 0 : number)
      }),
    )
  })
})
