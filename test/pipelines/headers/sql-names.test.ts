import { expect } from 'chai'
import * as fc from 'fast-check'

import { EngineError } from '../../../pipelines/core/errors.ts'
import { sqlNames } from '../../../pipelines/headers/sql-names.ts'

const MOST = 1590

describe('Column names in SQL', () => {
  const cases: [header: string, name: string][] = [
    ['Nom', 'nom'],
    ['Prénom du client', 'prenom_du_client'],
    ['Sans titre 1', 'sans_titre_1'],
    ['Œuvre & Straße', 'oeuvre_strasse'],
    ['Søren Łódź', 'soren_lodz'],
    ['dateDeNaissance', 'date_de_naissance'],
    ['IDClient', 'id_client'],
    ['PRIX HT (€)', 'prix_ht'],
    ['N° SIRET', 'n_siret'],
    ['  espaces  ', 'espaces'],
    ['2024', '_2024'],
    ['_row', 'row'],
    ['???', 'colonne'],
    ['😀', 'colonne'],
    ['名前', '名前'],
    ['がぎ', 'がぎ'],
    ['Имя клиента', 'имя_клиента'],
    ['Ａｂｃ', 'abc'],
    ['order', 'order'],
    ['__proto__', 'proto'],
    ['a\0b', 'a_b'],
    ['\ud800x', 'x'],
  ]
  for (const [header, name] of cases) {
    it(`makes ${JSON.stringify(name)} of ${JSON.stringify(header)}`, () => {
      expect(sqlNames([header], MOST)).to.deep.equal([name])
    })
  }

  it('numbers names that fold to the same, skipping names that are taken', () => {
    expect(sqlNames(['Été', 'ete', 'ete_2'], MOST)).to.deep.equal(['ete', 'ete_3', 'ete_2'])
  })

  it('looks at the beginning of a header of megabytes alone', () => {
    expect(sqlNames(['É'.repeat(2_000_000)], MOST)).to.deep.equal(['e'.repeat(63)])
    expect(sqlNames(['x'.repeat(1023) + '😀'], MOST)).to.deep.equal(['x'.repeat(63)])
  })

  it("avoids the names of Postgres's own columns", () => {
    expect(sqlNames(['xmin', 'ctid', 'XMIN'], MOST)).to.deep.equal(['xmin_2', 'ctid_2', 'xmin_3'])
  })

  it('keeps 200 long headers apart that share their first 63 bytes', () => {
    const headers = Array.from({ length: 200 }, (_, at) => `${'漢'.repeat(200)}${at}`)
    const names = sqlNames(headers, MOST)
    expect(new Set(names).size).to.equal(200)
    expect(names[0]).to.equal('漢'.repeat(21))
    expect(names[1]).to.equal(`${'漢'.repeat(20)}_2`)
    for (const name of names) expect(Buffer.byteLength(name)).to.be.at.most(63)
  })

  it('never names a column as another, _row, nothing, or longer than 63 bytes', () => {
    const header = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom('_row', 'a', 'A', 'á', 'a_2', ''),
    )
    fc.assert(
      fc.property(fc.array(header, { maxLength: 30 }), (headers) => {
        const names = sqlNames(headers, MOST)
        expect(new Set(names).size).to.equal(headers.length)
        for (const name of names) {
          expect(Buffer.byteLength(name)).to.be.within(1, 63)
          expect(name).to.not.equal('_row')
          expect(name).to.equal(Buffer.from(name).toString())
          expect(name).to.equal(name.toLowerCase())
        }
      }),
    )
  })

  it('names late columns around those that have names already', () => {
    expect(sqlNames(['Nom', 'autre'], MOST, ['nom'])).to.deep.equal(['nom_2', 'autre'])
  })

  it('refuses more columns than a table holds, and says how many', () => {
    const headers = Array.from({ length: 1591 }, (_, at) => `c${at}`)
    expect(() => sqlNames(headers, MOST))
      .to.throw(EngineError, /1591.*1590/)
      .with.nested.property('problem.kind', 'limit')
    expect(sqlNames(headers.slice(1), MOST)).to.have.length(1590)
  })
})
