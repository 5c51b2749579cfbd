import { expect } from 'chai'
import * as fc from 'fast-check'

import { CopyBuffer, viewOf, putInt64 } from '../../../pipelines/encoders/copy-buffer.ts'
import type { ColumnDecision } from '../../../pipelines/encoders/column-decision.ts'
import { cell, storedAs } from '../cells.ts'

describe('Binary fields', () => {
  it('hold every microsecond of ten thousand years exactly', () => {
    const seconds = fc.integer({ min: -63_082_281_600, max: 252_455_615_999 })
    fc.assert(
      fc.property(seconds, fc.integer({ min: 0, max: 999_999 }), (high, low) => {
        const bytes = Buffer.alloc(8)
        expect(putInt64(viewOf(bytes), 0, high, 1_000_000, low)).to.equal(8)
        expect(bytes.readBigInt64BE()).to.equal(BigInt(high) * 1_000_000n + BigInt(low))
      }),
    )
  })

  it('hold every integer of 64 bits exactly', () => {
    const bigint: ColumnDecision = {
      type: 'number',
      sqlType: 'bigint',
      given: false,
      notation: 'plain',
      settled: false,
      unit: '',
    }
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(integer, (value) => {
        expect(storedAs(bigint, cell('number', value.toString()))).to.equal(value.toString())
      }),
    )
  })

  it('hold every digit of every decimal, and no more decimals than were written', () => {
    const numeric: ColumnDecision = {
      type: 'number',
      sqlType: 'numeric',
      given: true,
      notation: 'point-decimal',
      settled: true,
      unit: '',
    }
    const digits = fc.string({
      unit: fc.constantFrom(...'0123456789'),
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(fc.boolean(), digits, fc.option(digits), (negative, whole, fraction) => {
        const decimals = fraction === null ? '' : `.${fraction}`
        const plain = `${whole.replace(/^0+(?=\d)/, '')}${decimals}`
        const isZero = /^[0.]*$/.test(plain)
        const stored = storedAs(numeric, `${negative ? '-' : ''}${whole}${decimals}`)
        expect(stored).to.equal(negative && !isZero ? `-${plain}` : plain)
      }),
      { numRuns: 1000 },
    )
  })

  it('grow with what is written, and keep what was written before', () => {
    const out = new CopyBuffer(4)
    for (let value = -500; value < 500; value++) out.int8Field(value * 2 ** 40)
    expect(out.length).to.equal(12_000)
    expect(out.bytes.readBigInt64BE(4)).to.equal(-500n * 2n ** 40n)
    out.rewind(12)
    out.int16(-1)
    out.patchInt32(0, 7)
    expect([...out.bytes.subarray(0, 4), ...out.bytes.subarray(12, 14)]).to.deep.equal([
      0, 0, 0, 7, 255, 255,
    ])
  })
})
