import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import type { Actor } from '../../../src/domain/actor.ts'
import { useApp } from '../../support/app.ts'
import type { TestResponse } from '../../support/client.ts'
import {
  created,
  createFromFile,
  footprint,
  freshTableName,
  sourceForm,
} from '../../support/sources.ts'
import { formOf } from '../../support/uploads.ts'

const CLIENTS = 'Nom,Né le,Montant\nAda,01/02/2024,"1,50"\nBob,,2\n'

const pointers = ({ body }: TestResponse) =>
  body.errors?.map((error: { pointer: string }) => error.pointer)

describe('creating a source from a file', () => {
  const app = useApp()
  let admin: Actor
  const client = () => app.client.as(admin)

  before(async () => {
    admin = await app.build.user()
  })

  const post = (fields: Record<string, unknown>, content: string | null = CLIENTS) =>
    client().request('POST', '/sources', { content: sourceForm(fields, content) })
  const fields = (given: Record<string, unknown> = {}) => ({
    source: 'file',
    name: 'Clients',
    tableName: freshTableName(),
    ...given,
  })

  it('makes a typed table under exactly the name that was asked for', async () => {
    const body = await created(post(fields({ name: ' Clients ', tableName: 'clients' })))
    expect(body).to.include({
      name: 'Clients',
      tableName: 'clients',
      source: 'file',
      sourceType: 'CSV',
      status: 'READY',
      rowCount: 2,
      rejectedCount: 0,
      errorMessage: null,
    })
    expect(body.columns).to.deep.equal([
      { name: 'Nom', column: 'nom', type: 'text', sqlType: 'text' },
      { name: 'Né le', column: 'ne_le', type: 'date', sqlType: 'date', dateFormat: 'DD/MM/YYYY' },
      { name: 'Montant', column: 'montant', type: 'number', sqlType: 'numeric' },
    ])
    const { rows } = await app.database.pool.query(
      `select nom, ne_le::text, montant from enterprise_${admin.enterprise!.id}.clients order by _row`,
    )
    expect(rows).to.deep.equal([
      { nom: 'Ada', ne_le: '2024-02-01', montant: '1.50' },
      { nom: 'Bob', ne_le: null, montant: '2' },
    ])
  })

  it('records the load with its user, its bytes and its result', async () => {
    const { uuid } = await created(post(fields()))
    const { body } = await client().get(`/sources/${uuid}/loads`)
    expect(body.total).to.equal(1)
    expect(body.items[0]).to.deep.include({
      kind: 'creation',
      mode: 'replace',
      filename: 'data.csv',
      sizeBytes: Buffer.byteLength(CLIENTS),
      loadedBy: { uuid: admin.uuid, name: admin.name },
      counts: { read: 2, loaded: 2, rejected: 0, blank: 0 },
    })
    expect(body.items[0].sha256).to.match(/^[0-9a-f]{64}$/)
  })

  it('tells the titles above a table, whatever characters they have', async () => {
    const title = `Nul\0 ${'x'.repeat(994)}😀`
    const body = await created(post(fields(), `${title}\n\n${CLIENTS}`))
    expect(body.report.table.titles).to.deep.equal([
      { line: 1, text: `Nul\u2400 ${'x'.repeat(994)}` },
    ])
    expect(body.rowCount).to.equal(2)
  })

  it('takes a stored document in the place of a file', async () => {
    const upload = formOf('doc.csv', 'a,b\n1,2\n')
    const document = await client().request('POST', '/documents', upload)
    const { uuid: documentUuid } = document.body
    const body = await created(client().post('/sources', fields({ documentUuid })))
    expect(body).to.include({ documentUuid, rowCount: 1, sourceType: 'CSV' })
  })

  it('finds JSON and its type by content, whatever the file is called', async () => {
    const body = await created(post(fields(), '[{"a":1},{"a":2,"b":{"z":1,"y":2}}]'))
    expect(body.sourceType).to.equal('JSON')
  })

  const refused: readonly {
    why: string
    given: Record<string, unknown>
    content?: string | null
    pointer: string
  }[] = [
    { why: 'no file', given: {}, content: null, pointer: '/file' },
    { why: 'a blank name', given: { name: '  ' }, pointer: '/name' },
    { why: 'a name of 256 characters', given: { name: 'n'.repeat(256) }, pointer: '/name' },
    { why: 'a table name with a capital', given: { tableName: 'Clients' }, pointer: '/tableName' },
    { why: 'a table name with a quote', given: { tableName: 'a"b' }, pointer: '/tableName' },
    { why: 'a table name of 64', given: { tableName: 'a'.repeat(64) }, pointer: '/tableName' },
    { why: 'an unknown field', given: { colour: 'red' }, pointer: '/colour' },
    { why: 'an unknown option', given: { options: { colour: 1 } }, pointer: '/options/colour' },
    { why: 'a wrong option', given: { options: { ragged: 'maybe' } }, pointer: '/options/ragged' },
    { why: 'options that are not JSON', given: { options: '{' }, pointer: '/options' },
    { why: 'an unknown source', given: { source: 'ftp' }, pointer: '/source' },
    {
      why: 'an override of a column that is not there',
      given: { options: { columns: [{ name: 'Nope', type: 'text' }] } },
      pointer: '/options/columns/0/name',
    },
  ]
  for (const { why, given, content = CLIENTS, pointer } of refused) {
    it(`refuses ${why} with 400 and names it`, async () => {
      const before = await footprint(app, admin.enterprise!.id)
      const answer = await post(fields(given), content)
      expect(answer.status, answer.text).to.equal(400)
      expect(pointers(answer)).to.include(pointer)
      expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
    })
  }

  it('names the missing document of a JSON body, and the wrong source of a form', async () => {
    const json = await client().post('/sources', fields())
    expect(json.status).to.equal(400)
    expect(pointers(json)).to.deep.equal(['/documentUuid'])
    const api = await post(fields({ source: 'api' }), CLIENTS)
    expect(api.status).to.equal(400)
    expect(api.body.errors[0]).to.deep.equal({ pointer: '/source', message: 'must be file' })
  })

  it('refuses a part of the form that has no name', async () => {
    const content = [
      '--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n',
      '--b\r\ncontent-disposition: form-data; filename="a.csv"\r\n\r\na\r\n1\r\n',
    ]
    for (const part of content) {
      const answer = await client().request('POST', '/sources', {
        content: new Blob([`${part}--b--\r\n`], { type: 'multipart/form-data; boundary=b' }),
      })
      expect(answer.status, answer.text).to.equal(400)
      expect(answer.body.detail).to.equal('A part of the form has no name')
    }
  })

  it('refuses options that come after the file', async () => {
    const before = await footprint(app, admin.enterprise!.id)
    const form = sourceForm(fields(), CLIENTS)
    form.set('options', '{}')
    const answer = await client().request('POST', '/sources', { content: form })
    expect(answer.status, answer.text).to.equal(400)
    expect(pointers(answer)).to.deep.equal(['/options'])
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
  })

  it('refuses a date that no format parses, with its place', async () => {
    const before = await footprint(app, admin.enterprise!.id)
    const options = { columns: [{ name: 'Le', type: 'date' }] }
    const answer = await post(fields({ options }), 'Le\n01/02/2024\nhier\n')
    expect(answer.status).to.equal(400)
    expect(answer.body.detail).to.match(/^Invalid date format/)
    expect(answer.body.errors[0]).to.include({ row: 2, line: 3, column: 'Le', value: 'hier' })
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
  })

  it('refuses an empty file, broken JSON and an old workbook', async () => {
    const before = await footprint(app, admin.enterprise!.id)
    const empty = await post(fields(), '')
    expect(empty.body.code).to.equal('SourceFileEmptyException')
    const broken = await post(fields(), '[{"a":1},{"a":')
    expect(broken.body.code).to.equal('SourceFileMalformedException')
    expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
  })

  it('refuses a table name that is taken, and takes it again once it is free', async () => {
    const given = fields()
    const { uuid } = await created(post(given))
    const second = await post(given)
    expect(second.status).to.equal(409)
    expect(second.body.code).to.equal('SourceTableAlreadyExistsException')
    expect((await client().delete(`/sources/${uuid}`)).status).to.equal(200)
    await created(post(given))
  })

  it('lets one of two at once have the name', async () => {
    const given = fields()
    const answers = await Promise.all([post(given), post(given)])
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([201, 409])
  })

  for (const [what, made] of [
    ['a table that could be a source', 'table copied as select 1::bigint as _row'],
    ['a view', 'view copied as select 1 as a'],
    ['a type', `type copied as enum ('a')`],
  ] as const) {
    it(`does not touch ${what} that others have made under the name`, async () => {
      const { pool } = app.database
      const schema = `enterprise_${admin.enterprise!.id}`
      await pool.query(`create schema if not exists ${schema}`)
      await pool.query(`create ${made.replace('copied', `${schema}.copied`)}`)
      const before = await footprint(app, admin.enterprise!.id)
      const { status, body } = await post(fields({ tableName: 'copied' }))
      expect([status, body.code]).to.deep.equal([409, 'SourceTableAlreadyExistsException'])
      expect(await footprint(app, admin.enterprise!.id)).to.deep.equal(before)
      await pool.query(`drop ${made.slice(0, made.indexOf(' '))} ${schema}.copied`)
    })
  }

  it('accepts a name that Postgres uses for the array type of another table', async () => {
    const tables = ['copied', '_copied']
    for (const tableName of tables) {
      const { uuid } = await created(post(fields({ tableName })))
      expect((await client().get(`/sources/${uuid}/data`)).body.total).to.equal(2)
    }
  })

  it('lets two enterprises have the same name', async () => {
    const given = fields()
    await created(post(given))
    const other = app.client.as(await app.build.user())
    await created(other.request('POST', '/sources', { content: sourceForm(given, CLIENTS) }))
  })

  it('accepts an enterprise only from a super-admin', async () => {
    const root = app.client.as(await app.build.user({ role: 'super-admin' }))
    const enterprise = await app.build.enterprise()
    const send = (by: typeof root, given: Record<string, unknown>) =>
      by.request('POST', '/sources', { content: sourceForm(fields(given), CLIENTS) })
    expect(pointers(await send(root, {}))).to.deep.equal(['/enterpriseId'])
    expect((await send(root, { enterpriseId: 2 ** 30 })).body.code).to.equal(
      'EnterpriseNotFoundException',
    )
    expect((await send(client(), { enterpriseId: enterprise.id })).status).to.equal(403)
    const { uuid } = await created(send(root, { enterpriseId: enterprise.id }))
    const colleague = app.client.as(await app.build.user({ enterprise }))
    expect((await colleague.get(`/sources/${uuid}`)).status).to.equal(200)
  })

  it('gives the first answer again for the same Idempotency-Key and file', async () => {
    const given = fields()
    const sender = client().withHeaders({ 'idempotency-key': randomUUID() })
    const send = (content: string) =>
      sender.request('POST', '/sources', { content: sourceForm(given, content) })
    const first = await created(send(CLIENTS))
    const again = await send(CLIENTS)
    expect(again.status, again.text).to.equal(201)
    expect(again.body.uuid).to.equal(first.uuid)
    expect((await send(`${CLIENTS}Eve,,3\n`)).status).to.equal(422)
  })

  describe('out of scope', () => {
    const calls: readonly [string, string][] = [
      ['GET', ''],
      ['GET', '/data'],
      ['GET', '/export'],
      ['GET', '/rejects'],
      ['GET', '/loads'],
      ['DELETE', ''],
    ]
    for (const [method, path] of calls) {
      it(`answers ${method} /sources/:uuid${path} as if there were none`, async () => {
        const { uuid } = await created(post(fields()))
        const stranger = app.client.as(await app.build.user())
        const foreign = await stranger.request(method, `/sources/${uuid}${path}`)
        const absent = await stranger.request(method, `/sources/${randomUUID()}${path}`)
        expect(foreign.status).to.equal(404)
        expect({ ...foreign.body, requestId: '' }).to.deep.equal({ ...absent.body, requestId: '' })
        const malformed = await stranger.request(method, `/sources/nope${path}`)
        expect(malformed.status).to.equal(400)
        expect((await client().get(`/sources/${uuid}`)).status).to.equal(200)
      })
    }

    it('refuses client accounts everywhere', async () => {
      const person = app.client.as(await app.build.user({ role: 'client' }))
      expect((await person.get('/sources')).status).to.equal(403)
      expect((await app.client.get('/sources')).status).to.equal(401)
    })
  })

  it('lists newest first or by name, finds by name without accents or by table, and filters by status', async () => {
    const owner = app.client.as(await app.build.user())
    for (const name of ['Été 100%', 'Hiver', 'Etendu']) {
      await created(createFromFile(owner, CLIENTS, { name, tableName: `t_${name.length}` }))
    }
    const names = async (query: string) =>
      (await owner.get(`/sources${query}`)).body.items.map(({ name }: { name: string }) => name)
    expect(await names('')).to.deep.equal(['Etendu', 'Hiver', 'Été 100%'])
    expect(await names('?search=ETE')).to.deep.equal(['Etendu', 'Été 100%'])
    expect(await names('?search=0%25')).to.deep.equal(['Été 100%'])
    expect(await names('?search=%25')).to.deep.equal(['Été 100%'])
    expect(await names('?sort=name')).to.deep.equal(['Été 100%', 'Etendu', 'Hiver'])
    expect(await names('?sort=name&order=desc&status=READY&limit=2')).to.deep.equal([
      'Hiver',
      'Etendu',
    ])
    expect(await names('?order=asc&search=e')).to.deep.equal(['Été 100%', 'Hiver', 'Etendu'])
    expect(await names('?status=LOADING')).to.deep.equal([])
    expect(await names('?status=READY&limit=1&page=2')).to.deep.equal(['Hiver'])
    const { body } = await owner.patch(
      `/sources/${(await owner.get('/sources')).body.items[1].uuid}`,
      {
        name: 'Nadir',
      },
    )
    expect(body.tableName).to.equal('t_5')
    expect(await names('?search=T_5')).to.deep.equal(['Nadir'])
    expect(await names('?search=t_')).to.deep.equal(['Etendu', 'Nadir', 'Été 100%'])
    expect(await names('?search=_5&status=READY')).to.deep.equal(['Nadir'])
    expect((await owner.get('/sources?status=NOPE')).status).to.equal(400)
    expect((await owner.get('/sources?sort=rowCount')).status).to.equal(400)
  })

  it('renames a source and leaves its table alone', async () => {
    const { uuid, tableName } = await created(post(fields()))
    const { body, status } = await client().patch(`/sources/${uuid}`, { name: ' Autre ' })
    expect(status).to.equal(200)
    expect(body).to.include({ name: 'Autre', tableName })
    expect((await client().patch(`/sources/${uuid}`, { name: ' ' })).status).to.equal(400)
    expect((await client().patch(`/sources/${uuid}`, { tableName: 'x' })).status).to.equal(400)
  })

  it('keeps what people say of a source and its columns over loads, beside comments in SQL', async () => {
    const { uuid, tableName, columns, report } = await created(post(fields()))
    expect(report.streamsBecause).to.be.a('string')
    const [first, second] = columns.map(({ name }: { name: string }) => name)
    const change = (body: object) => client().patch(`/sources/${uuid}`, body)
    const described = await change({
      description: ' Ce que les boutiques ont vendu ',
      columns: [
        { name: first, description: 'La première' },
        { name: second, description: 'La deuxième' },
      ],
    })
    expect(described.status, described.text).to.equal(200)
    expect(described.body.description).to.equal('Ce que les boutiques ont vendu')
    await app.database.pool.query(
      `comment on table enterprise_${admin.enterprise!.id}."${tableName}" is 'Of SQL'`,
    )
    const again = await change({ columns: [{ name: second, description: ' ' }] })
    const spoken = (of: { columns: { description?: string }[] }) =>
      of.columns.map(({ description }) => description)
    expect(spoken(again.body).slice(0, 2)).to.deep.equal(['La première', undefined])
    expect((await client().post(`/sources/${uuid}/reload`)).status).to.equal(200)
    const { body: listed } = await client().get('/sources?limit=1')
    expect(listed.items[0]).to.include({ uuid, description: 'Ce que les boutiques ont vendu' })
    expect(spoken(listed.items[0])[0]).to.equal('La première')
    expect(spoken((await client().get(`/sources/${uuid}/data`)).body)[0]).to.equal('La première')
    expect((await change({ description: null })).body.description).to.equal(null)
    const unknown = await change({ columns: [{ name: 'Nope', description: 'x' }] })
    expect(unknown.status).to.equal(400)
    expect(unknown.body.errors[0].pointer).to.equal('/columns/0/name')
    expect((await change({ description: 'x'.repeat(5001) })).status).to.equal(400)
  })

  it('refuses to delete a table on which somebody has built a view, and says so', async () => {
    const { uuid, tableName } = await created(post(fields()))
    const schema = `enterprise_${admin.enterprise!.id}`
    await app.database.pool.query(
      `create view ${schema}.report as select * from ${schema}.${tableName}`,
    )
    const answer = await client().delete(`/sources/${uuid}`)
    expect(answer.status).to.equal(409)
    expect(answer.body.detail).to.include('report')
    expect((await client().get(`/sources/${uuid}/data`)).body.total).to.equal(2)
    await app.database.pool.query(`drop view ${schema}.report`)
    expect((await client().delete(`/sources/${uuid}`)).status).to.equal(200)
  })

  it('deletes the table, the rejects and the stored upload with the source', async () => {
    const owner = await app.build.user()
    const before = await footprint(app, owner.enterprise!.id)
    const options = { onInvalid: 'skip', columns: [{ name: 'n', type: 'number' }] }
    const { uuid } = await created(createFromFile(app.client.as(owner), 'n\n1\nx\n', { options }))
    expect(await footprint(app, owner.enterprise!.id)).to.deep.include({ parts: before.parts + 2 })
    const answer = await app.client.as(owner).delete(`/sources/${uuid}`)
    expect(answer.status).to.equal(200)
    expect(answer.body.message).to.be.a('string')
    expect(await footprint(app, owner.enterprise!.id)).to.deep.equal(before)
    expect((await app.client.as(owner).get(`/sources/${uuid}/data`)).status).to.equal(404)
  })
})
