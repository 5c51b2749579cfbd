import { expect } from 'chai'
import * as fc from 'fast-check'

import { KnownTexts } from '../../../pipelines/rules/known-texts.ts'

describe('texts that are looked up by their bytes', () => {
  it('are those that were given, and no others', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 40 })
    fc.assert(
      fc.property(texts, texts, (given, others) => {
        const known = new KnownTexts(given)
        for (const text of [...given, ...others]) {
          const bytes = Buffer.from(`«${text}»`)
          expect(known.has(bytes, 2, bytes.length - 2), text).to.equal(given.includes(text))
        }
      }),
    )
  })

  it('are not looked for in what is longer than all of them', () => {
    const value = new Proxy(Buffer.alloc(100), { get: () => expect.fail('It was read') })
    expect(new KnownTexts(['a', 'été']).has(value, 0, 100)).to.equal(false)
  })

  it('are told apart where their hashes are one', () => {
    // 31 × "B" + "B" is 31 × "C" + "#".
    const known = new KnownTexts(['BB'])
    expect(known.has(Buffer.from('C#'), 0, 2)).to.equal(false)
    expect(known.has(Buffer.from('BB'), 0, 2)).to.equal(true)
  })
})
