import { expect } from 'chai'
import * as fc from 'fast-check'
import { RE2JS } from 're2js'

import { sizeOfPatterns } from '../../../pipelines/rules/pattern-size.ts'

const sizeOf = (matches: string): number => sizeOfPatterns([{ matches }])
const stepsOf = (pattern: string): number => RE2JS.compile(pattern).re2().prog.inst.length

const PIECES =
  String.raw`a é [ [: [:alpha:] :] ] [^ ^ - ( (?: ) | . \Q \E \[ \] \pL \p{Greek} \x{1000}
  * ? { } {3} {2,40} {200} {0} {,3}`.split(/\s+/)

/** Null: it is none. */
function possibleStepsOf(pattern: string): number | null {
  try {
    return stepsOf(pattern)
  } catch {
    return null
  }
}

describe('the size of an expression', () => {
  it('is about that of what re2js makes of it', () => {
    for (const pattern of [
      'abc',
      '^(?:[A-Z]{2}\\d{3,40}|é+)$',
      '\\pL{1000}',
      '(\\p{Greek}{10}){20}',
      '((a{3}){4}|b{5}){6}x',
      '(?:[]a-z{5}\\]]{7}){8}',
      '[[:alpha:]]{30}[^]]{9}',
      '\\x{1000}{12}',
      '(?i)(?:k{2,}){50}',
      '(a?){400}',
      'x*y+z?',
    ]) {
      expect(sizeOf(pattern), pattern).to.be.within(stepsOf(pattern) / 4 - 6, stepsOf(pattern) * 4)
    }
  })

  it('is never far below that, whatever stands for itself in it', () => {
    const pieces = fc.constantFrom(...PIECES)
    let compiled = 0
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 12 }), (parts) => {
        const pattern = parts.join('')
        if (sizeOf(pattern) > 100_000) return
        const steps = possibleStepsOf(pattern)
        if (steps === null) return
        compiled++
        expect(sizeOf(pattern), pattern).to.be.at.least(steps / 4 - 6)
      }),
      { numRuns: 20_000 },
    )
    expect(compiled).to.be.above(1000)
  })

  it('is told at once of what would take long to make, and of what is no expression', () => {
    expect(sizeOf('\\pL{1000}'.repeat(1000))).to.be.at.least(1_000_000)
    expect(sizeOf(`(${'a'.repeat(9000)}){1000}`)).to.be.at.least(9_000_000)
    expect(sizeOf('['.repeat(100_000))).to.equal(1)
    expect(sizeOf(`[[:]${'\\pL{1000}'.repeat(60)}`)).to.be.at.least(60_000)
    expect(sizeOf(`\\Q[\\E${'\\pL{1000}'.repeat(60)}`)).to.be.at.least(60_000)
    for (const broken of ['[', '[[:', '(((', ')))', '{5}', '\\', '\\p{', 'a{,3}']) {
      expect(sizeOf(broken), broken).to.be.below(10)
    }
  })
})
