import { expect } from 'chai'

import { FORMATS, LAYOUTS, layoutOrder } from '../../../pipelines/dates/formats.ts'

const SHOWN = {
  'ISO 8601': 'YYYY-MM-DD',
  'YYYY-MM-DD': 'YYYY-MM-DD',
  'YYYY/MM/DD': 'YYYY-MM-DD',
  'DD/MM/YYYY': 'DD/MM/YYYY',
  'DD/MM/YY': 'DD/MM/YYYY',
  'MM/DD/YYYY': 'MM/DD/YYYY',
  'MM-DD-YYYY': 'MM/DD/YYYY',
  'DD-MM-YYYY': 'DD-MM-YYYY',
  'DD.MM.YYYY': 'DD-MM-YYYY',
}

describe('Date formats', () => {
  it('have a name of their own each, 17 in all', () => expect(new Set(FORMATS).size).to.equal(17))

  it('are each shown as one of four notations', () => {
    expect(Object.fromEntries(LAYOUTS.map(({ name, shownAs }) => [name, shownAs]))).to.deep.equal(
      SHOWN,
    )
  })

  it('are tried in the notation of the named one first, then in its other layouts', () => {
    const names = [...layoutOrder('MM/DD/YYYY', null)].map((at) => LAYOUTS[at]!.name)
    expect(names.slice(0, 3)).to.deep.equal(['MM/DD/YYYY', 'MM-DD-YYYY', 'ISO 8601'])
    expect(names).to.have.members(Object.keys(SHOWN))
  })

  it('are tried from the detected one on', () => {
    const names = [...layoutOrder('DD/MM/YYYY', 'DD/MM/YY')].map((at) => LAYOUTS[at]!.name)
    expect(names.slice(0, 3)).to.deep.equal(['DD/MM/YY', 'DD/MM/YYYY', 'ISO 8601'])
  })
})
