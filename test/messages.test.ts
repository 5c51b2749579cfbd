import { expect } from 'chai'

import { standardFormats } from '../pipelines/index.ts'
import { catalogueWith } from '../src/messages.ts'

/** Stands for any value: a number, a text or a list of them; nothing but its name shows. */
function probe(name: string): unknown {
  const known: Record<PropertyKey, unknown> = {
    length: 2,
    map: (tell: (value: unknown, at: number) => unknown) => [tell(probe(name), 0)],
    join: () => `⟨${name}⟩`,
    [Symbol.toPrimitive]: (hint: string) => (hint === 'number' ? 2 : `⟨${name}⟩`),
  }
  return new Proxy(known, {
    get: (target, key) =>
      key in target
        ? target[key]
        : typeof key === 'string' && key in String.prototype
          ? () => `⟨${name}⟩`
          : probe(`${name}.${String(key)}`),
  })
}

interface Said {
  readonly text: string
  readonly used: ReadonlySet<string>
}

function said(template: unknown): Said {
  if (typeof template === 'string') return { text: template, used: new Set() }
  const used = new Set<string>()
  const values = new Proxy(
    {},
    {
      get: (_, key) => {
        used.add(String(key))
        return probe(String(key))
      },
    },
  )
  return { text: (template as (values: unknown) => string)(values), used }
}

/** Said alike in both languages, since they hold nothing but values, or a word of both. */
const ALIKE = /^⟨\w+⟩(?:[\s\u00a0;,:]*⟨\w+⟩)*[.:;]?$/

/** Words that a French sentence of ours does not have. */
const ENGLISH =
  /\b(?:the|must|is|are|was|were|has|have|not|with|which|this|that|there|of|and|or|row|file|field|column|value)\b/i

/** What French wants unbroken. */
const BREAKABLE =
  /(?<=\S) [:;!?»]|« | »|[^\s\u00a0\u202f/⟨"(][;!?](?:\s|$)|(?<=[a-zà-ÿ])'(?=[a-zà-ÿ⟨])/

describe('all messages for people', () => {
  const { makers } = catalogueWith(standardFormats())
  const all = [...makers.values()].map(({ code, templates }) => ({
    code,
    en: said(templates.en),
    fr: said(templates.fr),
  }))
  const codesWhere = (wrong: (message: (typeof all)[number]) => boolean) =>
    all.filter(wrong).map(({ code, fr }) => `${code}: ${fr.text}`)

  it('uses the same values in both languages', () => {
    expect(
      codesWhere(({ en, fr }) => [...en.used.symmetricDifference(fr.used)].length > 0),
    ).to.deep.equal([])
  })

  it('is no copy of the other language', () => {
    expect(codesWhere(({ en, fr }) => en.text === fr.text && !ALIKE.test(en.text))).to.deep.equal(
      [],
    )
  })

  it('has no English words in French', () => {
    expect(codesWhere(({ fr }) => ENGLISH.test(fr.text.replaceAll(/⟨.*?⟩/g, '')))).to.deep.equal([])
  })

  it('has the spaces, the quotation marks and the apostrophes of French', () => {
    expect(codesWhere(({ fr }) => BREAKABLE.test(fr.text) || fr.text.includes('“'))).to.deep.equal(
      [],
    )
  })

  it('has the quotation marks of English', () => {
    expect(codesWhere(({ en }) => /[«»]|(?<=\s)["'](?=\w)/.test(en.text))).to.deep.equal([])
  })

  it('is written out to its end', () => {
    expect(
      codesWhere(({ en, fr }) =>
        [en, fr].some(({ text }) => text.trim() === '' || /undefined|\[object/.test(text)),
      ),
    ).to.deep.equal([])
  })
})
