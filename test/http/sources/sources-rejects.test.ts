import { expect } from 'chai'
import ExcelJS from 'exceljs'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import {
  created,
  createFromFile,
  footprint,
  reloadWith,
  rowsOfSource,
  sourceForm,
} from '../../support/sources.ts'
import { until } from '../../support/patience.ts'

describe('rejected rows of a source', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  const reload = reloadWith(() => client)
  const items = rowsOfSource(() => client)
  const mine = () => footprint(app, admin.enterprise!.id)

  const REJECTING = 'n;d;t\n1;01/02/2024;"a;b"\nx;01/02/2024;"q""uote"\n3;hier;c\n4;03/02/2024;d\n'
  const options = {
    onInvalid: 'skip',
    columns: [
      { name: 'n', type: 'number' },
      { name: 'd', type: 'date' },
    ],
  }

  const number = { onInvalid: 'skip', columns: [{ name: 'n', type: 'number' }] }

  it('keeps them with line, column and reason, and counts them', async () => {
    const body = await created(createFromFile(client, REJECTING, { options }))
    expect(body).to.include({ rowCount: 2, rejectedCount: 2 })
    const rejects = await client.get(`/sources/${body.uuid}/rejects?limit=1`)
    expect(rejects.body.total).to.equal(2)
    expect(rejects.body.items[0]).to.include({
      row: 2,
      line: 3,
      column: 'n',
      value: 'x',
      raw: 'x;01/02/2024;"q""uote"',
    })
  })

  it('gives them out to be corrected, and loads the corrections', async () => {
    const { uuid } = await created(createFromFile(client, REJECTING, { options }))
    const csv = await client.get(`/sources/${uuid}/rejects?format=csv`)
    const lines = csv.text.trimEnd().split('\r\n')
    expect(lines[0]).to.equal('reason,reject,n,d,t')
    expect(lines[1]).to.match(/,x,01\/02\/2024,"q""uote"$/)
    const mended = csv.text.replace(',x,', ',2,')
    const before = await mine()
    const first = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, mended),
    })
    expect(first.status, first.text).to.equal(200)
    expect(first.body).to.include({ rowCount: 3, rejectedCount: 1 })
    expect((await mine()).objects).to.equal(before.objects)
    const left = await client.get(`/sources/${uuid}/rejects?format=csv`)
    const second = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, left.text.replace(',hier,', ',02/02/2024,')),
    })
    expect(second.body).to.include({ rowCount: 4, rejectedCount: 0 })
    expect((await items(uuid)).map(({ n }: { n: number }) => n)).to.deep.equal([1, 4, 2, 3])
    expect((await items(uuid))[2].t).to.equal('q"uote')
  })

  it('loads corrections as spreadsheets save them', async () => {
    const { uuid } = await created(createFromFile(client, REJECTING, { options }))
    // In windows-1252, which shows only behind what is looked at to find the encoding.
    const rows = Array.from({ length: 4000 }, (_, row) => `;${row};01/02/2024;texte ${row}\r\n`)
    const saved = `Rejets;;;\r\n;;;\r\nreason;n;d;t\r\n${rows.join('')};5;01/02/2024;\xe9t\xe9\r\n`
    const { status, body, text } = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, Buffer.from(saved, 'latin1')),
    })
    expect(status, text).to.equal(200)
    expect(body).to.include({ rowCount: 4003, rejectedCount: 0 })
    const last = await client.get(`/sources/${uuid}/data?limit=1&page=4003`)
    expect(last.body.items).to.deep.equal([{ n: 5, d: '2024-02-01', t: 'été' }])
  })

  it('refuses corrections with a column that its shape refuses, and names it', async () => {
    const { uuid } = await created(createFromFile(client, REJECTING, { options }))
    await client.patch(`/sources/${uuid}/shape`, { unknown: 'refuse' })
    const { status, body } = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, 'reason,n,couleur,d,t\n,2,rouge,01/02/2024,x\n'),
    })
    expect(status).to.equal(400)
    expect(body.detail).to.contain('“couleur”')
    expect(await items(uuid)).to.have.length(2)
  })

  it('puts the rows of every load under their headers, however its file was laid out', async () => {
    const { uuid } = await created(
      createFromFile(client, 'n;t;u\n1;a;b\nx;c,c;d\n', { options: number }),
    )
    const append = { mode: 'append', options: number }
    await reload(uuid, 'u,n\ne,y\nf,5\n"g,h",z,surplus\n', append)
    await reload(uuid, '[{"u":"i","n":"w"}]', append)
    const csv = await client.get(`/sources/${uuid}/rejects?format=csv`)
    const lines = csv.text.trimEnd().split('\r\n')
    expect(lines.map((line) => line.replace(/^[^,]*,[^,]*,/, ''))).to.have.members([
      'n,t,u',
      'x,"c,c",d',
      'y,,e',
      'z,,"g,h",surplus',
      'w,,i',
    ])
    const response = await fetch(`${app.address}/sources/${uuid}/rejects?format=xlsx`, {
      headers: { 'x-app-access-token': await client.token() },
    })
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(await response.arrayBuffer())
    const cells: unknown[] = []
    book.worksheets[0]!.eachRow(({ values }) => {
      cells.push(Array.from((values as unknown[]).slice(3), (value) => value ?? ''))
    })
    expect(cells).to.have.deep.members([
      ['n', 't', 'u'],
      ['x', 'c,c', 'd'],
      ['y', '', 'e'],
      ['z', '', 'g,h', 'surplus'],
      ['w', '', 'i'],
    ])
    const mended = csv.text.replace(/,[wxyz],/g, ',7,').replace(',surplus', '')
    const { status, text } = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, mended),
    })
    expect(status, text).to.equal(200)
    expect(await items(uuid)).to.have.deep.members([
      { n: 1, t: 'a', u: 'b' },
      { n: 5, t: null, u: 'f' },
      { n: 7, t: 'c,c', u: 'd' },
      { n: 7, t: null, u: 'e' },
      { n: 7, t: null, u: 'g,h' },
      { n: 7, t: null, u: 'i' },
    ])
  })

  it('asks for a CSV or a workbook where something else is sent', async () => {
    const { uuid } = await created(createFromFile(client, REJECTING, { options }))
    const parquet = await fetch(`${app.address}/sources/${uuid}/export?format=parquet`, {
      headers: { 'x-app-access-token': await client.token() },
    })
    const { status, body } = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, new Uint8Array(await parquet.arrayBuffer()), 'mended.parquet'),
    })
    expect(status).to.equal(400)
    expect(body.errors).to.have.length(1)
    expect(body.errors[0].pointer).to.equal('/file')
    expect(body.errors[0].message).to.match(/^must be a CSV or a workbook/)
  })

  it('asks for the file where none is sent', async () => {
    const { uuid } = await created(createFromFile(client, REJECTING, { options }))
    const { status, body } = await client.post(`/sources/${uuid}/rejects`, {})
    expect(status).to.equal(400)
    expect(body.errors).to.deep.equal([{ pointer: '/file', message: 'is required' }])
  })

  it('names the row and the line of a correction with too many fields', async () => {
    const { uuid } = await created(createFromFile(client, REJECTING, { options }))
    const { status, body } = await client.request('POST', `/sources/${uuid}/rejects`, {
      content: sourceForm({}, 'reason,n,d,t\n,2,01/02/2024,"x\ny"\n,3,02/02/2024,z,surplus\n'),
    })
    expect(status).to.equal(400)
    expect(body).to.include({ row: 2, line: 4 })
    expect(body.detail).to.match(/^Row 2 \(line 4\): 5 fields/)
  })

  const isWaitingForLock = async () => {
    const { rowCount } = await app.database.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount! > 0
  }

  it('downloads one state of them, whatever is loaded meanwhile', async () => {
    const rows = 5000
    // More than waits in sockets on its way, so that the server is still reading.
    const content = `n;t\n${`x;${'a'.repeat(4000)}\n`.repeat(rows)}`
    const { uuid } = await created(createFromFile(client, content, { options: number }))
    const download = await fetch(`${app.address}/sources/${uuid}/rejects?format=csv`, {
      headers: { 'x-app-access-token': await client.token() },
    })
    const reloading = reload(uuid, 'n;t\nx;b\n', { options: number })
    await Promise.race([reloading, until('the reload waits for a lock', isWaitingForLock)])
    const lines = (await download.text()).split('\r\n')
    expect(lines).to.have.length(rows + 2)
    expect(lines.filter((line) => line.endsWith('aaa'))).to.have.length(rows)
    const reloaded = await reloading
    expect(reloaded.body, reloaded.text).to.include({ rejectedCount: 1 })
  })

  it('forgets them when a reload has none', async () => {
    const { uuid } = await created(createFromFile(client, REJECTING, { options }))
    const { body } = await reload(uuid, 'n;d;t\n1;01/02/2024;a\n')
    expect(body.rejectedCount).to.equal(0)
    expect((await client.get(`/sources/${uuid}/rejects`)).body.total).to.equal(0)
  })
})
