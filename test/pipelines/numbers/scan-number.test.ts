import { expect } from 'chai'
import * as fc from 'fast-check'

import { COMMA, EITHER, NumberScanner, POINT } from '../../../pipelines/numbers/scan-number.ts'
import { growthTenfold, IN_PROPORTION } from '../../support/processor-time.ts'

function scan(text: string): NumberScanner {
  const scanner = new NumberScanner()
  const bytes = Buffer.from(text)
  scanner.scan(bytes, 0, bytes.length)
  return scanner
}

describe('A number', () => {
  const notations: [text: string, accepted: number][] = [
    ['0', EITHER],
    ['-0', EITHER],
    ['20240131', EITHER],
    ['1 234', EITHER],
    ['12\u00a0345\u00a0678', EITHER],
    ['12\u202f345', EITHER],
    ['12\u2009345', EITHER],
    ["1'234", EITHER],
    ['1’234', EITHER],
    ['1e5', EITHER],
    ['-1E+5', EITHER],
    ['\u221212', EITHER],
    ['1,234', EITHER],
    ['1.234', EITHER],
    ['1,5', COMMA],
    ['0,123', COMMA],
    ['1,2345', COMMA],
    ['1234,567', COMMA],
    ['1 234,56', COMMA],
    ['1.234,56', COMMA],
    ['1.234.567', COMMA],
    ["1'234,5", COMMA],
    [',5', COMMA],
    ['1,5e3', COMMA],
    ['1,234e3', COMMA],
    ['1.5', POINT],
    ['0.123', POINT],
    ['1,234.56', POINT],
    ['1,234,567', POINT],
    ['1 234.5', POINT],
    ['.5', POINT],
    ['-.5', POINT],
    ['1.5e-3', POINT],
  ]
  for (const [text, accepted] of notations) {
    it(`is ${text}`, () => expect(scan(text).accepted).to.equal(accepted))
  }

  const others = [
    '',
    '-',
    '+',
    '.',
    ',',
    '1.',
    '1,',
    'inf',
    'Infinity',
    'NaN',
    'e5',
    '1e',
    '1e+',
    '1e5.5',
    '0x10',
    '1_000',
    '1 23',
    '1 2345',
    '1234 567',
    '12 34 567',
    '1  234',
    ' 1',
    '1,23,456',
    '12,34.5',
    '1.234.56',
    '1,234,56',
    '1.2.3',
    '31.01.2024',
    '1 234 567.89 1',
    '1 234e5',
    '--5',
    '5-',
    '12 %',
    '12€',
    '1e999999',
    '1e-99999',
    '٣',
  ]
  for (const text of others) {
    it(`is not ${JSON.stringify(text)}`, () => expect(scan(text).accepted).to.equal(0))
  }

  const identifiers = [
    '007',
    '01',
    '00',
    '+33612345678',
    '+1',
    '-01',
    '01.11',
    '1234567890123456789',
  ]
  for (const text of identifiers) {
    it(`might be ${text}, which is an identifier`, () => {
      expect(scan(text).accepted).to.not.equal(0)
      expect(scan(text).natural).to.equal(0)
    })
  }

  const natural = ['0', '0.5', '123456789012345678', '1234567890123456789.5', '+1.5', '-12']
  for (const text of natural) {
    it(`is ${text}, which is no identifier`, () => expect(scan(text).natural).to.not.equal(0))
  }

  it('has one notation left where the other would make an identifier of it', () => {
    expect(scan('+1,234').natural).to.equal(COMMA)
  })

  it('written with groups reads as without them', () => {
    const separator = fc.constantFrom(' ', '\u00a0', '\u202f', "'", '.', ',')
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 2 ** 48 }), separator, (value, group) => {
        const scanner = scan(value.toString().replace(/\B(?=(\d{3})+$)/g, group))
        expect(scanner.integer).to.not.equal(0)
        expect(scanner.digits).to.equal(value.toString().length)
      }),
    )
  })

  it('of 100 KB takes time in proportion to its length', async () => {
    for (const text of ['1', '1,234', '1 234', '1.']) {
      const long = text.repeat(100_000 / text.length)
      const growth = await growthTenfold((length) => scan(long.slice(0, length)))
      expect(growth, text).to.be.below(IN_PROPORTION)
    }
  })
})
