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

interface ShownReject {
  readonly id: number
  readonly value: string
}

describe('corrected rejects', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  const REJECTING = 'k,n\na,1\nb,x\nc,y\nd,z\n'
  const options = { onInvalid: 'skip', columns: [{ name: 'n', type: 'number' }] }

  const items = rowsOfSource(() => client)
  const reload = reloadWith(() => client)
  const keysOf = async (uuid: string) => (await items(uuid)).map(({ k }: { k: string }) => k)
  const rejecting = async (): Promise<string> =>
    (await created(createFromFile(client, REJECTING, { options }))).uuid
  const rejectsOf = async (uuid: string): Promise<ShownReject[]> =>
    (await client.get(`/sources/${uuid}/rejects`)).body.items
  const valuesOf = async (uuid: string) => (await rejectsOf(uuid)).map(({ value }) => value)
  const loadsOf = async (uuid: string) =>
    (await client.get(`/sources/${uuid}/loads?limit=100`)).body.items
  const send = (uuid: string, content: string, fields: Record<string, unknown> = {}) =>
    client.request('POST', `/sources/${uuid}/rejects`, { content: sourceForm(fields, content) })
  const sent = async (uuid: string, content: string, fields?: Record<string, unknown>) => {
    const { status, body, text } = await send(uuid, content, fields)
    expect(status, text).to.equal(200)
    return body
  }
  const exported = async (uuid: string): Promise<string> =>
    (await client.get(`/sources/${uuid}/rejects?format=csv`)).text

  it('that are sent again as the same bytes change nothing', async () => {
    const uuid = await rejecting()
    const corrected = (await exported(uuid)).replace(',x\r', ',2\r')
    const first = await sent(uuid, corrected)
    expect(first).to.include({ rowCount: 2, rejectedCount: 2 })
    const before = await footprint(app, admin.enterprise!.id)
    const second = await sent(uuid, corrected)
    expect(second).to.deep.equal(first)
    expect(await loadsOf(uuid)).to.have.length(2)
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
  })

  it('come as a workbook too, are taken from it, and change nothing the second time', async () => {
    const settings = {
      onInvalid: 'skip',
      decimal: ',',
      columns: [
        { name: 'n', type: 'number' },
        { name: 'd', type: 'date', dateFormat: 'DD/MM/YYYY' },
      ],
    }
    const content = 'k;n;d\na;1,5;01/02/2024\n007;x;02/02/2024\n=c;2;31/02/2024\nTotal;z;\n'
    const { uuid } = await created(createFromFile(client, content, { options: settings }))
    const response = await fetch(`${app.address}/sources/${uuid}/rejects?format=xlsx`, {
      headers: { 'x-app-access-token': await client.token() },
    })
    expect(response.headers.get('content-disposition')).to.include('-rejects.xlsx')
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(await response.arrayBuffer())
    const sheet = book.worksheets[0]!
    const cells = (at: number) => (sheet.getRow(at).values as unknown[]).slice(1)
    expect(cells(1)).to.deep.equal(['reason', 'reject', 'k', 'n', 'd'])
    expect(cells(2).slice(2)).to.deep.equal(['007', 'x', '02/02/2024'])
    expect(cells(3).slice(2)).to.deep.equal(['=c', '2', '31/02/2024'])
    sheet.getCell('D2').value = 2.25
    sheet.getCell('E3').value = new Date('2024-02-28T00:00:00Z')
    const corrected = new Uint8Array(await book.xlsx.writeBuffer())
    const sendBook = async () => {
      const form = sourceForm({}, corrected, 'corrected.xlsx')
      const answer = await client.request('POST', `/sources/${uuid}/rejects`, { content: form })
      expect(answer.status, answer.text).to.equal(200)
      return answer.body
    }
    const first = await sendBook()
    expect(first).to.include({ rowCount: 3, rejectedCount: 1 })
    expect(await items(uuid)).to.deep.equal([
      { k: 'a', n: 1.5, d: '2024-02-01' },
      { k: '007', n: 2.25, d: '2024-02-02' },
      { k: '=c', n: 2, d: '2024-02-28' },
    ])
    expect(await valuesOf(uuid)).to.deep.equal(['z'])
    expect(await sendBook()).to.deep.equal(first)
    expect(await loadsOf(uuid)).to.have.length(2)
  })

  it('that are sent again tell what they did the first time, whatever was loaded since', async () => {
    const uuid = await rejecting()
    const corrected = (await exported(uuid)).replace(',x\r', ',2\r')
    const first = await sent(uuid, corrected)
    const appended = await reload(uuid, 'k,n\ne,5\n', { mode: 'append' })
    expect(appended.status, appended.text).to.equal(200)
    const second = await sent(uuid, corrected)
    expect(second.report).to.deep.equal(first.report)
    expect(second.rowCount).to.equal(appended.body.rowCount)
  })

  it('are taken once more when the load that they came with has been taken out', async () => {
    const uuid = await rejecting()
    const corrected = (await exported(uuid)).replace(',x\r', ',2\r')
    await sent(uuid, corrected)
    const [last] = await loadsOf(uuid)
    expect((await client.delete(`/sources/${uuid}/loads/${last.uuid}`)).status).to.equal(200)
    expect(await valuesOf(uuid)).to.deep.equal(['x', 'y', 'z'])
    expect(await sent(uuid, corrected)).to.include({ rowCount: 2, rejectedCount: 2 })
    expect(await keysOf(uuid)).to.deep.equal(['a', 'b'])
  })

  it('come in parts, each of the rows that a file holds', async () => {
    const uuid = await rejecting()
    const [header, b, c, d] = (await exported(uuid)).split('\r\n')
    await sent(uuid, `${header}\n${b!.replace(/x$/, '2')}\n`)
    expect(await valuesOf(uuid)).to.deep.equal(['y', 'z'])
    await sent(uuid, `${header}\n${d!.replace(/z$/, '4')}\n${c!.replace(/y$/, '3')}\n`)
    expect(await valuesOf(uuid)).to.deep.equal([])
    expect(await keysOf(uuid)).to.deep.equal(['a', 'b', 'd', 'c'])
  })

  it('are left out and counted where their reject was corrected before', async () => {
    const uuid = await rejecting()
    const all = await exported(uuid)
    await sent(uuid, all.replace(',x\r', ',2\r').replace(/^[^\n]*,[yz]\r\n/gm, ''))
    const second = await sent(
      uuid,
      all.replace(',x\r', ',20\r').replace(',y\r', ',3\r').replace(',z\r', ',4\r'),
    )
    expect(second).to.include({ rowCount: 4, rejectedCount: 0 })
    expect(await items(uuid)).to.deep.equal([
      { k: 'a', n: 1 },
      { k: 'b', n: 2 },
      { k: 'c', n: 3 },
      { k: 'd', n: 4 },
    ])
    const [last] = await loadsOf(uuid)
    expect(last.counts).to.include({ loaded: 2 })
    expect(last.report.warnings[0].code).to.equal('corrections-left-out')
  })

  it('that are invalid again take the place of what they were', async () => {
    const uuid = await rejecting()
    const before = await rejectsOf(uuid)
    await sent(uuid, (await exported(uuid)).replace(',x\r', ',still\r'))
    const after = await rejectsOf(uuid)
    expect(after.map(({ value }) => value)).to.deep.equal(['still', 'y', 'z'])
    const ids = new Set(before.map(({ id }) => id))
    expect(after.filter(({ id }) => ids.has(id))).to.deep.equal([])
  })

  it('may be new rows: they have no number', async () => {
    const uuid = await rejecting()
    const lines = (await exported(uuid)).split('\r\n')
    await sent(uuid, `${lines[0]}\n,,e,5\n`)
    expect(await keysOf(uuid)).to.deep.equal(['a', 'e'])
    expect(await valuesOf(uuid)).to.deep.equal(['x', 'y', 'z'])
  })

  it('replace all rejects when the file has lost their numbers', async () => {
    const uuid = await rejecting()
    await sent(uuid, 'k,n\nb,2\n')
    expect(await valuesOf(uuid)).to.deep.equal([])
    expect(await keysOf(uuid)).to.deep.equal(['a', 'b'])
  })

  for (const [what, reject] of [
    ['is not known', '999999'],
    ['is no number', 'zwei'],
    ['is below zero', '-1'],
  ]) {
    it(`are refused with the line of a reject that ${what}`, async () => {
      const uuid = await rejecting()
      const { status, body } = await send(uuid, `reason,reject,k,n\n,${reject},b,2\n`)
      expect(status).to.equal(400)
      expect(body.errors).to.have.length(1)
      expect(body.errors[0].pointer).to.equal('/file')
      expect(body.errors[0].message).to.contain(reject).and.contain('line 2')
      expect(await keysOf(uuid)).to.deep.equal(['a'])
      expect(await valuesOf(uuid)).to.deep.equal(['x', 'y', 'z'])
    })
  }

  it('are refused where their rejects have gone with what they came with', async () => {
    const uuid = await rejecting()
    const corrected = (await exported(uuid)).replace(',x\r', ',2\r')
    expect((await reload(uuid, 'k,n\nr,9\n')).status).to.equal(200)
    expect((await send(uuid, corrected)).status).to.equal(400)
    expect(await keysOf(uuid)).to.deep.equal(['r'])
  })

  it('are found by key where they were loaded in another way meanwhile', async () => {
    const uuid = await rejecting()
    await reload(uuid, 'k,n\nb,7\n', { mode: 'append', options })
    const corrected = (await exported(uuid)).replace(',x\r', ',2\r')
    await sent(uuid, corrected, { key: 'k' })
    expect(await items(uuid)).to.deep.equal([
      { k: 'a', n: 1 },
      { k: 'b', n: 2 },
    ])
    expect(await sent(uuid, corrected, { key: 'k' })).to.include({ rowCount: 2 })
    expect(await loadsOf(uuid)).to.have.length(3)
  })

  it('restore the rejects that they replaced when the state before is shown again', async () => {
    const uuid = await rejecting()
    await sent(uuid, (await exported(uuid)).replace(',x\r', ',2\r').replace(',y\r', ',yy\r'))
    expect(await valuesOf(uuid)).to.deep.equal(['yy', 'z'])
    expect((await client.post(`/sources/${uuid}/rollback`)).status).to.equal(200)
    expect(await valuesOf(uuid)).to.deep.equal(['x', 'y', 'z'])
    expect((await client.post(`/sources/${uuid}/rollback`)).status).to.equal(200)
    expect(await valuesOf(uuid)).to.deep.equal(['yy', 'z'])
  })

  it('stay corrected in each of two states that part before them', async () => {
    const uuid = await rejecting()
    await client.patch(`/sources/${uuid}`, { keepLoads: 3 })
    const rejects = await exported(uuid)
    const correct = async (n: number): Promise<string> => {
      await sent(uuid, rejects.replace(',x\r', `,${n}\r`))
      return (await loadsOf(uuid))[0].uuid
    }
    const show = async (load?: string) => {
      const content = load === undefined ? {} : { load }
      const { status, body, text } = await client.post(`/sources/${uuid}/rollback`, content)
      expect(status, text).to.equal(200)
      return body
    }
    const first = await correct(2)
    await show()
    expect(await valuesOf(uuid)).to.deep.equal(['x', 'y', 'z'])
    const second = await correct(3)
    for (const [load, n] of [
      [first, 2],
      [second, 3],
    ] as const) {
      expect(await show(load)).to.include({ rejectedCount: 2 })
      expect(await valuesOf(uuid)).to.deep.equal(['y', 'z'])
      expect(await items(uuid)).to.deep.equal([
        { k: 'a', n: 1 },
        { k: 'b', n },
      ])
    }
  })

  describe('whose headers are other ones', () => {
    const settings = { onInvalid: 'skip', columns: [{ name: 'n', type: 'number' }] }
    const made = async () =>
      (await created(createFromFile(client, 'Clé,n,Ville\na,1,x\nb,?,y\n', { options: settings })))
        .uuid as string
    const corrected = async (uuid: string, from: string, to: string) =>
      (await exported(uuid)).replace('b,?', 'b,2').replace(from, to)

    it('meet the columns by fold, and bring new ones', async () => {
      const uuid = await made()
      const file = (await corrected(uuid, ',n,', ',N,')).replace('Ville\r', 'Ville,Note\r')
      await sent(uuid, file.replace('y\r', 'y,vu\r'))
      expect((await items(uuid))[1]).to.deep.equal({ Clé: 'b', n: 2, Ville: 'y', Note: 'vu' })
      expect(await rejectsOf(uuid)).to.deep.equal([])
    })

    // Other shapes of the enterprise remember what was answered.
    for (const [what, header, answer] of [
      ['as they were proposed', 'Commune', 'Ville'],
      ['otherwise, and are read anew', 'Localité', null],
    ] as const) {
      it(`are asked about, wait, and are answered ${what}`, async () => {
        const uuid = await made()
        const load = await sent(uuid, await corrected(uuid, 'Ville', header))
        expect(load).to.include({ kind: 'rejects', state: 'staged' })
        expect(load.questions[0]).to.include({ header, column: 'Ville' })
        expect(await valuesOf(uuid)).to.deep.equal(['?'])
        const path = `/sources/${uuid}/loads/${load.uuid}/publish`
        const published = await client.post(path, { mapping: { [header]: answer } })
        expect(published.status, published.text).to.equal(200)
        expect(published.body).to.include({ rowCount: 2, rejectedCount: 0 })
        expect((await items(uuid))[1]).to.deep.equal({ Clé: 'b', n: 2, Ville: answer && 'y' })
        expect(await rejectsOf(uuid)).to.deep.equal([])
      })
    }

    it('are refused for a question where the request says so', async () => {
      const uuid = await made()
      const file = await corrected(uuid, 'Ville', 'Lieu')
      const { status, body } = await send(uuid, file, { onQuestion: 'refuse' })
      expect([status, body.code]).to.deep.equal([409, 'MappingQuestionException'])
    })
  })
})
