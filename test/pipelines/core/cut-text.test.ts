import { expect } from 'chai'
import * as fc from 'fast-check'

import { cutText, cutToEnd, cutUtf8 } from '../../../pipelines/core/cut-text.ts'

const whole = fc.string({ unit: 'grapheme', maxLength: 30 })

describe('Text that is cut', () => {
  it('is left alone if it is short enough', () => {
    expect(cutText('😀', 2, '…')).to.equal('😀')
    expect(cutToEnd('😀', 2)).to.equal('😀')
    expect(cutUtf8(Buffer.from('😀'), 0, 4, 4, '…')).to.equal('😀')
  })

  it('ends between characters, and says that there was more', () => {
    expect(cutText('a😀b', 2, '…')).to.equal('a…')
    expect(cutText('a😀b', 3, '…')).to.equal('a😀…')
    expect(cutToEnd('a😀b', 2)).to.equal('b')
    expect(cutToEnd('a😀b', 3)).to.equal('😀b')
    expect(cutUtf8(Buffer.from('aé😀b'), 0, 8, 6, '…')).to.equal('aé…')
    expect(cutUtf8(Buffer.from('aé😀b'), 1, 8, 2)).to.equal('é')
  })

  it('holds no half of a character, wherever it is cut', () => {
    fc.assert(
      fc.property(whole, fc.nat(30), (text, most) => {
        const bytes = Buffer.from(text)
        const cuts = [
          cutText(text, most),
          cutToEnd(text, most),
          cutUtf8(bytes, 0, bytes.length, most),
        ]
        for (const cut of cuts) {
          expect(cut.isWellFormed()).to.equal(true)
          expect(cut).to.not.include('\ufffd')
          expect(text).to.include(cut)
        }
      }),
    )
  })
})
