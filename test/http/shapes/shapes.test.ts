import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { holdLocks } from '../../support/held-locks.ts'
import { created, createFromFile } from '../../support/sources.ts'

const CSV = 'Client;Date de vente;Montant\nAnn;31/12/2024;1,5\nBob;01/01/2025;2\n'
const COLUMNS = [
  { name: 'Client', type: 'text', aliases: ['Nom du client'] },
  { name: 'Date de vente', type: 'date', dateFormat: 'DD/MM/YYYY' },
  { name: 'Montant', type: 'number', description: ' en euros ' },
]

describe('shapes', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())
  const shapeOf = (as: TestClient, body: object = {}) =>
    created(as.post('/shapes', { name: 'Ventes', columns: COLUMNS, ...body }))

  it('are made from columns, which get their names in SQL', async () => {
    const as = await admin()
    const made = await shapeOf(as, { name: ' Ventes ', unknown: 'ask', left: ['Notes'] })
    expect(made).to.deep.include({
      name: 'Ventes',
      version: 1,
      unknown: 'ask',
      missing: 'empty',
      left: ['Notes'],
      rules: [],
      warnings: [],
    })
    expect(made.columns).to.deep.equal([
      { name: 'Client', column: 'client', type: 'text', aliases: ['Nom du client'], rules: [] },
      {
        name: 'Date de vente',
        column: 'date_de_vente',
        type: 'date',
        dateFormat: 'DD/MM/YYYY',
        aliases: [],
        rules: [],
      },
      {
        name: 'Montant',
        column: 'montant',
        type: 'number',
        description: 'en euros',
        aliases: [],
        rules: [],
      },
    ])
    const { warnings: _warnings, ...shape } = made
    expect((await as.get(`/shapes/${made.uuid}`)).body).to.deep.equal(shape)
    const { body: list } = await as.get('/shapes?search=VENT%C3%89S')
    expect(list.items).to.deep.equal([shape])
    expect((await as.get('/shapes?search=xyz')).body.total).to.equal(0)
  })

  it('every source has one of its own, which is not in the list', async () => {
    const as = await admin()
    const source = await created(createFromFile(as, CSV))
    const { body, status } = await as.get(`/sources/${source.uuid}/shape`)
    expect(status).to.equal(200)
    expect(body).to.include({ name: null, unknown: 'add', missing: 'empty' })
    expect((await as.get('/shapes')).body.total).to.equal(0)
    const refused = await as.delete(`/shapes/${body.uuid}`)
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'ShapeInUseException'])
    await as.delete(`/sources/${source.uuid}`)
    expect((await as.get(`/shapes/${body.uuid}`)).status).to.equal(404)
  })

  it('change, each time to a new version, and only for who has seen the last', async () => {
    const as = await admin()
    const { uuid } = await shapeOf(as)
    const path = `/shapes/${uuid}`
    const { headers, body } = await as.get(path)
    const tag = headers.get('etag')!
    const renamed = body.columns.map((column: { name: string }) => ({
      ...column,
      name: column.name.toUpperCase(),
    }))
    const seen = as.withHeaders({ 'if-match': tag })
    const { body: second, headers: after } = await seen.patch(path, { columns: renamed })
    expect(second).to.deep.include({ version: 2, columns: renamed })
    const late = await seen.patch(path, { name: 'Autre' })
    expect([late.status, late.body.code]).to.deep.equal([412, 'ShapeChangedException'])
    expect((await as.withHeaders({ 'if-match': '*' }).patch(path, { name: 'X' })).status).to.equal(
      200,
    )
    expect(after.get('etag')).not.to.equal(tag)
    expect((await as.patch(path, { missing: 'ask' })).body).to.include({ version: 4, name: 'X' })
  })

  it('are changed by one of two who have seen the same version', async () => {
    const as = await admin()
    const { uuid } = await shapeOf(as)
    const path = `/shapes/${uuid}`
    const tag = (await as.get(path)).headers.get('etag')!
    const seen = as.withHeaders({ 'if-match': tag })
    const answers = await Promise.all(['A', 'B'].map((name) => seen.patch(path, { name })))
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 412])
  })

  it('keep a column through its name in SQL, and give a new one a name of its own', async () => {
    const as = await admin()
    const { uuid, columns } = await shapeOf(as)
    const [client, , amount] = columns
    const given = [{ ...amount, name: 'Total' }, client, { name: 'Montant', type: 'text' }]
    const { body } = await as.patch(`/shapes/${uuid}`, { columns: given })
    expect(body.columns.map(({ column }: { column: string }) => column)).to.deep.equal([
      'montant',
      'client',
      'montant_2',
    ])
  })

  it('are seen by admins of their enterprise alone', async () => {
    const as = await admin()
    const other = await admin()
    const { uuid } = await shapeOf(as)
    for (const answer of [
      await other.get(`/shapes/${uuid}`),
      await other.patch(`/shapes/${uuid}`, { name: 'x' }),
      await other.delete(`/shapes/${uuid}`),
    ]) {
      expect([answer.status, answer.body.code]).to.deep.equal([404, 'ShapeNotFoundException'])
    }
    expect((await other.get('/shapes')).body.total).to.equal(0)
    const client = app.client.as(await app.build.user({ role: 'client' }))
    expect((await client.get('/shapes')).status).to.equal(403)
    const root = app.client.as(await app.build.user({ role: 'super-admin' }))
    expect((await root.get(`/shapes/${uuid}`)).status).to.equal(200)
    expect((await as.delete(`/shapes/${uuid}`)).status).to.equal(200)
    expect((await as.get(`/shapes/${uuid}`)).status).to.equal(404)
  })

  it('are copied from what a source has', async () => {
    const as = await admin()
    const source = await created(createFromFile(as, CSV))
    const made = await created(as.post('/shapes', { name: 'Copie', fromSource: source.uuid }))
    expect(made.columns.map(({ name }: { name: string }) => name)).to.deep.equal(
      source.columns.map(({ name }: { name: string }) => name),
    )
    const foreign = await (await admin()).post('/shapes', { name: 'x', fromSource: source.uuid })
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'SourceNotFoundException'])
  })

  it('are made from a Table Schema, and say what it has that they have not', async () => {
    const as = await admin()
    const tableSchema = {
      primaryKey: 'id',
      fields: [
        { name: 'id', type: 'integer', constraints: { required: true } },
        { name: 'jour', type: 'date', format: '%d/%m/%Y', title: 'Le jour' },
        { name: 'heure', type: 'time' },
        { name: 'quand', type: 'datetime', format: '%H:%M' },
        { name: 'lieu' },
      ],
    }
    const made = await created(as.post('/shapes', { name: 'T', tableSchema }))
    expect(
      made.columns.map(({ name, type, dateFormat, description }: Record<string, unknown>) =>
        [name, type, dateFormat, description].filter((said) => said !== undefined),
      ),
    ).to.deep.equal([
      ['id', 'number'],
      ['jour', 'date', 'DD/MM/YYYY', 'Le jour'],
      ['heure', 'text'],
      ['quand', 'date'],
      ['lieu', 'text'],
    ])
    expect(made.warnings.join()).to.match(/time.*%H:%M/)
  })

  const refused: readonly (readonly [title: string, body: object, pointer: string])[] = [
    ['no columns at all', {}, ''],
    ['two origins', { columns: COLUMNS, tableSchema: { fields: [{ name: 'a' }] } }, ''],
    ['a name twice', { columns: [COLUMNS[0], COLUMNS[0]] }, '/columns/1/name'],
    [
      'an alias of two columns',
      { columns: ['a', 'b'].map((name) => ({ name, type: 'text', aliases: ['x'] })) },
      '/columns/1/aliases/0',
    ],
    [
      'an alias of 256 characters',
      { columns: [{ name: 'a', type: 'text', aliases: ['x'.repeat(256)] }] },
      '/columns/0/aliases/0',
    ],
    [
      'a date format of a text',
      { columns: [{ name: 'a', type: 'text', dateFormat: 'YYYY-MM-DD' }] },
      '/columns/0/dateFormat',
    ],
    [
      'a name in SQL that every table has for itself',
      { columns: [{ name: 'a', type: 'text', column: 'xmin' }] },
      '/columns/0/column',
    ],
    [
      'a name in SQL that PostgreSQL would cut',
      { columns: [{ name: 'a', type: 'text', column: 'é'.repeat(32) }] },
      '/columns/0/column',
    ],
    ['a rule', { columns: [{ name: 'a', type: 'text', rules: [{}] }] }, '/columns/0/rules/0'],
    ['rules of rows', { columns: COLUMNS, rules: [{}] }, '/rules/0'],
    ['a schema without fields', { tableSchema: { fields: [] } }, '/tableSchema/fields'],
    ['a field without a name', { tableSchema: { fields: [{}] } }, '/tableSchema/fields/0/name'],
  ]
  for (const [title, body, pointer] of refused) {
    it(`refuses ${title}`, async () => {
      const answer = await (await admin()).post('/shapes', { name: 'x', ...body })
      expect(answer.status, answer.text).to.equal(400)
      expect(answer.body.errors[0].pointer).to.equal(pointer)
    })
  }

  it('remembers 10,000 aliases of 255 characters’ length at most, and no more', async () => {
    const as = await admin()
    const aliases = (count: number) => Array.from({ length: count }, (_, at) => `alias ${at}`)
    const columns = (count: number) => [
      { name: 'a', type: 'text', aliases: aliases(count) },
      { name: 'b', type: 'text', aliases: ['é'.repeat(255)] },
    ]
    const made = await created(as.post('/shapes', { name: 'x', columns: columns(9_999) }))
    expect(made.columns[0].aliases).to.have.length(9_999)
    const { status, body } = await as.post('/shapes', { name: 'x', columns: columns(10_000) })
    expect([status, body.errors[0].pointer]).to.deep.equal([400, '/columns'])
  })

  it('refuse more columns than a table has', async () => {
    const as = await admin()
    const columns = Array.from({ length: 1600 }, (_, at) => ({ name: `c${at}`, type: 'text' }))
    const { status, body } = await as.post('/shapes', { name: 'x', columns })
    expect([status, body.code]).to.deep.equal([400, 'SourceLimitExceededException'])
  })

  it('refuse expressions that would take long to make, before any is made', async () => {
    const as = await admin()
    const { uuid } = await created(createFromFile(as, CSV))
    const matches = String.raw`\pL{1000}`.repeat(30)
    const rules = [{ matches }, { matches }]
    const fields = ['A', 'B'].map((name) => ({ name, constraints: { pattern: matches } }))
    const tries = [
      [
        as.post('/shapes', { name: 'S', columns: [{ name: 'A', type: 'text', rules }] }),
        '/columns',
      ],
      [as.post('/shapes', { name: 'S', tableSchema: { fields } }), '/tableSchema/fields'],
      [as.post(`/sources/${uuid}/rules/try`, { column: 'Client', rules }), '/rules'],
    ] as const
    for (const [asked, pointer] of tries) {
      const { status, body } = await asked
      expect(status, pointer).to.equal(400)
      expect(body.errors[0].pointer).to.equal(pointer)
      expect(body.errors[0].message).to.include('50,000 steps')
    }
    const one = [{ name: 'A', type: 'text', rules: [{ matches }] }]
    await created(as.post('/shapes', { name: 'One', columns: one }))
  })

  it('refuse a change to a column that they do not have', async () => {
    const as = await admin()
    const { uuid } = await shapeOf(as)
    const columns = [{ name: 'a', column: 'zzz', type: 'text' }]
    const { status, body } = await as.patch(`/shapes/${uuid}`, { columns })
    expect([status, body.errors[0].pointer]).to.deep.equal([400, '/columns/0/column'])
  })

  describe('that somebody else is changing', () => {
    const lockOf = (uuid: string, how: string) =>
      holdLocks(app.database.pool, `select from shapes where uuid = '${uuid}' for ${how}`)

    it('are not there for a source once they are deleted', async () => {
      const as = await admin()
      const { uuid } = await shapeOf(as)
      const source = await created(createFromFile(as, CSV))
      const locks = await lockOf(uuid, 'update')
      const answers = [
        as.patch(`/sources/${source.uuid}`, { shapeUuid: uuid }),
        createFromFile(as, CSV, { tableName: 'of_a_shape', shapeUuid: uuid }),
      ]
      await locks.isRowWaitedFor()
      await locks.run(`delete from shapes where uuid = '${uuid}'`)
      await locks.release()
      for (const { status, body } of await Promise.all(answers)) {
        expect([status, body.code]).to.deep.equal([404, 'ShapeNotFoundException'])
      }
    })

    it('change for the sources that have come to them meanwhile', async () => {
      const as = await admin()
      const { uuid, columns } = await shapeOf(as)
      const source = await created(createFromFile(as, CSV))
      const locks = await lockOf(uuid, 'share')
      const renamed = columns.with(0, { ...columns[0], name: 'Acheteur' })
      const changing = as.patch(`/shapes/${uuid}`, { columns: renamed })
      await locks.isRowWaitedFor()
      const given = await as.patch(`/sources/${source.uuid}`, { shapeUuid: uuid })
      expect(given.status, given.text).to.equal(200)
      await locks.release()
      expect((await changing).status).to.equal(200)
      const { body } = await as.get(`/sources/${source.uuid}`)
      expect(body.columns[0]).to.include({ name: 'Acheteur', column: 'client' })
    })
  })

  it('are refused with a pattern that reads no dates', async () => {
    const as = await admin()
    const columns = [{ name: 'Le', type: 'date', pattern: 'QQQ' }]
    const { status, body } = await as.post('/shapes', { name: 'X', columns })
    expect([status, body.errors[0].pointer]).to.deep.equal([400, '/columns/0/pattern'])
  })
})
