import { expect } from 'chai'
import * as fc from 'fast-check'
import { RE2JS } from 're2js'

import { BytePattern } from '../../../pipelines/rules/byte-pattern.ts'

const LEAVES = [
  'a',
  'b',
  'é',
  '𝒳',
  '1',
  '.',
  '(?s:.)',
  '[a-c]',
  '[^a-z]',
  '[^\\x00-\\x7f]',
  '\\d',
  '\\w',
  '\\s',
  '\\pL',
  '(?i:k)',
  '(?i:ß)',
  '^',
  '$',
  '(?m:^)',
  '(?m:$)',
  '\\A',
  '\\z',
  '\\b',
  '\\B',
  '',
]

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...LEAVES),
    fc.array(tie('expression'), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{2,}'))
      .map(([repeated, times]) => `(${repeated})${times}`),
  ),
}))

/** Of what expressions tell apart: lines, words, marks, letters that fold to others of another width. */
const text = fc
  .array(fc.constantFrom(...'abckKxÉéßẞſK𝒳1_ \n\u00a0'), { maxLength: 12 })
  .map((letters) => letters.join(''))

const isIn = (pattern: BytePattern, value: string): boolean => {
  // Neither what is before nor what is behind it belongs to the value.
  const bytes = Buffer.from(`a\n${value}\nb`)
  return pattern.isIn(bytes, 2, bytes.length - 2)
}

function byPieces(pattern: BytePattern, value: string) {
  const bytes = Buffer.from(`a\n${value}\nb`)
  const looking = pattern.isInByPieces(bytes, 2, bytes.length - 2)
  let pieces = 0
  let next = looking.next()
  for (; next.done !== true; next = looking.next()) pieces++
  return { isFound: next.value, pieces }
}

describe('an expression that is looked for in bytes', () => {
  it('is found where re2js finds it, whatever the expression and the value', () => {
    const isTaken = (source: string) => {
      try {
        RE2JS.compile(source)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(
        expression.filter(isTaken),
        fc.array(text, { minLength: 1, maxLength: 20 }),
        (source, values) => {
          const theirs = RE2JS.compile(source)
          const ours = new BytePattern(source)
          for (const value of values) {
            const said = `${source} in ${JSON.stringify(value)}`
            expect(isIn(ours, value), said).to.equal(theirs.test(value))
            expect(byPieces(ours, value).isFound, said).to.equal(theirs.test(value))
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('is left to re2js where it has more states or classes than are kept', () => {
    const manyStates = '(?:a|b)*a(?:a|b){14}$'
    const value = Array.from({ length: 4000 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : 'b')).join('')
    const letters = Array.from({ length: 80 }, (_, at) => String.fromCodePoint(0x4e00 + at))
    const manyClasses = letters.map((letter, at) => `${letter}${at}`).join('|')
    for (const [source, values] of [
      [manyStates, [value, `${value}a${'b'.repeat(14)}`, `${value}b${'b'.repeat(14)}`]],
      [manyClasses, ['x', `${letters[79]}79`, `${letters[79]}78`, letters.join('')]],
    ] as const) {
      const theirs = RE2JS.compile(source)
      const ours = new BytePattern(source)
      for (const each of [...values, ...values]) {
        expect(isIn(ours, each), source).to.equal(theirs.test(each))
      }
      const long = 'x'.repeat(100_000)
      for (const each of values) {
        expect(byPieces(ours, long + each).isFound, source).to.equal(theirs.test(long + each))
      }
    }
  })

  it('is found where a piece of a long value ends, also in the middle of a character', () => {
    for (let before = 0; before < 4; before++) {
      const value = `${'x'.repeat(before)}${'𝒳'.repeat(300_000)}!`
      expect(byPieces(new BytePattern('𝒳!$'), value)).to.deep.equal({ isFound: true, pieces: 2 })
      expect(byPieces(new BytePattern('y'), value)).to.deep.equal({ isFound: false, pieces: 2 })
      expect(byPieces(new BytePattern('𝒳'), value)).to.deep.equal({ isFound: true, pieces: 1 })
    }
  })

  it('is looked for no further than where it can still be', () => {
    const read: number[] = []
    const value = new Proxy(Buffer.from('x'.repeat(100)), {
      get(bytes, at: string) {
        read.push(Number(at))
        return bytes[Number(at)]
      },
    })
    expect(new BytePattern('^C[0-9]+$').isIn(value, 0, 100)).to.equal(false)
    expect(read).to.deep.equal([0])
  })

  it('is looked for in a value that backtracking would never end with', () => {
    expect(isIn(new BytePattern('^(a+)+$'), `${'a'.repeat(1 << 20)}b`)).to.equal(false)
    expect(isIn(new BytePattern('(a+)+$'), 'a'.repeat(1 << 20))).to.equal(true)
  })
})
