import { expect } from 'chai'
import * as fc from 'fast-check'

import { isRefused } from '../../../pipelines/cells/outcome.ts'
import { CopyBuffer } from '../../../pipelines/encoders/copy-buffer.ts'
import { CellValue } from '../../../pipelines/rules/cell-value.ts'
import { scaled, scaleOf, unscaled } from '../../../pipelines/rules/decimals.ts'
import { judgedRules } from '../../../pipelines/rules/judged-rule.ts'
import { createEncoder } from '../../../pipelines/transforms/cast.ts'
import { createValueContext } from '../../../pipelines/transforms/value-context.ts'
import { columnOf } from '../cells.ts'

type Sort = 'bigint' | 'numeric'

/** Decimals as they may be far apart, or differ in their last digit alone. */
const pairOf = (digits: number, scale: number) =>
  fc
    .tuple(
      fc.integer({ min: 1, max: digits }),
      fc.integer({ min: 0, max: scale }),
      fc.bigInt({ min: -(10n ** BigInt(digits)), max: 10n ** BigInt(digits) }),
      fc.bigInt({ min: -(10n ** BigInt(digits)), max: 10n ** BigInt(digits) }),
      fc.constantFrom(null, -1n, 0n, 1n),
    )
    .map(([kept, places, one, other, apart]): [string, string] => {
      const modulus = 10n ** BigInt(kept)
      const value = one % modulus
      const limit = apart === null ? other % modulus : value + apart
      return [unscaled(value, places), unscaled(limit, places)]
    })

function keeps(sqlType: Sort, text: string, rule: { minimum: string } | { maximum: string }) {
  const out = new CopyBuffer()
  const encoder = createEncoder(
    {
      type: 'number',
      sqlType,
      notation: sqlType === 'bigint' ? 'plain' : 'point-decimal',
      given: true,
      settled: true,
      unit: '',
    },
    createValueContext({}, null),
  )
  expect(isRefused(encoder.encode(columnOf([text]), 0, out)), text).to.equal(false)
  const value = new CellValue(sqlType)
  value.look(out.bytes, 0)
  return judgedRules([rule], 'number')[0]!.isKept(value)
}

function holds(sqlType: Sort, [text, limit]: readonly [string, string]): void {
  const scale = Math.max(scaleOf(text), scaleOf(limit))
  const apart = scaled(text, scale) - scaled(limit, scale)
  const said = `${text} and ${limit}`
  expect(keeps(sqlType, text, { minimum: limit }), said).to.equal(apart >= 0n)
  expect(keeps(sqlType, text, { maximum: limit }), said).to.equal(apart <= 0n)
}

describe('bounds of numbers', () => {
  it('hold whole numbers to all of their digits', () => {
    fc.assert(fc.property(pairOf(18, 0), (pair) => holds('bigint', pair)))
  })

  it('hold decimals to all of their digits', () => {
    fc.assert(fc.property(pairOf(30, 20), (pair) => holds('numeric', pair)))
  })

  it('hold decimals that no double is near to', () => {
    fc.assert(fc.property(pairOf(350, 350), (pair) => holds('numeric', pair)))
    holds('numeric', [`0.${'0'.repeat(330)}1`, '0'])
    holds('numeric', [`1${'0'.repeat(330)}`, `1${'0'.repeat(329)}1`])
  })
})
