import { expect } from 'chai'
import * as fc from 'fast-check'

import { foldName } from '../../../pipelines/index.ts'

describe('Folding of headers', () => {
  const alike: readonly (readonly string[])[] = [
    [
      'Client',
      'client',
      'CLIENT',
      ' Client ',
      'Client\u00a0',
      '\u200bclient',
      'clïent',
      '"Client"',
    ],
    ['Date de début', 'DATE_DE_DEBUT', 'date-de-début', 'Date de\ndébut', 'dateDeDébut'],
    ['N° dossier', 'n° dossier', 'N°dossier'],
    ['œuvre', 'OEUVRE'],
    ['Population 2023-2024', 'population_2023/2024'],
    ['Ｃｌｉｅｎｔ', 'client'],
  ]
  for (const names of alike) {
    it(`takes ${names.map((name) => JSON.stringify(name)).join(' and ')} for one`, () => {
      expect(new Set(names.map(foldName)).size).to.equal(1)
    })
  }

  const apart: readonly (readonly [string, string])[] = [
    ['2,5 km', '25 km'],
    ['< 65', '> 65'],
    ['Montant €', 'Montant $'],
    ['Prix', 'Prix +'],
    ['年月日', '年月'],
    ['A 1 2', 'A 12'],
  ]
  for (const [one, other] of apart) {
    it(`tells “${one}” from “${other}”`, () => {
      expect(foldName(one)).not.to.equal(foldName(other))
    })
  }

  it('leaves nothing of names without letters, digits and signs', () => {
    for (const name of ['', ' ', '--', '%', '…']) expect(foldName(name)).to.equal('')
  })

  it('changes nothing when it runs again', () => {
    expect(foldName('a¨')).to.equal('a')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (name) => {
        expect(foldName(foldName(name))).to.equal(foldName(name))
      }),
    )
  })
})
