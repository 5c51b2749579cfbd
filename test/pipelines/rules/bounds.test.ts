import { expect } from 'chai'
import * as fc from 'fast-check'

import { NullValues } from '../../../pipelines/cells/known-words.ts'
import { Outcome } from '../../../pipelines/cells/outcome.ts'
import { type ColumnRule, RULE_FORMATS } from '../../../pipelines/core/rule.ts'
import { CopyBuffer } from '../../../pipelines/encoders/copy-buffer.ts'
import { TextEncoder } from '../../../pipelines/encoders/text.ts'
import { CellValue } from '../../../pipelines/rules/cell-value.ts'
import { scaled, scaleOf, unscaled } from '../../../pipelines/rules/decimals.ts'
import { JudgedEncoder } from '../../../pipelines/rules/judged-encoder.ts'
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

function keeps(sqlType: Sort, text: string, rule: ColumnRule) {
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
  return isStored({ encoder, sqlType, rules: judgedRules([rule], 'number') }, text)
}

function isStored(
  column: Pick<ConstructorParameters<typeof JudgedEncoder>[0], 'encoder' | 'sqlType' | 'rules'>,
  text: string,
): boolean {
  const judging = new JudgedEncoder({ ...column, column: 0, onWarning: () => undefined })
  const outcome = judging.encode(columnOf([text]), 0, new CopyBuffer())
  expect(outcome, text).to.be.oneOf([Outcome.stored, Outcome.broken])
  return outcome === Outcome.stored
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
    for (const sign of ['', '-']) holds('numeric', ['0', `${sign}0.${'0'.repeat(398)}1`])
  })
})

describe('bounds of lengths', () => {
  const textRules = (rule: ColumnRule) => ({
    encoder: new TextEncoder(new NullValues([])),
    sqlType: 'text' as const,
    rules: judgedRules([rule], 'text'),
  })

  it('count characters, however many bytes each has', () => {
    const characters = fc.array(fc.constantFrom('a', 'é', '€', '𝒳'), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(characters, fc.nat(24), (all, bound) => {
        const { length } = all
        const text = all.join('')
        const said = `${text} and ${bound}`
        const isLong = isStored(textRules({ minLength: bound }), text)
        const isShort = isStored(textRules({ maxLength: bound }), text)
        expect([isLong, isShort], said).to.deep.equal([length >= bound, length <= bound])
      }),
    )
  })

  it('are those of a format as well, so nobody reads a long value for it', () => {
    const value = new CellValue('text')
    const bytes = Buffer.from(`....${'1'.repeat(1 << 16)}`)
    bytes.writeInt32BE(bytes.length - 4)
    bytes.toString = () => expect.fail('It was read')
    value.look(bytes, 0)
    for (const format of RULE_FORMATS) {
      expect(judgedRules([{ format }], 'text')[0]!.isKept(value), format).to.equal(false)
    }
  })
})
