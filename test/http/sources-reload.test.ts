import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import type { Actor } from '../../src/domain/actor.ts'
import { useApp } from '../support/app.ts'
import type { TestClient } from '../support/client.ts'
import { created, createFromFile, footprint, sourceForm } from '../support/sources.ts'

describe('loading a source again', () => {
  const app = useApp()
  let admin: Actor
  let client: TestClient

  before(async () => {
    admin = await app.build.user()
    client = app.client.as(admin)
  })

  const reload = (uuid: string, content: string | null, fields: Record<string, unknown> = {}) =>
    content === null
      ? client.post(`/sources/${uuid}/reload`, fields)
      : client.request('POST', `/sources/${uuid}/reload`, { content: sourceForm(fields, content) })
  const items = async (uuid: string) => (await client.get(`/sources/${uuid}/data`)).body.items
  const mine = () => footprint(app, admin.enterprise!.id)

  it('reads the stored upload again with the options of the last time', async () => {
    const options = { columns: [{ name: 'n', type: 'text' }] }
    const { uuid } = await created(createFromFile(client, 'n\n1\n', { options }))
    const before = await mine()
    const { status, body } = await reload(uuid, null)
    expect(status).to.equal(200)
    expect(body.columns[0].type).to.equal('text')
    expect(body.report.drift).to.deep.equal({ added: [], removed: [], retyped: [] })
    expect(await mine()).to.deep.equal(before)
  })

  it('swaps in another file, reports the drift, and keeps only the new upload', async () => {
    const { uuid } = await created(createFromFile(client, 'a,b,c\n1,x,2024-01-01\n'))
    const before = await mine()
    const { status, body } = await reload(uuid, 'a,c,d\ntext,2024-01-01,5\nmore,,6\n')
    expect(status).to.equal(200)
    expect(body.rowCount).to.equal(2)
    expect(body.report.drift).to.deep.equal({
      added: [{ name: 'd', type: 'number' }],
      removed: [{ name: 'b', type: 'text' }],
      retyped: [{ name: 'a', from: 'number (bigint)', to: 'text' }],
    })
    expect(await items(uuid)).to.deep.equal([
      { a: 'text', c: '2024-01-01', d: 5 },
      { a: 'more', c: null, d: 6 },
    ])
    expect(await mine()).to.deep.equal(before)
    const loads = await client.get(`/sources/${uuid}/loads`)
    expect(loads.body.items.map(({ kind }: { kind: string }) => kind)).to.deep.equal([
      'reload',
      'creation',
    ])
    expect(loads.body.items[0].drift.added).to.have.length(1)
    await reload(uuid, null)
    expect(await items(uuid)).to.have.length(2)
  })

  it('leaves everything as it was when it fails', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    const shown = (await client.get(`/sources/${uuid}`)).body
    const before = await mine()
    const options = { columns: [{ name: 'a', type: 'date' }] }
    const answer = await reload(uuid, 'a\nhier\n', { options })
    expect(answer.status).to.equal(400)
    expect(answer.body.detail).to.match(/^Format de date invalide/)
    expect((await client.get(`/sources/${uuid}`)).body).to.deep.equal(shown)
    expect(await items(uuid)).to.deep.equal([{ a: 1 }])
    expect(await mine()).to.deep.equal(before)
  })

  it('appends rows, and does not change what a later reload reads', async () => {
    const { uuid } = await created(createFromFile(client, 'a,b\n1,x\n'))
    const before = await mine()
    const { body, text } = await reload(uuid, 'b,a\ny,2\n', { mode: 'append' })
    expect(body.rowCount, text).to.equal(2)
    expect(await items(uuid)).to.deep.equal([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ])
    expect(await mine()).to.deep.equal(before)
    expect((await reload(uuid, null)).body.rowCount).to.equal(1)
  })

  it('widens a column that appended rows need wider', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    const { body } = await reload(uuid, 'a\n2.5\n', { mode: 'append' })
    expect(body.columns[0].sqlType).to.equal('numeric')
    expect(body.report.drift.retyped).to.have.length(1)
    expect(await items(uuid)).to.deep.equal([{ a: 1 }, { a: 2.5 }])
    // A narrower value does not narrow the column again.
    const again = await reload(uuid, 'a\n3\n', { mode: 'append' })
    expect(again.body.columns[0].sqlType).to.equal('numeric')
    expect(again.body.report.drift.retyped).to.deep.equal([])
  })

  it('upserts by a key column', async () => {
    const { uuid } = await created(createFromFile(client, 'id,v\n1,a\n2,b\n'))
    const { body } = await reload(uuid, 'id,v\n2,B\n3,C\n', { mode: 'upsert', key: 'id' })
    expect(body.rowCount).to.equal(3)
    expect(await items(uuid)).to.deep.equal([
      { id: 1, v: 'a' },
      { id: 2, v: 'B' },
      { id: 3, v: 'C' },
    ])
    const { body: loads } = await client.get(`/sources/${uuid}/loads?limit=1`)
    expect(loads.items[0]).to.include({ mode: 'upsert', key: 'id' })
  })

  it('refuses a key without upsert, upsert without a key, and columns that are not there', async () => {
    const { uuid } = await created(createFromFile(client, 'a\n1\n'))
    for (const fields of [{ mode: 'upsert' }, { key: 'a' }, { mode: 'append', key: 'a' }]) {
      const answer = await reload(uuid, null, fields)
      expect(answer.status).to.equal(400)
      expect(answer.body.errors[0].pointer).to.equal('/key')
    }
    const other = await reload(uuid, 'zzz\n1\n', { mode: 'append' })
    expect(other.status, other.text).to.equal(400)
    expect(other.body.errors[0].pointer).to.equal('/mode')
    const keyless = await reload(uuid, 'a\n1\n', { mode: 'upsert', key: 'zzz' })
    expect(keyless.status, keyless.text).to.equal(400)
    expect(keyless.body.errors[0].pointer).to.equal('/key')
    expect(await items(uuid)).to.deep.equal([{ a: 1 }])
  })

  it('lets one of several at once load, and readers see one state or the other', async () => {
    const rows = (value: number) => `a\n${`${value}\n`.repeat(20_000)}`
    const { uuid } = await created(createFromFile(client, rows(1)))
    const answers = Promise.all([2, 3, 4].map((value) => reload(uuid, rows(value))))
    const loading = { isOver: false }
    void answers.finally(() => {
      loading.isOver = true
    })
    while (!loading.isOver) {
      const { body, status } = await client.get(`/sources/${uuid}/data?limit=1000&page=20`)
      expect(status).to.equal(200)
      expect(new Set(body.items.map(({ a }: { a: number }) => a)).size).to.equal(1)
      expect(body.items).to.have.length(1000)
    }
    const statuses = (await answers).map(({ status }) => status)
    expect(statuses).to.include(200)
    for (const answer of await answers) expect(answer.status, answer.text).to.be.oneOf([200, 409])
  })

  describe('with rejected rows', () => {
    const REJECTING =
      'n;d;t\n1;01/02/2024;"a;b"\nx;01/02/2024;"q""uote"\n3;hier;c\n4;03/02/2024;d\n'
    const options = {
      onInvalid: 'skip',
      columns: [
        { name: 'n', type: 'number' },
        { name: 'd', type: 'date' },
      ],
    }

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

    it('gives them out to be mended, and takes them back', async () => {
      const { uuid } = await created(createFromFile(client, REJECTING, { options }))
      const csv = await client.get(`/sources/${uuid}/rejects?format=csv`)
      const lines = csv.text.trimEnd().split('\r\n')
      expect(lines[0]).to.equal('reason,n,d,t')
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

    it('takes them back as spreadsheets save them', async () => {
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

    it('refuses mended rows with a column that the source lacks, and names it', async () => {
      const { uuid } = await created(createFromFile(client, REJECTING, { options }))
      const { status, body } = await client.request('POST', `/sources/${uuid}/rejects`, {
        content: sourceForm({}, 'reason,n,couleur,d,t\n,2,rouge,01/02/2024,x\n'),
      })
      expect(status).to.equal(400)
      expect(body.errors).to.have.length(1)
      expect(body.errors[0].pointer).to.equal('/file')
      expect(body.errors[0].message).to.contain('«couleur»').and.contain('«n», «d», «t»')
      expect(await items(uuid)).to.have.length(2)
    })

    it('asks for the file where none is sent', async () => {
      const { uuid } = await created(createFromFile(client, REJECTING, { options }))
      const { status, body } = await client.post(`/sources/${uuid}/rejects`, {})
      expect(status).to.equal(400)
      expect(body.errors).to.deep.equal([{ pointer: '/file', message: 'is required' }])
    })

    it('names the row and the line of a mended row with too many fields', async () => {
      const { uuid } = await created(createFromFile(client, REJECTING, { options }))
      const { status, body } = await client.request('POST', `/sources/${uuid}/rejects`, {
        content: sourceForm({}, 'reason,n,d,t\n,2,01/02/2024,"x\ny"\n,3,02/02/2024,z,surplus\n'),
      })
      expect(status).to.equal(400)
      expect(body).to.include({ row: 2, line: 4 })
      expect(body.detail).to.match(/^Row 2 \(line 4\): 5 fields/)
    })

    it('gives out one state of them, whatever is loaded meanwhile', async () => {
      const rows = 5000
      // More than waits in sockets on its way, so that the server is still reading.
      const content = `n;t\n${`x;${'a'.repeat(4000)}\n`.repeat(rows)}`
      const number = { onInvalid: 'skip', columns: [{ name: 'n', type: 'number' }] }
      const { uuid } = await created(createFromFile(client, content, { options: number }))
      const download = await fetch(`${app.address}/sources/${uuid}/rejects?format=csv`, {
        headers: { 'x-app-access-token': await client.token() },
      })
      const reloading = reload(uuid, 'n;t\nx;b\n', { options: number })
      await Promise.race([reloading, sleep(1000)])
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
})
