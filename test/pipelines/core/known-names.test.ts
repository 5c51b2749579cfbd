import { expect } from 'chai'

import { knownNames } from '../../../pipelines/core/known-names.ts'
import { refusalMessages } from '../../../pipelines/engine/refusal-messages.ts'

const refused = (names: readonly string[]) =>
  refusalMessages.noColumn({ name: 'Region', ...knownNames(names) })

describe('a column that is not there', () => {
  it('is told with those that are', () => {
    const refusal = refused(['Région', 'Ville'])
    expect(refusal.in('en')).to.equal('There is no column “Region”, but “Région”, “Ville”')
    expect(refusal.in('fr').replaceAll('\u00a0', ' ')).to.equal(
      'Il n’y a pas de colonne « Region », mais « Région », « Ville »',
    )
  })

  it('is told with the first of many, and none at full length', () => {
    const names = Array.from({ length: 1000 }, (_, at) => `c${at}`)
    expect(refused(names).in('en')).to.match(/“c18”, “c19” and 980 others$/)
    expect(refused(['x'.repeat(5000)]).in('en')).to.have.length.below(200)
  })

  it('is told alone where nothing is known, as in what was stored before', () => {
    expect(refusalMessages.noColumn({ name: 'B' }).in('en')).to.equal('There is no column “B”')
  })
})
