import { expect } from 'chai'
import * as fc from 'fast-check'

import { JsonValidator } from '../../../pipelines/encoders/json-validator.ts'

const validator = new JsonValidator()

function check(text: string): string {
  const bytes = Buffer.from(`]${text}}`)
  return validator.check(bytes, 1, bytes.length - 1)
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('JSON for a jsonb column', () => {
  it('is what JSON.parse takes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!text.includes(String.raw`\u`))
        expect(check(text)).to.equal('storable')
      }),
    )
  })

  it('is judged in pieces as it is as a whole', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.integer({ min: 1, max: 5 }), (text, at, piece) => {
        const damaged = Buffer.from(text.slice(0, 1 + (at % (2 * text.length))))
        validator.begin(damaged, 0, damaged.length)
        let verdict = validator.goOn(piece)
        while (verdict === null) verdict = validator.goOn(piece)
        expect(verdict).to.equal(validator.check(damaged, 0, damaged.length))
      }),
      { numRuns: 1000 },
    )
  })

  it('is refused where JSON.parse refuses it, with a few characters changed', () => {
    const noise = fc.constantFrom('', ',', '"', '[', ']', '{', '}', ':', '\\', '0', '-', ' ', 'e')
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(3), noise, (text, at, cut, piece) => {
        const start = at % (text.length + 1)
        const damaged = text.slice(0, start) + piece + text.slice(start + cut)
        expect(check(damaged) !== 'invalid').to.equal(parses(damaged.toWellFormed()))
      }),
      { numRuns: 2000 },
    )
  })

  const invalid = [
    '',
    ' ',
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '01',
    '1.',
    '+1',
    '"a',
    '"\n"',
    '1 2',
    '[}',
  ]
  for (const text of [
    ...invalid,
    'nul',
    'truee',
    String.raw`"\x"`,
    String.raw`"\u12g4"`,
    '{1:2}',
  ]) {
    it(`is not ${JSON.stringify(text)}`, () => expect(check(text)).to.equal('invalid'))
  }

  const unstorable = ['"\\u0000"', '"\\ud800"', '"\\ude00"', '"\\ud800\\u0041"', '[1e99999]']
  for (const text of unstorable) {
    it(`may be ${text}, which Postgres cannot hold`, () => {
      expect(check(text)).to.equal('unstorable')
    })
  }

  it('may hold pairs of surrogates', () => {
    expect(check(String.raw`{"a\ud83d\ude00":"\u00e9"}`)).to.equal('storable')
  })

  it('is not nested deeper than Postgres parses', () => {
    expect(check('['.repeat(1000) + ']'.repeat(1000))).to.equal('storable')
    expect(check('['.repeat(100_000))).to.equal('invalid')
  })
})
