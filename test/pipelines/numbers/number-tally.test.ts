import { expect } from 'chai'

import { CellKind } from '../../../pipelines/core/batch.ts'
import { NumberTally } from '../../../pipelines/numbers/number-tally.ts'

function verdict(
  values: string[],
  decimalHint: ',' | '.' | null = null,
  decimal: ',' | '.' | null = null,
) {
  const tally = new NumberTally(false)
  for (const value of values) {
    const bytes = Buffer.from(value)
    tally.observe(bytes, 0, bytes.length, CellKind.text)
  }
  const { notation, accepted, integers, ambiguous } = tally.verdict({ decimal, decimalHint })
  return { notation, all: accepted === values.length, integers, ambiguous }
}

const PLAIN = { notation: 'plain', all: true, integers: true, ambiguous: false }

describe('The notation of a number column', () => {
  it('is open while nothing has a decimal sign', () => {
    expect(verdict(['1', '20 000'])).to.deep.equal(PLAIN)
  })

  it('is settled by one value that allows no other', () => {
    const comma = { notation: 'comma-decimal', all: true, integers: false, ambiguous: false }
    expect(verdict(['1,234', '2', '1,5'])).to.deep.equal(comma)
    expect(verdict(['1.234', '1.234,56'])).to.deep.equal(comma)
    const point = { notation: 'point-decimal', all: true, integers: false, ambiguous: false }
    expect(verdict(['1,234', '1,234.56'], ',')).to.deep.equal(point)
    expect(verdict(['1,234', '1,234,567'], ',')).to.deep.equal({ ...point, integers: true })
  })

  it('of 1,234 alone is a decimal between semicolons and thousands elsewhere, in doubt', () => {
    const thousands = { notation: 'point-decimal', all: true, integers: true, ambiguous: true }
    expect(verdict(['1,234', '5'], '.')).to.deep.equal(thousands)
    expect(verdict(['1,234', '5'], null)).to.deep.equal(thousands)
    const decimal = { notation: 'comma-decimal', all: true, integers: false, ambiguous: true }
    expect(verdict(['1,234', '5'], ',')).to.deep.equal(decimal)
  })

  it('of 1.234 alone is a decimal, in doubt', () => {
    const decimal = { notation: 'point-decimal', all: true, integers: false, ambiguous: true }
    expect(verdict(['1.234'], ',')).to.deep.equal(decimal)
  })

  it('is what the request says', () => {
    const thousands = { notation: 'point-decimal', all: true, integers: true, ambiguous: false }
    expect(verdict(['1,234'], ',', '.')).to.deep.equal(thousands)
    expect(verdict(['1,5'], ',', '.')).to.deep.include({ notation: 'point-decimal', all: false })
  })

  it('takes no column in which both decimal signs are sure', () => {
    expect(verdict(['1,5', '1.5']).all).to.equal(false)
  })
})
