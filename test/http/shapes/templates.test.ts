import ExcelJS from 'exceljs'
import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import { created, createFromFile } from '../../support/sources.ts'

const COLUMNS = [
  { name: 'Réf; n°', type: 'text', rules: [{ required: true }, { matches: '^[A-Z]-\\d+$' }] },
  { name: 'Début', type: 'date', dateFormat: 'DD/MM/YYYY', description: 'Premier jour' },
  { name: 'Montant', type: 'number', rules: [{ minimum: 0, message: 'Jamais négatif' }] },
  { name: 'État', type: 'text', rules: [{ oneOf: ['ouvert', 'fermé'] }] },
]

describe('templates of shapes', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())

  it('are workbooks with formats, drop-downs and notes, which load when they are filled in', async () => {
    const as = await admin()
    const { uuid } = await created(as.post('/shapes', { name: 'Devis', columns: COLUMNS }))
    const answer = await fetch(`${app.address}/shapes/${uuid}/template`, {
      headers: { 'x-app-access-token': await as.token(), 'accept-language': 'fr' },
    })
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('content-disposition')).to.include('Devis.xlsx')
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(await answer.arrayBuffer())
    const sheet = book.worksheets[0]!
    const header = COLUMNS.map((_, at) => sheet.getRow(1).getCell(at + 1).value)
    expect(header).to.deep.equal(COLUMNS.map(({ name }) => name))
    const noteOf = (address: string) => JSON.stringify(sheet.getCell(address).note)
    expect(noteOf('A1')).to.include('obligatoirement').and.to.include('^[A-Z]-')
    expect(noteOf('B1')).to.include('Premier jour')
    expect(noteOf('C1')).to.include('Jamais négatif')
    expect(sheet.getCell('B2').numFmt).to.equal('dd/mm/yyyy')
    expect(sheet.getCell('D2').dataValidation.formulae).to.deep.equal(['"ouvert,fermé"'])

    sheet.addRow(['A-1', new Date('2024-02-01'), 12.5, 'ouvert'])
    const filled = new Uint8Array(await book.xlsx.writeBuffer())
    const source = await created(createFromFile(as, filled, { shapeUuid: uuid }, 'devis.xlsx'))
    expect(source).to.include({ rowCount: 1 })
    const { body } = await as.get(`/sources/${source.uuid}/data`)
    expect(body.items).to.deep.equal([
      { 'Réf; n°': 'A-1', Début: '2024-02-01', Montant: 12.5, État: 'ouvert' },
    ])
  })

  it('have long drop-downs in a hidden sheet, and load with no question all the same', async () => {
    const as = await admin()
    const departments = Array.from({ length: 101 }, (_, at) => `Département ${at}, France`)
    const columns = [
      { name: 'Lieu', type: 'text', rules: [{ oneOf: departments }] },
      { name: 'Taux', type: 'number', rules: [{ oneOf: [5.5, 10, 20] }] },
      { name: 'État', type: 'text', rules: [{ oneOf: ['ouvert', 'fermé'] }] },
    ]
    const { uuid } = await created(as.post('/shapes', { name: 'Lieux', columns }))
    const answer = await fetch(`${app.address}/shapes/${uuid}/template`, {
      headers: { 'x-app-access-token': await as.token() },
    })
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(await answer.arrayBuffer())
    const [sheet, lists] = book.worksheets
    const choices = ['A2', 'B2', 'C2'].map((cell) => sheet!.getCell(cell).dataValidation.formulae)
    expect(choices).to.deep.equal([
      ['_lists!$A$1:$A$101'],
      ['_lists!$B$1:$B$3'],
      ['"ouvert,fermé"'],
    ])
    expect(lists!.state).to.equal('veryHidden')
    expect([lists!.getCell('A101').value, lists!.getCell('B1').value]).to.deep.equal([
      departments[100],
      5.5,
    ])
    sheet!.addRow([departments[100], 5.5, 'fermé'])
    const filled = new Uint8Array(await book.xlsx.writeBuffer())
    const source = await created(createFromFile(as, filled, { shapeUuid: uuid }, 'lieux.xlsx'))
    expect(source).to.include({ rowCount: 1, rejectedCount: 0 })
    const { body } = await as.get(`/sources/${source.uuid}/loads`)
    expect(body.items[0].questions).to.deep.equal([])
  })

  it('are a header in CSV', async () => {
    const as = await admin()
    const { uuid } = await created(as.post('/shapes', { name: 'Devis', columns: COLUMNS }))
    const { status, text } = await as.get(`/shapes/${uuid}/template?format=csv`)
    expect(status).to.equal(200)
    expect(text.replace('\ufeff', '')).to.equal('"Réf; n°";Début;Montant;État\r\n')
  })
})
