import { expect } from 'chai'
import ExcelJS from 'exceljs'

import { type Api, createApi } from '../../support/api.ts'
import { useApp } from '../../support/app.ts'
import { found } from '../../support/patience.ts'

/** What a new user tries in the first hour, by the names and types of the document. */
describe('the first hour', () => {
  const app = useApp()
  let api: Api

  before(async () => {
    const enterprise = await app.build.enterprise()
    api = createApi(app.client.as(await app.build.user({ role: 'admin', enterprise })))
  })

  function form(tableName: string, file: Blob | string, options: object = {}): FormData {
    const data = new FormData()
    data.set('source', 'file')
    data.set('name', tableName)
    data.set('tableName', tableName)
    data.set('options', JSON.stringify(options))
    data.set('file', new Blob([file]), tableName)
    return data
  }

  it('loads what an accountant sends: semicolons, decimal commas, days first', async () => {
    const csv = 'Date;Client;Montant\n03/01/2024;Zoé;1 234,56\n31/01/2024;Noël;0,50\n'
    const body = form('ecritures', csv)
    const source = await api.call('POST /sources', 201, { body })
    expect(source.columns.map(({ type }) => type)).to.deep.equal(['date', 'text', 'number'])
    const params = { uuid: source.uuid }
    const data = await api.call('GET /sources/{uuid}/data', 200, { params, query: { limit: 1 } })
    expect(data.items).to.deep.equal([{ Date: '2024-01-03', Client: 'Zoé', Montant: 1234.56 }])
  })

  it('finds the table of a workbook below its title', async () => {
    const workbook = new ExcelJS.Workbook()
    workbook
      .addWorksheet('Clients')
      .addRows([['Clients 2024'], [], ['Nom', 'Solde'], ['Zoé', 12.5]])
    const file = new Blob([await workbook.xlsx.writeBuffer()])
    const source = await api.call('POST /sources', 201, { body: form('clients', file) })
    expect(source.columns.map(({ name }) => name)).to.deep.equal(['Nom', 'Solde'])
    expect(source.rowCount).to.equal(1)
  })

  it('takes the export of a form, one object a line', async () => {
    const lines = [
      { nom: 'Zoé', choix: ['a', 'b'] },
      { nom: 'Noël', remarque: 'urgent' },
    ]
    const body = form('reponses', lines.map((line) => JSON.stringify(line)).join('\n'))
    const source = await api.call('POST /sources', 201, { body })
    expect(source.columns.map(({ name, type }) => [name, type])).to.deep.equal([
      ['nom', 'text'],
      ['choix', 'json'],
      ['remarque', 'text'],
    ])
  })

  it('names the wrong date in row 12,345, and leaves nothing of the file', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      index === 12_344 ? '31/02/2024;x' : '15/01/2024;x',
    )
    const body = form('longue', `Date;Note\n${rows.join('\n')}\n`)
    const problem = await api.call('POST /sources', 400, { body })
    expect(problem.detail).to.match(/^Invalid date format/)
    expect(problem.errors).to.have.lengthOf(1)
    expect(problem.errors![0]).to.include({ row: 12_345, line: 12_346, value: '31/02/2024' })
    const { items } = await api.call('GET /sources', 200, { query: { search: 'longue' } })
    expect(items).to.deep.equal([])
  })

  it('keeps the wrong row to be corrected, when asked to', async () => {
    const csv = 'Date;Note\n15/01/2024;a\n16/01/2024;b\n17/01/2024;c\n18/01/2024;d\n31/02/2024;e\n'
    const body = form('a_corriger', csv, { onInvalid: 'skip' })
    const source = await api.call('POST /sources', 201, { body })
    expect(source).to.include({ rowCount: 4, rejectedCount: 1 })
  })

  it('shows progress to a second terminal, until the job is done', async () => {
    const job = await api.call('POST /sources', 202, {
      body: form('en_fond', 'a;b\n1;2\n'),
      headers: { prefer: 'respond-async' },
    })
    const params = { uuid: job.uuid }
    const { progress } = await found('the job is done', async () => {
      const shown = await api.call('GET /jobs/{uuid}', 200, { params })
      expect(shown.status).to.be.oneOf(['QUEUED', 'RUNNING', 'SUCCEEDED'])
      return shown.status === 'SUCCEEDED' ? shown : null
    })
    expect(progress.rows).to.equal(1)
  })
})
