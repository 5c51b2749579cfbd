import { expect } from 'chai'

import { likelyCursor } from '../../../src/connectors/formulaires/likely-cursor.ts'
import { growthTenfold, UNCHANGED } from '../../support/processor-time.ts'

const found = (text: string, pieceBytes = text.length) => {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, n) =>
    bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
  )
  return likelyCursor(pieces)
}

const long = 'x'.repeat(9000)

describe('the likely cursor of a page', () => {
  for (const [name, text, cursor] of [
    ['behind the records', '{"items":[],"nextCursor":"abc","total":3}', 'abc'],
    ['with white space', '{ "items" : [] , "nextCursor"\n: "abc" }', 'abc'],
    ['with escapes', '{"nextCursor":"a\\"b\\u00e9\\\\"}', 'a"bé\\'],
    ['the last of several', '{"items":[{"nextCursor":"x"}],"nextCursor":"abc"}', 'abc'],
    ['not that of the last page', '{"items":[],"nextCursor":null,"total":3}', null],
    ['not one that is part of a text', '{"a":"\\"nextCursor\\":\\"x\\""}', null],
    ['not one with a broken escape', '{"nextCursor":"\\x"}', null],
    ['not one that is cut off', '{"nextCursor":"abc', null],
    ['in front of them', `{"nextCursor":"abc","items":["${'x'.repeat(9000)}"]}`, 'abc'],
    ['not one in the middle', `["${long}",{"nextCursor":"abc"},"${long}"]`, null],
    ['not one without a character', '{"nextCursor":""}', null],
    ['nothing of nothing', '', null],
  ] as const) {
    it(`is ${name}`, () => {
      expect(found(text)).to.equal(cursor)
      expect(found(text, 7)).to.equal(cursor)
    })
  }

  it('costs the same for a page of any length, however many quotes there are', async () => {
    const quotes = Buffer.from('"nextCursor":"'.repeat(10_000))
    expect(likelyCursor([quotes])).to.equal(null)
    const growth = await growthTenfold(
      (length) => likelyCursor([quotes.subarray(0, length)]),
      UNCHANGED,
    )
    expect(growth).to.be.below(UNCHANGED)
  })
})
