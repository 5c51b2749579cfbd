import { expect } from 'chai'

import { EngineError } from '../../../pipelines/core/errors.ts'
import { checkOverrides, overrideOf } from '../../../pipelines/transforms/value-context.ts'

describe('Columns named in the options', () => {
  const nom = { name: 'Nom', type: 'text' } as const
  const date = { name: 'Né le', type: 'date', dateFormat: 'DD/MM/YYYY' } as const

  it('are found by normalised header', () => {
    expect(overrideOf([nom, date], 'Né le')).to.equal(date)
    expect(overrideOf([nom, date], 'nom')).to.equal(null)
  })

  it('may be of any type, and dates may have a format', () => {
    checkOverrides([nom, date])
  })

  const refused: [title: string, check: () => void, pointer: string][] = [
    ['must be named once', () => checkOverrides([nom, date, nom]), '/columns/2/name'],
    [
      'have a date format only as dates',
      () => checkOverrides([{ name: 'Nom', type: 'number', dateFormat: 'YYYY-MM-DD' }]),
      '/columns/0/dateFormat',
    ],
    [
      'have a pattern only as dates',
      () => checkOverrides([{ name: 'Nom', type: 'number', pattern: 'yyyyMMdd' }]),
      '/columns/0/pattern',
    ],
    [
      'have a pattern or a date format',
      () => checkOverrides([{ ...date, pattern: 'yyyyMMdd' }]),
      '/columns/0/pattern',
    ],
    [
      'have a pattern that can be read',
      () => checkOverrides([nom, { name: 'Le', type: 'date', pattern: 'YYYYMMDD' }]),
      '/columns/1/pattern',
    ],
  ]
  for (const [title, check, pointer] of refused) {
    it(title, () => {
      expect(check)
        .to.throw(EngineError)
        .with.property('problem')
        .that.deep.equals({ kind: 'options', pointer })
    })
  }
})
