import { join } from 'node:path'

import { expect } from 'chai'

import { readSheets, SHEETS } from '../../../benchmarks/outline/labelled-sheets.ts'
import { accuracy, markSheet } from '../../../benchmarks/outline/marks.ts'
import { seeSheet } from '../../../benchmarks/outline/see-sheet.ts'

const SEEN = ['delimiter', 'header rows', 'data begins', 'data ends', 'column names']

describe('the table in a sheet that people labelled', () => {
  for (const sheet of readSheets(join(SHEETS, 'studied'))) {
    it(`is seen as labelled in ${sheet.name}`, async () => {
      const { delimiter, header, firstRow, lastRow, columns } = await seeSheet(sheet)
      const { label } = sheet
      const isText = sheet.form === 'text'
      expect({ delimiter, header, firstRow, lastRow }).to.deep.equal({
        delimiter: isText ? label.delimiter : undefined,
        header: label.header,
        firstRow: label.firstRow,
        lastRow: label.lastRow,
      })
      const wanted = label.columns.map((name) => name.trim())
      expect(columns.slice(0, wanted.length).map((name) => name.trim())).to.deep.equal(wanted)
    })
  }

  it('is seen in nearly all of those that were held out', async () => {
    const marked = []
    for (const sheet of readSheets(join(SHEETS, 'held-out'))) {
      marked.push(markSheet(sheet, await seeSheet(sheet)))
    }
    expect(marked).to.have.length.above(100)
    for (const name of SEEN) expect(accuracy(marked, name), name).to.be.at.least(97)
  })
})
