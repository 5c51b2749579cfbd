import { expect } from 'chai'

import { rawEntries, rawWorkbook, textRow } from '../../../support/workbooks/raw-workbook.ts'
import { readTable } from '../../../support/workbooks/read-table.ts'
import { zip } from '../../../support/workbooks/zip-writer.ts'

/** A column of numbers in one format. */
async function column(format: number | string, serials: readonly number[], date1904 = false) {
  const rows = serials.map((serial) => `<row><c s="0"><v>${serial}</v></c></row>`).join('')
  const table = await readTable(
    rawWorkbook({ sheets: [{ rows: textRow('valeur') + rows }], formats: [format], date1904 }),
  )
  return {
    values: table.rows.map(([value]) => value),
    kinds: table.kinds.map(([kind]) => kind).join(''),
    report: table.report,
  }
}

describe('dates, times and durations of a workbook', () => {
  it('shows a day as ISO, with its time when there is one', async () => {
    const { values, kinds } = await column(
      14,
      [45_292, 45_292.5, 45_292.524_259_26, 44_197.000_001_16],
    )
    expect(values).to.deep.equal([
      '2024-01-01',
      '2024-01-01T12:00:00',
      '2024-01-01T12:34:56',
      '2021-01-01T00:00:00.100',
    ])
    expect(kinds).to.equal('dddd')
  })

  it('rounds to the millisecond, into the next day where it must', async () => {
    const { values } = await column(22, [45_291.999_999_999_9])
    expect(values).to.deep.equal(['2024-01-01'])
  })

  it('knows the ends of the calendar', async () => {
    const { values, kinds } = await column(14, [2_958_465, 2_958_466, -1, 36_585, 73_109, 73_110])
    expect(values).to.deep.equal([
      '9999-12-31',
      '2958466',
      '-1',
      '2000-02-29',
      '2100-02-28',
      '2100-03-01',
    ])
    expect(kinds).to.equal('dnnddd')
  })

  it('counts as Excel does around the leap day that never was, and shows it without calling it a date', async () => {
    const { values, kinds } = await column(14, [0, 1, 59, 60, 61, 0.5])
    expect(values).to.deep.equal([
      '1899-12-30',
      '1900-01-01',
      '1900-02-28',
      '1900-02-29',
      '1900-03-01',
      '1899-12-30T12:00:00',
    ])
    expect(kinds).to.equal('dddtdd')
  })

  it('counts from 1904 where the workbook says so', async () => {
    const { values, report } = await column(14, [0, 1, 43_830.25], true)
    expect(values).to.deep.equal(['1904-01-01', '1904-01-02', '2024-01-01T06:00:00'])
    expect(report.dialect).to.include({ dateSystem: '1904' })
  })

  it('still counts from 1904 where a newer Excel has added properties of its own', async () => {
    const own = '<extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>'
    const rows = `${textRow('valeur')}<row><c s="0"><v>0</v></c></row>`
    const entries = rawEntries({ sheets: [{ rows }], formats: [14], date1904: true })
    const workbook = entries.map((entry) =>
      entry.name === 'xl/workbook.xml'
        ? { ...entry, content: String(entry.content).replace('</workbook>', own) }
        : entry,
    )
    const table = await readTable(zip(workbook))
    expect(table.rows).to.deep.equal([['1904-01-01']])
    expect(table.report.dialect).to.include({ dateSystem: '1904' })
  })

  it('shows a time without a day as text', async () => {
    const { values, kinds } = await column('hh:mm', [0.5, 0, 0.999_999_99, 0.524259259259259])
    expect(values).to.deep.equal(['12:00:00', '00:00:00', '00:00:00', '12:34:56'])
    expect(kinds).to.equal('tttt')
  })

  it('keeps counting the hours of a duration past a day', async () => {
    const { values, kinds } = await column('[h]:mm:ss', [1.5, 0.25, 10, -0.0625])
    expect(values).to.deep.equal(['36:00:00', '06:00:00', '240:00:00', '-01:30:00'])
    expect(kinds).to.equal('tttt')
  })

  it('shows fractions of a second where the format does', async () => {
    const { values } = await column('mm:ss.000', [0.000_017_361])
    expect(values).to.deep.equal(['00:00:01.500'])
  })

  it('reads cells that hold ISO dates themselves', async () => {
    const texts = [
      '2024-01-31',
      '2024-01-31T10:20:30.5Z',
      '2024-01-31T00:00:00',
      'T10:20',
      'bientôt',
    ]
    const rows = texts.map((text) => `<row><c t="d"><v>${text}</v></c></row>`).join('')
    const table = await readTable(rawWorkbook({ sheets: [{ rows: textRow('jour') + rows }] }))
    expect(table.rows.map(([value]) => value)).to.deep.equal([
      '2024-01-31',
      '2024-01-31T10:20:30.500',
      '2024-01-31',
      '10:20:00',
      'bientôt',
    ])
    expect(table.kinds.map(([kind]) => kind).join('')).to.equal('dddtt')
  })

  it('knows the format of a style wherever it is written, but not that of a condition', async () => {
    const formats = '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>'
    const used = '<cellXfs><xf numFmtId="164"/></cellXfs>'
    const other = '<dxfs><dxf><numFmt numFmtId="164" formatCode="0.00"/></dxf></dxfs>'
    for (const content of [formats + used + other, used + formats + other]) {
      const rows = `${textRow('a')}<row><c s="0"><v>45292</v></c></row>`
      const entries = rawEntries({ sheets: [{ rows }] }).map((entry) =>
        entry.name === 'xl/styles.xml'
          ? { ...entry, content: `<styleSheet>${content}</styleSheet>` }
          : entry,
      )
      expect((await readTable(zip(entries))).rows).to.deep.equal([['2024-01-01']])
    }
  })

  it('takes a style that does not exist for a plain one', async () => {
    const rows = `${textRow('a')}<row><c s="99"><v>45292</v></c></row>`
    const table = await readTable(rawWorkbook({ sheets: [{ rows }], formats: [14] }))
    expect(table.rows).to.deep.equal([['45292']])
  })
})
