import { expect } from 'chai'

import { excelFixtures } from '../../../support/fixtures.ts'
import { readTable } from '../../../support/workbooks/read-table.ts'

describe('workbooks as people send them', () => {
  for (const { name, about, bytes, options, table } of excelFixtures()) {
    it(`${name}: ${about}`, async () => {
      const { headers, rows, kinds, faults } = await readTable(bytes, { options })
      expect({ headers, rows, kinds }).to.deep.equal(table)
      expect(faults).to.deep.equal([])
    })
  }
})
