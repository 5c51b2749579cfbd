import { expect } from 'chai'

import { Outcome } from '../../../pipelines/encoders/outcome.ts'
import { invalidCellMessage, shownValue } from '../../../pipelines/transforms/cell-messages.ts'
import { OutcomeTally } from '../../../pipelines/transforms/evidence.ts'
import { columnOf } from '../cells.ts'

describe('What is said of an invalid cell', () => {
  it('begins with what is wrong, by type, and names the value', () => {
    expect(invalidCellMessage('date', '31/02/2024', 'DD/MM/YYYY')).to.equal(
      'Format de date invalide : « 31/02/2024 » (format attendu : DD/MM/YYYY)',
    )
    expect(invalidCellMessage('number', 'abc')).to.equal('Valeur numérique invalide : « abc »')
    expect(invalidCellMessage('boolean', 'x')).to.equal('Valeur booléenne invalide : « x »')
    expect(invalidCellMessage('json', '{')).to.equal('Valeur JSON invalide : « { »')
  })

  it('shows a long value cut between characters', () => {
    const batch = columnOf(['😀'.repeat(201), '😀'.repeat(200), null])
    expect(shownValue(batch, 0)).to.equal(`${'😀'.repeat(200)}…`)
    expect(shownValue(batch, 1)).to.equal('😀'.repeat(200))
    expect(shownValue(batch, 2)).to.equal('')
  })

  it('shows a NUL by its picture, so that a report of it can be stored', () => {
    expect(shownValue(columnOf(['a\0b']), 0)).to.equal('a\u2400b')
  })
})

describe('The tally of a load', () => {
  it('takes the place of what the sample counted', () => {
    const tally = new OutcomeTally(2)
    const other = new OutcomeTally(2)
    tally.add(1, Outcome.blank)
    tally.add(1, Outcome.fallbackParsed)
    other.add(1, Outcome.blank)
    other.add(0, Outcome.invalid)
    tally.merge(other)
    const sampled = {
      sampled: 3,
      candidates: [],
      nulls: { epoch: 1 },
      fallbackParsed: 0,
      counterExample: null,
      ambiguous: false,
    }
    expect(tally.complete(1, sampled)).to.deep.equal({
      ...sampled,
      nulls: { blank: 2 },
      fallbackParsed: 1,
    })
    expect(tally.count(0, Outcome.invalid)).to.equal(1)
  })
})
