import { expect } from 'chai'
import * as fc from 'fast-check'

import { CopyBuffer } from '../../../pipelines/encoders/copy-buffer.ts'
import type { ColumnDecision } from '../../../pipelines/encoders/column-decision.ts'
import { OrderedEncoder } from '../../../pipelines/rules/ordered-encoder.ts'
import { createEncoder } from '../../../pipelines/transforms/cast.ts'
import { createValueContext } from '../../../pipelines/transforms/value-context.ts'
import { columnOf } from '../cells.ts'

const given = { given: true, settled: true, unit: '' } as const
const DECISIONS: Readonly<Record<string, ColumnDecision>> = {
  text: { type: 'text', sqlType: 'text', ...given },
  bigint: { type: 'number', sqlType: 'bigint', notation: 'plain', ...given },
  numeric: { type: 'number', sqlType: 'numeric', notation: 'point-decimal', ...given },
}

function isInOrder(sort: keyof typeof DECISIONS, values: readonly (string | null)[]): boolean {
  const decision = DECISIONS[sort]!
  const encoder = new OrderedEncoder(
    createEncoder(decision, createValueContext({}, null)),
    decision.sqlType,
  )
  const batch = columnOf(values)
  const out = new CopyBuffer()
  for (const at of values.keys()) {
    // A chunk is sent now and then, and its bytes are used again.
    if (at % 3 === 0) out.rewind(0)
    encoder.encode(batch, at, out)
  }
  return encoder.isInOrder
}

const areDistinct = (values: readonly unknown[]) => new Set(values).size === values.length

describe('values that come in order', () => {
  it('are none of them there twice, whatever they are', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '1'), maxLength: 3 }), {
      maxLength: 6,
    })
    const numbers = fc.array(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), { maxLength: 5 })
    const near = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 5 })
    fc.assert(
      fc.property(texts, numbers, near, (some, large, small) => {
        const written = some.filter((text) => text !== '')
        const wholes = [...large, ...small.map(BigInt)]
        const decimals = small.map((value) => `${value}.${'0'.repeat(20)}1`)
        if (isInOrder('text', written)) expect(areDistinct(written)).to.equal(true)
        if (isInOrder('bigint', wholes.map(String))) expect(areDistinct(wholes)).to.equal(true)
        if (isInOrder('numeric', decimals)) expect(areDistinct(decimals)).to.equal(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('go up or down, letter by letter or the shorter before the longer', () => {
    const large = Array.from({ length: 20 }, (_, at) => String(9_007_199_254_740_990n + BigInt(at)))
    for (const [sort, values] of [
      ['text', ['a', 'ab', 'b', 'c']],
      ['text', ['F-9', 'F-10', 'F-11', 'F-100']],
      ['text', ['c', null, 'b', 'a']],
      ['bigint', ['-5', '0', '7', '4294967296', '9223372036854775807']],
      ['bigint', large],
      ['bigint', large.toReversed()],
      ['numeric', ['-1.5', '0.25', '3.75']],
    ] as const) {
      expect(isInOrder(sort, values), values.join(' ')).to.equal(true)
    }
  })

  it('are not in order where one is repeated, goes back, or is too long to be kept', () => {
    for (const [sort, values] of [
      ['text', ['a', 'b', 'b']],
      ['text', ['a', null, 'a']],
      ['text', ['b', 'a', 'c']],
      ['text', ['a', `b${'x'.repeat(300)}`]],
      ['bigint', ['1', '2', '2']],
      ['bigint', ['3', '1', '2']],
      ['numeric', ['1.0', '1.00']],
    ] as const) {
      expect(isInOrder(sort, values), values.join(' ')).to.equal(false)
    }
  })
})
