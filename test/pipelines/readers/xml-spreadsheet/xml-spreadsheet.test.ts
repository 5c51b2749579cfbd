import { expect } from 'chai'

import { xmlSpreadsheetFormat } from '../../../../pipelines/readers/xml-spreadsheet/index.ts'
import { describeReader, failure, inChunks, readTable } from '../../../contracts/reader.ts'
import { textFixtures } from '../../../support/fixtures.ts'

const inputs = textFixtures('xml-spreadsheet')
const format = xmlSpreadsheetFormat
const tableOf = (bytes: Buffer, options = {}) =>
  readTable(format, () => inChunks(bytes, 64 * 1024), { options })

const book = (rows: string) =>
  Buffer.from(
    `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table>${rows}</Table></Worksheet></Workbook>`,
  )
const row = (...cells: string[]) =>
  `<Row>${cells.map((cell) => `<Cell><Data ss:Type="String">${cell}</Data></Cell>`).join('')}</Row>`

function large(): Buffer {
  const rows = Array.from({ length: 6000 }, (_, at) => row(String(at), `n° ${Math.sin(at)}`))
  return book(row('id', 'note') + rows.join('\n'))
}

describeReader('The reader of XML Spreadsheet', { format, inputs, large })

describe('Values of XML Spreadsheet', () => {
  it('are those that cells say they have', async () => {
    const { headers, rows } = await tableOf(inputs[0]!.bytes)
    expect(headers).to.deep.equal(['Nom', 'Jour', 'Heure', 'Prix', 'Payé', 'Calcul'])
    expect(rows).to.deep.equal([
      ['Amélie', '2024-01-31', '08:30:00', '12.500000000000002', 'true', '25'],
      [null, null, null, null, null, null],
      ['Zoé', null, null, '-7', 'false', null],
    ])
  })

  it('of hidden sheets are read where they are named', async () => {
    const { headers } = await tableOf(inputs[0]!.bytes, { sheet: 'Listes' })
    expect(headers).to.deep.equal(['oui'])
  })

  it('are refused where the file is cut', async () => {
    const { message } = await failure(tableOf(large().subarray(0, 200_000)))
    expect(message).to.match(/damaged/)
  })
})
