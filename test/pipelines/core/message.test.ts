import { expect } from 'chai'

import {
  Catalogue,
  compte,
  counted,
  defineMessages,
  fr,
  languageNamed,
} from '../../../pipelines/index.ts'

const messages = defineMessages('toy', {
  empty: { en: 'The file is empty.', fr: 'Le fichier est vide !' },
  line: {
    en: ({ line, value }: { line: number; value: string }) => `Line ${line}: “${value}”.`,
    fr: ({ line, value }) => fr`Ligne ${line} : « ${value} ».`,
  },
  all: {
    en: ({ told }: { told: readonly string[] }) => told.join('; '),
    fr: ({ told }) => told.join(' ; '),
  },
})

describe('messages', () => {
  const catalogue = new Catalogue([messages])

  it('says the same in both languages, and in English in a log', () => {
    const message = messages.line({ line: 3, value: 'a : b' })
    expect(message.in('en')).to.equal('Line 3: “a : b”.')
    expect(message.in('fr')).to.equal('Ligne 3\u00a0: «\u00a0a : b\u00a0».')
    expect(String(message)).to.equal('Line 3: “a : b”.')
  })

  it('sets the spaces of French where a text has no values', () => {
    expect(messages.empty().in('fr')).to.equal('Le fichier est vide\u00a0!')
  })

  it('writes numbers of things with the digits grouped as in both languages', () => {
    for (const count of [0, 1, 2, 999, 1000, 12_345, 999_999, 1_234_567, 2 ** 53 - 1, -1234]) {
      const english = new Intl.NumberFormat('en').format(count)
      expect(counted(count, 'row', 'rows')).to.equal(`${english} ${count === 1 ? 'row' : 'rows'}`)
      const french = new Intl.NumberFormat('fr').format(count)
      const word = Math.abs(count) < 2 ? 'ligne' : 'lignes'
      expect(compte(count, 'ligne', 'lignes')).to.equal(`${french}\u00a0${word}`)
    }
  })

  it('says messages inside of messages in the language of the whole', () => {
    const message = messages.all({ told: [messages.empty(), 'x'] })
    expect(message.in('fr')).to.equal('Le fichier est vide\u00a0! ; x')
  })

  it('keeps a code and values, and says them again in any language', () => {
    const message = messages.all({ told: [messages.line({ line: 3, value: 'x' })] })
    const stored: unknown = JSON.parse(JSON.stringify({ detail: message, rows: [1, null] }))
    expect(stored).to.deep.equal({
      detail: {
        code: 'toy.all',
        values: { told: [{ code: 'toy.line', values: { line: 3, value: 'x' } }] },
      },
      rows: [1, null],
    })
    expect(catalogue.sayAll(stored, 'en')).to.deep.equal({
      detail: 'Line 3: “x”.',
      rows: [1, null],
    })
    expect(catalogue.json(stored, 'en')).to.equal('{"detail":"Line 3: “x”.","rows":[1,null]}')
    expect(catalogue.json({ detail: message }, 'en')).to.equal('{"detail":"Line 3: “x”."}')
  })

  it('shows the code of a message whose text no longer exists', () => {
    expect(catalogue.say({ code: 'gone.format', values: {} }, 'fr')).to.equal('gone.format')
  })

  it('leaves what is not a message as it is', () => {
    const date = new Date(0)
    const value = { code: 'toy.empty', values: {}, more: 1, date, text: 'Old text' }
    expect(catalogue.sayAll(value, 'fr')).to.deep.equal(value)
    expect(catalogue.json(value, 'fr')).to.equal(JSON.stringify(value))
    expect(catalogue.json({ values: [date, 1] }, 'fr')).to.equal(
      '{"values":["1970-01-01T00:00:00.000Z",1]}',
    )
    expect(catalogue.sayAll({ code: 'EURO', values: {} }, 'fr')).to.deep.equal({
      code: 'EURO',
      values: {},
    })
  })

  it('refuses two messages of one name', () => {
    expect(() => new Catalogue([messages, messages])).to.throw('toy.empty')
  })
})

describe('languages', () => {
  it('reads the language that a text begins with', () => {
    const texts = ['fr', 'FR-ca', 'en_US:en', 'en', 'de', 'english', 'C.UTF-8', '']
    expect(texts.map(languageNamed)).to.deep.equal(['fr', 'fr', 'en', 'en', null, null, null, null])
  })

  it('counts as each language does', () => {
    expect([0, 1, 2, 1234].map((n) => counted(n, 'row', 'rows'))).to.deep.equal([
      '0 rows',
      '1 row',
      '2 rows',
      '1,234 rows',
    ])
    expect([0, 1, 2, 1234].map((n) => compte(n, 'ligne', 'lignes'))).to.deep.equal([
      '0\u00a0ligne',
      '1\u00a0ligne',
      '2\u00a0lignes',
      '1\u202f234\u00a0lignes',
    ])
  })
})
