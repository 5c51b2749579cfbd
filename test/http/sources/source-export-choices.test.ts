import ExcelJS from 'exceljs'
import { expect } from 'chai'
import { parquetReadObjects } from 'hyparquet'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile } from '../../support/sources.ts'

describe('some of the rows of a source', () => {
  const app = useApp()
  let client: TestClient

  before(async () => {
    client = app.client.as(await app.build.user())
  })

  it('are exported in every format as far as they pass the conditions', async () => {
    const csv = "n,t\n1,l'été\n2,plain\n3,\\'; select 1 --\n4,\n"
    const source = await created(createFromFile(client, csv))
    const bytesOf = async (format: string, conditions: Record<string, string>) => {
      const query = new URLSearchParams({ format, ...conditions })
      const response = await fetch(`${app.address}/sources/${source.uuid}/export?${query}`, {
        headers: { 'x-app-access-token': await client.token() },
      })
      expect(response.status).to.equal(200)
      return response.arrayBuffer()
    }
    const textOf = async (format: string, conditions: Record<string, string>) =>
      Buffer.from(await bytesOf(format, conditions)).toString()
    const passing = { 'filter[n][gte]': '2', 'filter[t][contains]': "'" }
    expect(await textOf('csv', passing)).to.equal("n,t\n3,\\'; select 1 --\n")
    expect(await textOf('csv', { 'filter[t]': "\\'; select 1 --" })).to.match(/^n,t\n3,[^\n]*\n$/)
    expect(await textOf('csv', { 'filter[n][gt]': '4' })).to.equal('n,t\n')
    expect(await textOf('ndjson', { 'filter[t][blank]': 'true' })).to.equal('{"n":4,"t":null}\n')
    const workbook = new ExcelJS.Workbook()
    await workbook.xlsx.load(await bytesOf('xlsx', passing))
    expect(workbook.worksheets[0]!.rowCount).to.equal(2)
    const rows = await parquetReadObjects({ file: await bytesOf('parquet', passing) })
    expect(rows).to.deep.equal([{ n: 3n, t: "\\'; select 1 --" }])
    const refused = await client.get(`/sources/${source.uuid}/export?filter[n][gt]=many`)
    expect(refused.status, refused.text).to.equal(400)
    expect(refused.body.errors[0].pointer).to.equal('/query/filter[n][gt]')
  })

  it('are exported in every format with the columns that are named, in the order of one of them', async () => {
    const csv = 'Shop;Amount;Note\nRiver;10;a\nHarbour;9;b\nMill;;c\nQuay;100;d\n'
    const source = await created(createFromFile(client, csv))
    const answered = async (query: string) =>
      fetch(`${app.address}/sources/${source.uuid}/export?${query}`, {
        headers: { 'x-app-access-token': await client.token() },
      })
    const wanted = 'columns=Amount&columns=Shop&sort=Amount&order=desc'
    expect(await (await answered(wanted)).text()).to.equal(
      'Amount,Shop\n100,Quay\n10,River\n9,Harbour\n,Mill\n',
    )
    expect(
      await (await answered('columns=Shop&sort=Amount&filter[Amount][lt]=50')).text(),
    ).to.equal('Shop\nHarbour\nRiver\n')
    expect(await (await answered('columns=Note&order=desc')).text()).to.equal('Note\nd\nc\nb\na\n')
    const lines = (await (await answered(`${wanted}&format=ndjson`)).text()).split('\n')
    expect(lines[0]).to.equal('{"Amount":100,"Shop":"Quay"}')
    const workbook = new ExcelJS.Workbook()
    await workbook.xlsx.load(await (await answered(`${wanted}&format=xlsx`)).arrayBuffer())
    expect(workbook.worksheets[0]!.getColumn(2).values.slice(1)).to.deep.equal([
      'Shop',
      'Quay',
      'River',
      'Harbour',
      'Mill',
    ])
    const file = await (await answered(`${wanted}&format=parquet`)).arrayBuffer()
    expect((await parquetReadObjects({ file }))[0]).to.deep.equal({ Amount: 100n, Shop: 'Quay' })
    for (const [query, pointer] of [
      ['sort=Gone', '/query/sort'],
      ['columns=Shop&columns=Gone', '/query/columns'],
    ] as const) {
      const refused = await client.get(`/sources/${source.uuid}/export?${query}`)
      expect(refused.status, query).to.equal(400)
      expect(refused.body.errors[0].pointer).to.equal(pointer)
    }
    expect((await answered('columns=Shop&columns=Shop')).status).to.equal(400)
  })
})
