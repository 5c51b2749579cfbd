import { expect } from 'chai'

import { defineMessages } from '../../pipelines/index.ts'
import { describeMisfits } from '../../src/cli/describe-misfits.ts'

const { invalid } = defineMessages('test-misfits', {
  invalid: {
    en: ({ value }: { value: string }) => `Invalid number: “${value}”`,
    fr: ({ value }) => `Valeur numérique invalide : « ${value} »`,
  },
})
const misfit = (row: number, value: string) => ({
  row,
  column: 'Prix',
  value,
  message: invalid({ value }),
})

describe('cells that do not fit', () => {
  it('are told a terminal by their place and column', () => {
    const cells = [
      { ...misfit(1, 'a'), line: 3 },
      { ...misfit(2, 'b'), line: 4, place: 'Feuil1!B4' },
      misfit(3, 'c\u001b[2J'),
    ]
    expect(describeMisfits(cells, 3).split('\n')).to.deep.equal([
      '3 cells do not fit their columns',
      '  line 3, Prix: Invalid number: “a”',
      '  Feuil1!B4, Prix: Invalid number: “b”',
      '  row 3, Prix: Invalid number: “c [2J”',
    ])
    expect(describeMisfits(cells.slice(0, 1), 1)).to.match(/^1 cell does not fit its column\n/)
  })

  it('are counted where there are too many to tell', () => {
    const cells = Array.from({ length: 100 }, (_, row) => misfit(row + 1, 'x'))
    const told = describeMisfits(cells, 250).split('\n')
    expect(told).to.have.length(22)
    expect(told.at(-1)).to.equal('  and 230 more')
  })
})
