import { expect } from 'chai'
import * as fc from 'fast-check'

import { normaliseHeaders } from '../../../pipelines/headers/sql-names.ts'

const header = fc.oneof(
  fc.constantFrom('a', 'a_2', 'a_3', 'a_2_2', '', ' ', null, undefined, 'Sans titre 1'),
  fc.constantFrom('Sans titre 2', 'Sans titre 1_2', '__proto__', 'constructor', '\u00a0'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)

describe('Header normalisation', () => {
  const cases: [title: string, raw: (string | null | undefined)[], normal: string[]][] = [
    ['leaves good headers alone', ['Nom', 'Âge'], ['Nom', 'Âge']],
    ['does not trim', [' Nom ', 'Nom'], [' Nom ', 'Nom']],
    [
      'numbers blank headers in order of appearance',
      ['', null, 'x', '  \t', undefined, '\u00a0'],
      ['Sans titre 1', 'Sans titre 2', 'x', 'Sans titre 3', 'Sans titre 4', 'Sans titre 5'],
    ],
    ['suffixes repeats', ['a', 'a', 'a'], ['a', 'a_2', 'a_3']],
    ['steps over a suffix that stands in the input', ['a', 'a', 'a_2'], ['a', 'a_3', 'a_2']],
    [
      'steps over a number that stands in the input',
      ['', 'Sans titre 1'],
      ['Sans titre 2', 'Sans titre 1'],
    ],
    [
      'goes on counting after a step',
      ['', 'Sans titre 1', ''],
      ['Sans titre 2', 'Sans titre 1', 'Sans titre 3'],
    ],
    [
      'suffixes a repeat of a suffixed header',
      ['a', 'a_2', 'a', 'a_2'],
      ['a', 'a_2', 'a_3', 'a_2_2'],
    ],
    ['tells letter cases apart', ['a', 'A'], ['a', 'A']],
    ['treats __proto__ as a header', ['__proto__', '__proto__'], ['__proto__', '__proto___2']],
    ['has nothing to do without columns', [], []],
  ]
  for (const [title, raw, normal] of cases) {
    it(title, () => expect(normaliseHeaders(raw)).to.deep.equal(normal))
  }

  it('changes nothing when it runs again', () => {
    fc.assert(
      fc.property(fc.array(header, { maxLength: 20 }), (raw) => {
        const once = normaliseHeaders(raw)
        expect(normaliseHeaders(once)).to.deep.equal(once)
      }),
    )
  })

  it('makes headers unique and leaves every first occurrence unchanged', () => {
    fc.assert(
      fc.property(fc.array(header, { maxLength: 20 }), (raw) => {
        const normal = normaliseHeaders(raw)
        expect(new Set(normal).size).to.equal(raw.length)
        raw.forEach((name, at) => {
          const isFirst = typeof name === 'string' && raw.indexOf(name) === at
          if (isFirst && name.trim() !== '') expect(normal[at]).to.equal(name)
          expect(normal[at]!.trim()).to.not.equal('')
        })
      }),
    )
  })

  it('never renames earlier headers when later ones arrive', () => {
    fc.assert(
      fc.property(
        fc.array(header, { maxLength: 9 }),
        fc.array(header, { maxLength: 9 }),
        (a, b) => {
          const first = normaliseHeaders(a)
          const later = normaliseHeaders(b, first)
          expect(new Set([...first, ...later]).size).to.equal(a.length + b.length)
        },
      ),
    )
    expect(normaliseHeaders(['Sans titre 1', ''], ['Sans titre 1'])).to.deep.equal([
      'Sans titre 1_2',
      'Sans titre 2',
    ])
  })

  it('stays fast with as many repeats as a table has columns', () => {
    const headers = normaliseHeaders(Array.from({ length: 1590 }, () => 'a'))
    expect(headers.at(-1)).to.equal('a_1590')
  })
})
