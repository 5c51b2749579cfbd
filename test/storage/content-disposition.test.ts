import { expect } from 'chai'
import * as fc from 'fast-check'

import { attachmentDisposition } from '../../src/storage/content-disposition.ts'

const GRAMMAR =
  /^attachment; filename="([ !#-[\]-~]+)"; filename\*=UTF-8''((?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*)$/

describe('attachmentDisposition', () => {
  it('carries any name exactly, in one header that it cannot end', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const match = GRAMMAR.exec(attachmentDisposition(name))
        expect(match).to.not.equal(null)
        expect(decodeURIComponent(match?.[2] ?? '')).to.equal(name.toWellFormed())
      }),
      { numRuns: 2_000 },
    )
  })

  it('carries names of lone surrogates, quotes and line breaks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('"', '\\', '\r', '\n', '%22', ';', '\ud800', '\u202e', 'é', '😀')),
        (pieces) => {
          const match = GRAMMAR.exec(attachmentDisposition(pieces.join('')))
          expect(decodeURIComponent(match?.[2] ?? '')).to.equal(pieces.join('').toWellFormed())
        },
      ),
    )
  })

  for (const [name, likeness] of [
    ['report.csv', 'report.csv'],
    ['Rapport été.csv', 'Rapport ete.csv'],
    ['a"b\\c/d%20.txt', 'a_b_c_d_20.txt'],
    ['日本.pdf', '__.pdf'],
    ['', 'download'],
    ['..', 'download'],
  ] as const) {
    it(`gives old clients ${likeness} for ${JSON.stringify(name)}`, () => {
      expect(GRAMMAR.exec(attachmentDisposition(name))?.[1]).to.equal(likeness)
    })
  }
})
