import { randomBytes } from 'node:crypto'

import ExcelJS from 'exceljs'
import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile } from '../../support/sources.ts'
import { eventually } from '../../support/patience.ts'

const HOSTILE = [
  'id;__proto__;constructor;Date;Quand;Vrai;Montant;Formule',
  '1;a;"b ""x""";01/02/2024;2024-01-31T09:30:00Z;oui;12345678901234567890,123456789;=1+1',
  '2;;" deux\nlignes ";;;non;;+x',
  '3;é🎉;"c,d";13/12/1999;2024-01-31T09:30:00.250Z;oui;0,10;ok',
].join('\n')

const ROWS = [
  {
    id: 1,
    ['__proto__']: 'a',
    constructor: 'b "x"',
    Date: '2024-02-01',
    Quand: '2024-01-31T09:30:00.000Z',
    Vrai: true,
    Formule: '=1+1',
  },
]

describe('the rows of a source', () => {
  const app = useApp()
  let client: TestClient
  let uuid: string

  before(async () => {
    client = app.client.as(await app.build.user())
    const options = { columns: [{ name: 'Montant', type: 'number' }] }
    uuid = (await created(createFromFile(client, HOSTILE, { name: 'Hostile "é"', options }))).uuid
  })

  const data = (query = '') => client.get(`/sources/${uuid}/data${query}`)

  it('are keyed by header, whatever it is called, with blanks as null', async () => {
    const { body, text } = await data()
    expect(body).to.include({ total: 3, page: 1, limit: 50 })
    expect(Object.keys(body.items[0])).to.deep.equal(
      body.columns.map(({ name }: { name: string }) => name),
    )
    const [first, second] = body.items
    for (const [key, value] of Object.entries(ROWS[0]!)) {
      expect(Object.getOwnPropertyDescriptor(first, key)?.value).to.equal(value)
    }
    expect(Object.getOwnPropertyDescriptor(second, '__proto__')?.value).to.equal(null)
    expect(second).to.deep.include({ constructor: ' deux\nlignes ', Date: null, Vrai: false })
    expect(text).to.include('"Montant":12345678901234567890.123456789')
    expect(text).to.include('"Montant":0.10')
  })

  it('come in pages, in the order of the source or against it', async () => {
    const ids = async (query: string) =>
      (await data(query)).body.items.map(({ id }: { id: number }) => id)
    expect(await ids('?limit=2')).to.deep.equal([1, 2])
    expect(await ids('?limit=2&page=2')).to.deep.equal([3])
    expect(await ids('?limit=2&page=1000000')).to.deep.equal([])
    expect(await ids('?order=desc&limit=2')).to.deep.equal([3, 2])
    expect(await ids('?order=desc&limit=2&page=2')).to.deep.equal([1])
    expect(await ids('?order=desc&limit=2&page=9')).to.deep.equal([])
  })

  it('are sorted by any column, nulls last', async () => {
    const ids = async (query: string) =>
      (await data(query)).body.items.map(({ id }: { id: number }) => id)
    expect(await ids('?sort=Date')).to.deep.equal([3, 1, 2])
    expect(await ids('?sort=Date&order=desc')).to.deep.equal([1, 3, 2])
    expect(await ids('?sort=Montant&limit=1&page=2')).to.deep.equal([1])
    const refused = await data('?sort=Nope')
    expect(refused.status).to.equal(400)
    expect(refused.body.errors[0].pointer).to.equal('/query/sort')
  })

  it('are sorted by value, not by text', async () => {
    const source = await created(
      createFromFile(client, 'n,x\n10,1.5\n9,-20\n,\n100,-3\n99999999999,10\n'),
    )
    const sorted = async (by: string, order: string) =>
      (await client.get(`/sources/${source.uuid}/data?sort=${by}&order=${order}`)).body.items.map(
        (item: Record<string, unknown>) => item[by],
      )
    expect(await sorted('n', 'asc')).to.deep.equal([9, 10, 100, 99999999999])
    expect(await sorted('n', 'desc')).to.deep.equal([99999999999, 100, 10, 9])
    expect(await sorted('x', 'asc')).to.deep.equal([-20, -3, 1.5, 10])
  })

  it('are filtered by the values of columns, all conditions together, and counted', async () => {
    const csv = [
      'id;Client [A];Montant;Jour;Quand;Vrai;Note',
      '1;Café Élan;10,50;01/02/2024;2024-01-31T09:30:00Z;oui;100%',
      "2;O'Brien;-3;15/02/2024;2024-01-31T09:30:00.250Z;non;",
      '3;élan_2;;;;oui;a~b/c',
      '4;x;99999999999999999999,5;13/12/1999;2024-02-01T00:00:00Z;;1000',
    ]
    const columns = [
      { name: 'Montant', type: 'number' },
      { name: 'Note', type: 'text' },
    ]
    const source = await created(createFromFile(client, csv.join('\n'), { options: { columns } }))
    const found = async (...conditions: [string, string][]) => {
      const query = new URLSearchParams(conditions)
      return client.get(`/sources/${source.uuid}/data?${query}`)
    }
    const ids = async (...conditions: [string, string][]) => {
      const { body, text } = await found(...conditions)
      expect(body.items, text).to.be.an('array')
      return [body.total, ...body.items.map(({ id }: { id: number }) => id)]
    }
    expect(await ids(['filter[Client [A]]', "O'Brien"])).to.deep.equal([1, 2])
    expect(await ids(['filter[Client [A]][eq]', 'café élan'])).to.deep.equal([0])
    expect(await ids(['filter[Client [A]][contains]', 'ELAN'])).to.deep.equal([2, 1, 3])
    expect(await ids(['filter[Client [A]][contains]', '_'])).to.deep.equal([1, 3])
    expect(await ids(['filter[Note]', "'; drop table users --"])).to.deep.equal([0])
    expect(await ids(['filter[Montant][gte]', '10.50'])).to.deep.equal([2, 1, 4])
    expect(await ids(['filter[Montant]', '99999999999999999999.5'])).to.deep.equal([1, 4])
    expect(await ids(['filter[id][gt]', '2.5'])).to.deep.equal([2, 3, 4])
    expect(
      await ids(['filter[id][lt]', '9223372036854775808'], ['filter[id]', '1.5']),
    ).to.deep.equal([0])
    expect(await ids(['filter[Montant][lt]', '1e1'])).to.deep.equal([1, 2])
    expect(await ids(['filter[Jour][gt]', '1999-12-13'])).to.deep.equal([2, 1, 2])
    expect(await ids(['filter[Quand]', '2024-01-31T10:30:00.25+01:00'])).to.deep.equal([1, 2])
    expect(await ids(['filter[Quand][gte]', '2024-02-01'])).to.deep.equal([1, 4])
    expect(await ids(['filter[Vrai]', 'true'])).to.deep.equal([2, 1, 3])
    expect(await ids(['filter[Note][blank]', 'true'])).to.deep.equal([1, 2])
    expect(
      await ids(
        ['filter[Note][blank]', 'false'],
        ['filter[id][gte]', '1'],
        ['filter[id][lte]', '3'],
      ),
    ).to.deep.equal([2, 1, 3])
    expect(
      await ids(['filter[Note][contains]', '0'], ['filter[Note][contains]', '%']),
    ).to.deep.equal([1, 1])
    expect(
      await ids(
        ['filter[id][gt]', '1'],
        ['sort', 'Jour'],
        ['order', 'desc'],
        ['limit', '2'],
        ['page', '1'],
      ),
    ).to.deep.equal([3, 2, 4])
    expect(
      await ids(['filter[id][gt]', '1'], ['order', 'desc'], ['limit', '2'], ['page', '2']),
    ).to.deep.equal([3, 2])

    const wrong = await found(
      ['filter[Montant][gte]', 'beaucoup'],
      ['filter[Jour]', '2024-02-30'],
      ['filter[id]', '1,5'],
      ['filter[Quand]', '0000-01-01T00:00:00Z'],
      ['filter[Vrai][gt]', 'true'],
      ['filter[Note]', ''],
      ['filter[Note][contains]', 'a\0b'],
      ['filter[a/b]', '1'],
    )
    expect(wrong.status, wrong.text).to.equal(400)
    expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
      '/query/filter[Montant][gte]',
      '/query/filter[Jour]',
      '/query/filter[id]',
      '/query/filter[Quand]',
      '/query/filter[Vrai][gt]',
      '/query/filter[Note]',
      '/query/filter[Note][contains]',
      '/query/filter[a~1b]',
    ])
    expect(wrong.body.errors[0].message).to.include('Montant').and.to.include('beaucoup')
    for (const query of ['filter=x', 'filter=x&filter[id]=1', 'filters[id]=1', 'filter[id']) {
      expect((await client.get(`/sources/${source.uuid}/data?${query}`)).status).to.equal(400)
    }
  })

  it('are refused with parameters that are unknown or out of range', async () => {
    for (const query of ['?page=0', '?limit=0', '?limit=1001', '?order=up', '?colour=red']) {
      expect((await data(query)).status, query).to.equal(400)
    }
  })

  it('are refused as a page that is too large, and shown in smaller pages', async () => {
    const rows = '1,a\n'.repeat(120)
    const long = await created(createFromFile(client, `n,t\n${rows}`))
    const { rows: found } = await app.database.pool.query<{ table: string }>(
      `select 'enterprise_' || t.enterprise_id || '.' || t.name as table
       from sources s join generated_tables t on t.id = s.table_id where s.uuid = $1`,
      [long.uuid],
    )
    await app.database.pool.query(`update ${found[0]!.table} set t = repeat('x', 1000000)`)
    const page = (limit: number) => client.get(`/sources/${long.uuid}/data?limit=${limit}`)
    const refused = await page(1000)
    expect(refused.status).to.equal(413)
    const { limit } = refused.body as { limit: number }
    expect((await page(limit)).body.items).to.have.length(limit)
    await client.delete(`/sources/${long.uuid}`)
  })

  it('are exported as NDJSON with every digit', async () => {
    const { text, headers } = await client.get(`/sources/${uuid}/export?format=ndjson`)
    const lines = text.trimEnd().split('\n')
    expect(lines).to.have.length(3)
    expect(lines[0]).to.include('"__proto__":"a"').and.include('12345678901234567890.123456789')
    expect(headers.get('content-disposition')).to.include(
      "filename*=UTF-8''Hostile%20%22%C3%A9%22.ndjson",
    )
  })

  it('are exported as a CSV from which the same rows are loaded', async () => {
    const { text } = await client.get(`/sources/${uuid}/export?format=csv`)
    const options = {
      columns: [
        { name: 'Montant', type: 'number' },
        { name: 'Date', type: 'date' },
        { name: 'Quand', type: 'date' },
      ],
      decimal: '.',
    }
    const again = await created(createFromFile(client, text, { options }))
    const reread = await client.get(`/sources/${again.uuid}/data`)
    expect(reread.body.items).to.deep.equal((await data()).body.items)
    expect(text).to.include('=1+1').and.not.include("'=1+1")
  })

  it('have their formulas neutralised in a CSV only when that is asked for', async () => {
    const { text } = await client.get(`/sources/${uuid}/export?format=csv&neutralise=true`)
    expect(text).to.include("'=1+1").and.include("'+x")
  })

  it('are exported as a CSV for a French Excel, unless more is said', async () => {
    const csv = async (query: string) => {
      const path = `${app.address}/sources/${uuid}/export?format=csv${query}`
      const response = await fetch(path, {
        headers: { 'x-app-access-token': await client.token() },
      })
      return Buffer.from(await response.arrayBuffer()).toString('utf8')
    }
    const french = await csv('&preset=excel-fr')
    expect(french.slice(0, 4)).to.equal('\ufeffid;')
    expect(french).to.contain(';12345678901234567890,123456789;')
    expect(await csv('&preset=excel-fr&bom=false&decimal=.')).to.match(/^id;[^]*;0\.10;/)
    expect(await csv('&decimal=,')).to.contain(',"0,10",')
    expect((await client.get(`/sources/${uuid}/export?delimiter=x`)).status).to.equal(400)
    const again = await created(createFromFile(client, Buffer.from(french), {}, 'data.csv'))
    expect(again.rowCount).to.equal(3)
  })

  it('are exported as a workbook that spreadsheets and this service can read', async () => {
    const response = await fetch(`${app.address}/sources/${uuid}/export?format=xlsx`, {
      headers: { 'x-app-access-token': await client.token() },
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const workbook = new ExcelJS.Workbook()
    await workbook.xlsx.load(bytes.buffer)
    const sheet = workbook.worksheets[0]!
    expect(sheet.name).to.equal('Hostile "é"')
    expect(sheet.views[0]).to.include({ state: 'frozen', ySplit: 1 })
    expect(sheet.getCell('A1').font.bold).to.equal(true)
    expect(sheet.getColumn(1).width).to.equal(12)
    expect(sheet.rowCount).to.equal(4)
    expect(sheet.getCell('B1').value).to.equal('__proto__')
    expect(sheet.getCell('A2').value).to.equal(1)
    expect(sheet.getCell('D2').value).to.deep.equal(new Date('2024-02-01T00:00:00Z'))
    expect(sheet.getCell('F2').value).to.equal(true)
    expect(sheet.getCell('G2').value).to.equal('12345678901234567890.123456789')
    expect(sheet.getCell('C3').value).to.equal(' deux\nlignes ')
    const again = await created(createFromFile(client, bytes, {}, 'data.xlsx'))
    expect(again).to.include({ sourceType: 'EXCEL', rowCount: 3 })
  })

  it('are exported as numbers of a workbook that show all their digits', async () => {
    const csv = 'siret;montant;taux\n12345678900012;123456789.10;0.5\n7;-2;0.123456789012345\n'
    const { uuid: source } = await created(createFromFile(client, csv))
    const response = await fetch(`${app.address}/sources/${source}/export?format=xlsx`, {
      headers: { 'x-app-access-token': await client.token() },
    })
    const workbook = new ExcelJS.Workbook()
    const bytes = new Uint8Array(await response.arrayBuffer())
    await workbook.xlsx.load(bytes.buffer)
    const sheet = workbook.worksheets[0]!
    const shown = ['A2', 'B2', 'C2', 'A3', 'B3', 'C3'].map((reference) => {
      const { value, numFmt } = sheet.getCell(reference)
      return [value, numFmt]
    })
    expect(shown).to.deep.equal([
      [12345678900012, '0'],
      [123456789.1, '0.00'],
      [0.5, '0.0'],
      [7, '0'],
      [-2, '0'],
      [0.123456789012345, '0.000000000000000'],
    ])
    const again = await created(createFromFile(client, bytes, {}, 'data.xlsx'))
    expect(again.columns.map(({ type }: { type: string }) => type)).to.deep.equal([
      'number',
      'number',
      'number',
    ])
  })

  it('are exported completely, however many there are', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => `${at + 1},text ${at}`)
    const many = await created(createFromFile(client, `n,t\n${rows.join('\n')}\n`))
    const csv = await client.get(`/sources/${many.uuid}/export?format=csv`)
    expect(csv.text).to.equal(`n,t\n${rows.join('\n')}\n`)
    const ndjson = await client.get(`/sources/${many.uuid}/export?format=ndjson`)
    expect(ndjson.text.trimEnd().split('\n')).to.have.length(30_000)
    const last = await client.get(`/sources/${many.uuid}/data?limit=1000&page=30`)
    expect(last.body.items.at(-1)).to.deep.equal({ n: 30_000, t: 'text 29999' })
  })

  for (const format of ['csv', 'ndjson', 'parquet']) {
    it(`stay in the database while the client of a ${format} export reads slowly, however long they are`, async () => {
      // Of letters that compress badly, and more than waits in sockets on its way.
      const text = randomBytes(400_000).toString('base64')
      const rows = Array.from({ length: 60 }, (_, at) => `${at},${text}`)
      const long = await created(createFromFile(client, `n,t\n${rows.join('\n')}\n`))
      const leaving = new AbortController()
      const response = await fetch(`${app.address}/sources/${long.uuid}/export?format=${format}`, {
        headers: { 'x-app-access-token': await client.token(), 'accept-encoding': 'identity' },
        signal: leaving.signal,
      })
      await eventually(async () => {
        const { rows: found } = await app.database.pool.query(
          `select from pg_stat_activity where datname = current_database()
             and query ilike 'copy%' and state = 'active' and wait_event = 'ClientWrite'`,
        )
        expect(found).to.have.length(1)
      })
      leaving.abort()
      await response.text().catch(() => undefined)
    })
  }

  it('are not exported any further when the client disconnects, and their connection is free again', async () => {
    const rows = Array.from({ length: 200_000 }, (_, at) => `${at},${'x'.repeat(100)}`)
    const many = await created(createFromFile(client, `n,t\n${rows.join('\n')}\n`))
    for (const format of ['csv', 'ndjson', 'xlsx', 'parquet']) {
      const leaving = new AbortController()
      const response = await fetch(`${app.address}/sources/${many.uuid}/export?format=${format}`, {
        headers: { 'x-app-access-token': await client.token(), 'accept-encoding': 'identity' },
        signal: leaving.signal,
      })
      await response.body!.getReader().read()
      leaving.abort()
    }
    await eventually(async () => {
      const { rows: busy } = await app.database.pool.query(
        `select from pg_stat_activity where datname = current_database()
           and (query ilike 'copy%' or state = 'idle in transaction')`,
      )
      expect(busy).to.deep.equal([])
    })
    expect((await client.delete(`/sources/${many.uuid}`)).status).to.equal(200)
  })
})
