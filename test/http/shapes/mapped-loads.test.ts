import { expect } from 'chai'
import * as fc from 'fast-check'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'

const CSV = 'Client;Ville;Montant\nAnn;Lyon;1,5\nBob;Lille;2\n'
const RENAMED = 'Client;Ville;Montant TTC\nAnn;Lyon;3,5\nEve;Nice;4\n'

describe('loads whose headers meet a shape', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())

  const send = (
    as: TestClient,
    { uuid }: { uuid: string },
    content: string,
    fields: object = {},
    to = 'reload',
  ) =>
    as.request('POST', `/sources/${uuid}/${to}`, {
      content: sourceForm({ ...fields }, content),
    })

  const rowsOf = async (as: TestClient, { uuid }: { uuid: string }) =>
    (await as.get(`/sources/${uuid}/data`)).body.items

  const shapeOf = async (as: TestClient, { uuid }: { uuid: string }) =>
    (await as.get(`/sources/${uuid}/shape`)).body

  const query = async (text: string) => (await app.database.pool.query(text)).rows

  async function source(csv = CSV) {
    const as = await admin()
    return { as, it: await created(createFromFile(as, csv)) }
  }

  async function staged(as: TestClient, it: { uuid: string }, content: string, fields = {}) {
    const { status, body, text } = await send(as, it, content, fields)
    expect([status, body.state], text).to.deep.equal([200, 'staged'])
    return body
  }

  it('meet it by name and by fold, in whatever order they come', async () => {
    const { as, it } = await source()
    const { status, body } = await send(as, it, 'MONTANT; ville ;«Client»\n7;Nice;Eve\n')
    expect([status, body.status]).to.deep.equal([200, 'READY'])
    expect(body.columns.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Client',
      'Ville',
      'Montant',
    ])
    expect(await rowsOf(as, it)).to.deep.equal([{ Client: 'Eve', Ville: 'Nice', Montant: 7 }])
  })

  it('ask where an unknown header could be a missing column, and change nothing until then', async () => {
    const { as, it } = await source()
    const before = await rowsOf(as, it)
    const load = await staged(as, it, RENAMED)
    expect(load.questions).to.have.length(1)
    const [question] = load.questions
    expect(question).to.include({ kind: 'renamed', header: 'Montant TTC', column: 'Montant' })
    expect(question.proposals[0]).to.have.keys('column', 'confidence', 'because')
    expect(load.missing).to.deep.equal(['Montant'])
    expect(load.mapping[2]).to.include({ header: 'Montant TTC', by: 'proposed', column: 'Montant' })
    expect(load.shapeVersion).to.be.a('number')
    expect(await rowsOf(as, it)).to.deep.equal(before)
  })

  it('are answered when they are published, and remember the answer', async () => {
    const { as, it } = await source()
    const load = await staged(as, it, RENAMED)
    const path = `/sources/${it.uuid}/loads/${load.uuid}`
    const none = await as.post(`${path}/publish`)
    expect([none.status, none.body.code]).to.deep.equal([409, 'MappingQuestionException'])
    expect(none.body.questions).to.deep.equal(load.questions)
    const answer = await as.post(`${path}/publish`, { mapping: { 'Montant TTC': 'Montant' } })
    expect(answer.status, answer.text).to.equal(200)
    expect(await rowsOf(as, it)).to.deep.equal([
      { Client: 'Ann', Ville: 'Lyon', Montant: 3.5 },
      { Client: 'Eve', Ville: 'Nice', Montant: 4 },
    ])
    expect((await as.get(path)).body).to.deep.include({ state: 'current', questions: [] })
    expect((await shapeOf(as, it)).columns[2].aliases).to.deep.equal(['Montant TTC'])
    const again = await send(as, it, RENAMED.replace('3,5', '9'))
    expect(again.body.status, again.text).to.equal('READY')
    expect((await rowsOf(as, it))[0].Montant).to.equal(9)
  })

  it('forget an answer that is not to be remembered', async () => {
    const { as, it } = await source()
    const given = { mapping: { 'Montant TTC': 'Montant' }, remember: 'false' }
    expect((await send(as, it, RENAMED, given)).body.status).to.equal('READY')
    expect((await shapeOf(as, it)).columns[2].aliases).to.deep.equal([])
    await staged(as, it, RENAMED)
  })

  it('stay as the shape proposes for an empty answer', async () => {
    const { as, it } = await source()
    const load = await staged(as, it, RENAMED)
    const path = `/sources/${it.uuid}/loads/${load.uuid}/publish`
    expect((await as.post(path, { mapping: {} })).status).to.equal(200)
    expect(await rowsOf(as, it)).to.deep.equal([
      { Client: 'Ann', Ville: 'Lyon', Montant: null, 'Montant TTC': 3.5 },
      { Client: 'Eve', Ville: 'Nice', Montant: null, 'Montant TTC': 4 },
    ])
  })

  it('want an answer to each question', async () => {
    const { as, it } = await source('Nom;Ville;N\nAnn;Lyon;1\n')
    const load = await staged(as, it, 'Surnom;Lieu;N\nAnn;Lyon;1\n')
    expect(load.questions).to.have.length(2)
    const path = `/sources/${it.uuid}/loads/${load.uuid}/publish`
    for (const mapping of [{ Surnom: 'Nom' }, { Surnom: 'Surnom' }]) {
      const { status, body } = await as.post(path, { mapping })
      expect([status, body.code]).to.deep.equal([409, 'MappingQuestionException'])
    }
    const { status } = await as.post(path, { mapping: { Surnom: 'Nom', Lieu: null } })
    expect(status).to.equal(200)
    expect(await rowsOf(as, it)).to.deep.equal([{ Nom: 'Ann', Ville: null, N: 1 }])
    // What was left out is left out again, without a question.
    const again = await send(as, it, 'Surnom;Lieu;N\nBob;Nice;2\n')
    expect(again.body.status, again.text).to.equal('READY')
    expect((await shapeOf(as, it)).left).to.deep.equal(['Lieu'])
  })

  it('are answered by one of two', async () => {
    const { as, it } = await source()
    const load = await staged(as, it, RENAMED)
    const path = `/sources/${it.uuid}/loads/${load.uuid}/publish`
    const answers = await Promise.all(
      ['Montant', 'Montant TTC'].map((column) =>
        as.post(path, { mapping: { 'Montant TTC': column } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409])
    expect((await as.post(path, { mapping: {} })).status).to.equal(409)
  })

  it('are refused for a question where the request says so', async () => {
    const { as, it } = await source()
    const { status, body } = await send(as, it, RENAMED, { onQuestion: 'refuse' })
    expect([status, body.code]).to.deep.equal([409, 'MappingQuestionException'])
    expect(body.questions[0]).to.include({ kind: 'renamed', header: 'Montant TTC' })
    expect((await rowsOf(as, it))[0].Montant).to.equal(1.5)
  })

  it('read cells anew whose column is of another type than they were taken for', async () => {
    const { as, it } = await source('Code;N\n007;1\n')
    const load = await staged(as, it, 'Numéro;N\n8;2\n')
    const path = `/sources/${it.uuid}/loads/${load.uuid}/publish`
    expect((await as.post(path, { mapping: { Numéro: 'Code' } })).status).to.equal(200)
    expect(await rowsOf(as, it)).to.deep.equal([{ Code: 8, N: 2 }])
  })

  it('append with new and missing columns', async () => {
    const { as, it } = await source()
    const given = { mode: 'append' }
    const { body, text } = await send(as, it, 'client ;Note;Ville\nEve;x;Nice\n', given)
    expect(body.status, text).to.equal('READY')
    expect((await rowsOf(as, it))[2]).to.deep.equal({
      Client: 'Eve',
      Ville: 'Nice',
      Montant: null,
      Note: 'x',
    })
    expect((await shapeOf(as, it)).columns.map(({ name }: { name: string }) => name)).to.deep.equal(
      ['Client', 'Ville', 'Montant', 'Note'],
    )
  })

  it('append a renamed column once it was answered, from the file that was kept', async () => {
    const { as, it } = await source()
    const load = await staged(as, it, RENAMED, { mode: 'append' })
    const path = `/sources/${it.uuid}/loads/${load.uuid}/publish`
    expect((await as.post(path, { mapping: { 'Montant TTC': 'Montant' } })).status).to.equal(200)
    expect((await rowsOf(as, it)).map(({ Montant }: { Montant: number }) => Montant)).to.deep.equal(
      [1.5, 2, 3.5, 4],
    )
  })

  it('upsert by a key whose header is folded', async () => {
    const { as, it } = await source()
    const given = { mode: 'upsert', key: 'Client' }
    const { body, text } = await send(as, it, 'CLIENT;montant\nBob;9\n', given)
    expect(body.status, text).to.equal('READY')
    expect(await rowsOf(as, it)).to.deep.equal([
      { Client: 'Ann', Ville: 'Lyon', Montant: 1.5 },
      { Client: 'Bob', Ville: null, Montant: 9 },
    ])
  })

  it('keep a column that is no longer sent, empty, until the shape names it no more', async () => {
    const { as, it } = await source()
    const { body } = await send(as, it, 'Client;Ville\nEve;Nice\n')
    expect(body.columns[2]).to.deep.include({ name: 'Montant', column: 'montant', sent: false })
    expect(await rowsOf(as, it)).to.deep.equal([{ Client: 'Eve', Ville: 'Nice', Montant: null }])
    const { columns } = await shapeOf(as, it)
    const patched = await as.patch(`/sources/${it.uuid}/shape`, { columns: columns.slice(0, 2) })
    expect(patched.status, patched.text).to.equal(200)
    expect(await rowsOf(as, it)).to.deep.equal([{ Client: 'Eve', Ville: 'Nice' }])
    const table = `${it.schema}.${it.tableName}`
    expect(Object.keys((await query(`select * from ${table}`))[0])).to.deep.equal([
      '_row',
      'client',
      'ville',
    ])
  })

  it('show the same through a view of the first day: renamed, new, missing, back again', async () => {
    const { as, it } = await source()
    const table = `${it.schema}.${it.tableName}`
    await query(`create view ${it.schema}.v_${it.tableName} as
      select client, ville, montant from ${table}`)
    const seen = () => query(`select * from ${it.schema}.v_${it.tableName} order by client`)
    const { columns } = await shapeOf(as, it)
    const names = columns.map((column: { name: string }) => ({
      ...column,
      name: `${column.name} (2025)`,
    }))
    expect((await as.patch(`/sources/${it.uuid}/shape`, { columns: names })).status).to.equal(200)
    expect((await rowsOf(as, it))[0]).to.deep.equal({
      'Client (2025)': 'Ann',
      'Ville (2025)': 'Lyon',
      'Montant (2025)': 1.5,
    })
    const renamed = 'client 2025;VILLE 2025;montant (2025);Note\nEve;Nice;5;x\n'
    expect((await send(as, it, renamed)).body.status).to.equal('READY')
    expect(await seen()).to.deep.equal([{ client: 'Eve', ville: 'Nice', montant: '5' }])
    const left = await as.patch(`/sources/${it.uuid}/shape`, { columns: names.slice(1) })
    expect([left.status, left.body.code]).to.deep.equal([409, 'SourceColumnInUseException'])
    expect((await as.post(`/sources/${it.uuid}/rollback`, {})).status).to.equal(200)
    expect(await seen()).to.deep.equal([
      { client: 'Ann', ville: 'Lyon', montant: '1.5' },
      { client: 'Bob', ville: 'Lille', montant: '2' },
    ])
    expect(Object.keys((await rowsOf(as, it))[0])).to.deep.equal([
      'Client (2025)',
      'Ville (2025)',
      'Montant (2025)',
      'Note',
    ])
  })

  it('make the same table, in whatever order the columns come and however the names are folded', async () => {
    const header = ['Client', 'Date de début', 'N° facture', 'Montant TTC']
    const rows = [
      ['Ann', '03/02/2026', 'F-1', '1,5'],
      ['Bob', '28/02/2026', 'F-2', '2'],
    ]
    const { as, it } = await source([header, ...rows].map((row) => row.join(';')).join('\n'))
    // The number of a row tells its load.
    const table = () =>
      query(
        `select to_jsonb(t) - '_row' as "row" from ${it.schema}.${it.tableName} t order by client`,
      )
    const before = { columns: it.columns, rows: await table() }
    const folding = fc.constantFrom<(name: string) => string>(
      (name) => name.toUpperCase(),
      (name) => ` ${name.toLowerCase()} `,
      (name) => name.replaceAll(' ', '_'),
      (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
      (name) => `«${name}»`,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        fc.tuple(folding, folding, folding, folding),
        async (order, folds) => {
          const names = order.map((at) => folds[at]!(header[at]!))
          const lines = rows.map((row) => order.map((at) => row[at]!))
          const file = [names, ...lines].map((row) => row.join(';')).join('\n')
          const { body, text } = await send(as, it, file)
          expect(body.status, text).to.equal('READY')
          expect({ columns: body.columns, rows: await table() }).to.deep.equal(before)
        },
      ),
      { numRuns: 12 },
    )
  })

  it('leave, ask, or refuse what is unknown, and ask or refuse what is missing', async () => {
    const { as, it } = await source()
    const path = `/sources/${it.uuid}/shape`
    const csv = 'Client;Ville;Montant;Note\nEve;Nice;5;x\n'
    await as.patch(path, { unknown: 'leave' })
    expect((await send(as, it, csv)).body.columns).to.have.length(3)
    await as.patch(path, { unknown: 'refuse' })
    const refused = await send(as, it, csv)
    expect([refused.status, refused.body.errors[0].pointer]).to.deep.equal([400, '/mapping/Note'])
    await as.patch(path, { unknown: 'ask' })
    const load = await staged(as, it, csv)
    expect(load.questions).to.deep.equal([{ kind: 'unknown', header: 'Note', proposals: [] }])
    await as.patch(path, { unknown: 'add', missing: 'ask' })
    const other = await staged(as, it, 'Client;Ville\nEve;Nice\n')
    expect(other.questions).to.deep.equal([{ kind: 'missing', column: 'Montant', proposals: [] }])
    const publish = `/sources/${it.uuid}/loads/${other.uuid}/publish`
    expect((await as.post(publish, { mapping: {} })).status).to.equal(200)
    await as.patch(path, { missing: 'refuse' })
    const last = await send(as, it, 'Client;Ville\nEve;Nice\n')
    expect([last.status, last.body.errors[0].pointer]).to.deep.equal([400, '/mapping'])
  })

  it('refuse a mapping to a column that is not there, and two headers for one', async () => {
    const { as, it } = await source()
    const none = await send(as, it, RENAMED, { mapping: { 'Montant TTC': 'Prix' } })
    expect([none.status, none.body.errors[0].pointer]).to.deep.equal([400, '/mapping/Montant TTC'])
    const mapping = { 'Montant TTC': 'Montant', Ville: 'montant' }
    const two = await send(as, it, RENAMED, { mapping })
    expect([two.status, two.body.errors[0].pointer]).to.deep.equal([400, '/mapping/Ville'])
    const header = await send(as, it, RENAMED, { mapping: { Prix: null } })
    expect([header.status, header.body.errors[0].pointer]).to.deep.equal([400, '/mapping/Prix'])
    const text = await send(as, it, RENAMED, { mapping: '{' })
    expect([text.status, text.body.errors[0].pointer]).to.deep.equal([400, '/mapping'])
  })

  it('ask of headers that fold alike', async () => {
    const { as, it } = await source()
    const load = await staged(as, it, 'client;CLIENT;Ville;Montant\nEve;Eva;Nice;5\n')
    expect(load.questions.map(({ header }: { header: string }) => header)).to.deep.equal([
      'client',
      'CLIENT',
    ])
  })

  it('learn from other shapes of the enterprise, where all agree', async () => {
    const as = await admin()
    const columns = (alias: string, name = 'Montant') => [
      { name, type: 'number', aliases: [alias] },
    ]
    await created(as.post('/shapes', { name: 'A', columns: columns('Montant TTC') }))
    const it = await created(createFromFile(as, CSV))
    const answer = await send(as, it, RENAMED)
    expect(answer.body.status, answer.text).to.equal('READY')
    expect((await rowsOf(as, it))[0].Montant).to.equal(3.5)
    await created(as.post('/shapes', { name: 'B', columns: columns('montant ttc', 'Ville') }))
    // One is written as the header is, the other is not.
    expect((await send(as, it, RENAMED)).body.status).to.equal('READY')
    await created(as.post('/shapes', { name: 'C', columns: columns('Montant TTC', 'Prix') }))
    await staged(as, it, RENAMED)
    await created(as.post('/shapes', { name: 'D', columns: columns('Montant TTC') }))
    // No column is called so here, and most mean the one that is.
    expect((await send(as, it, RENAMED)).body.status).to.equal('READY')
  })

  it('are proposed what most shapes remember, with the share that says so', async () => {
    const as = await admin()
    const shapeCalling = (name: string, alias: string) => ({
      name: `${name} ${alias} ${Math.random()}`,
      columns: [{ name, type: 'number', aliases: [alias] }],
    })
    for (let at = 0; at < 19; at++) await created(as.post('/shapes', shapeCalling('Montant', 'X7')))
    await created(as.post('/shapes', shapeCalling('Client', 'X7')))
    const it = await created(createFromFile(as, CSV))
    const load = await staged(as, it, RENAMED.replace('Montant TTC', 'X7'))
    const [best] = load.questions[0].proposals
    expect(best).to.include({ column: 'Montant', confidence: 0.9 })
    expect(best.because).to.equal('19 of 20 others take it so')
  })

  it('preview how headers meet the columns', async () => {
    const { as, it } = await source()
    const preview = (fields: object, content: string | null, path: string) =>
      as.request('POST', path, { content: sourceForm({ ...fields }, content) })
    const { status, body, text } = await preview({}, RENAMED, `/sources/${it.uuid}/preview`)
    expect(status, text).to.equal(200)
    expect(body.mapping.map(({ by }: { by: string }) => by)).to.deep.equal([
      'name',
      'name',
      'proposed',
    ])
    expect(body.missing).to.deep.equal(['Montant'])
    const mapped = await preview(
      { mapping: { 'Montant TTC': 'Montant', Ville: null } },
      RENAMED,
      `/sources/${it.uuid}/preview`,
    )
    expect(mapped.body.data[0]).to.deep.equal({ Client: 'Ann', Montant: 3.5 })
    const same = await as.post(`/sources/${it.uuid}/preview`)
    expect(same.body.missing).to.deep.equal([])
    const shape = await created(as.post('/shapes', { name: 'A', fromSource: it.uuid }))
    const other = await preview({ shapeUuid: shape.uuid }, RENAMED, '/sources/preview')
    expect(other.body.missing).to.deep.equal(['Montant'])
    const stranger = await admin()
    const foreign = await stranger.request('POST', '/sources/preview', {
      content: sourceForm({ shapeUuid: shape.uuid }, RENAMED),
    })
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'ShapeNotFoundException'])
  })

  it('of a new source meet the shape that it shares', async () => {
    const { as, it } = await source()
    const shape = await created(as.post('/shapes', { name: 'Ventes', fromSource: it.uuid }))
    const other = await created(
      createFromFile(as, 'client;montant\nEve;5\n', { shapeUuid: shape.uuid }),
    )
    expect(other.shapeUuid).to.equal(shape.uuid)
    expect(other.columns.map(({ column, sent }: Record<string, unknown>) => [column, sent])).to.eql(
      [
        ['client', undefined],
        ['ville', false],
        ['montant', undefined],
      ],
    )
    expect(await rowsOf(as, other)).to.deep.equal([{ Client: 'Eve', Ville: null, Montant: 5 }])
    const asked = await createFromFile(as, RENAMED, { shapeUuid: shape.uuid })
    expect([asked.status, asked.body.code]).to.deep.equal([409, 'MappingQuestionException'])
    const answered = await created(
      createFromFile(as, RENAMED, {
        shapeUuid: shape.uuid,
        mapping: { 'Montant TTC': 'Montant' },
      }),
    )
    expect((await rowsOf(as, answered))[0].Montant).to.equal(3.5)
    expect((await as.get(`/shapes/${shape.uuid}`)).body.columns[2].aliases).to.deep.equal([
      'Montant TTC',
    ])
    const used = await as.delete(`/shapes/${shape.uuid}`)
    expect([used.status, used.body.code]).to.deep.equal([409, 'ShapeInUseException'])
    const foreign = await createFromFile(await admin(), CSV, { shapeUuid: shape.uuid })
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'ShapeNotFoundException'])
  })

  it('of sources that share a shape follow it, and go back to their own', async () => {
    const { as, it } = await source()
    const shape = await created(as.post('/shapes', { name: 'Ventes', fromSource: it.uuid }))
    const path = `/sources/${it.uuid}`
    expect((await as.patch(path, { shapeUuid: shape.uuid })).body.shapeUuid).to.equal(shape.uuid)
    const columns = shape.columns.map((column: { name: string }) => ({
      ...column,
      name: column.name.toUpperCase(),
    }))
    expect((await as.patch(`/shapes/${shape.uuid}`, { columns })).status).to.equal(200)
    expect(Object.keys((await rowsOf(as, it))[0])).to.deep.equal(['CLIENT', 'VILLE', 'MONTANT'])
    expect((await as.patch(path, { shapeUuid: null })).body.shapeUuid).not.to.equal(shape.uuid)
    expect(Object.keys((await rowsOf(as, it))[0])).to.deep.equal(['Client', 'Ville', 'Montant'])
    expect((await as.delete(`/shapes/${shape.uuid}`)).status).to.equal(200)
    const stranger = await admin()
    const theirs = await created(createFromFile(stranger, CSV))
    const foreign = await as.patch(`/sources/${theirs.uuid}`, { shapeUuid: shape.uuid })
    expect(foreign.status).to.equal(404)
  })

  it('of 1,500 columns meet them in whatever order they come', async () => {
    const names = Array.from({ length: 1500 }, (_, at) => `Valeur ${at}`)
    const csv = (list: readonly string[]) => `${list.join(';')}\n${list.map(() => 'x').join(';')}\n`
    const { as, it } = await source(csv(names))
    const { body, text } = await send(
      as,
      it,
      csv(names.toReversed().map((name) => name.toUpperCase())),
    )
    expect(body.status, text).to.equal('READY')
    expect(body.columns).to.have.length(1500)
    expect(body.columns[0]).to.include({ name: 'Valeur 0' })
    const more = await send(as, it, csv(names.map((name) => `Autre ${name}`)), { mapping: {} })
    expect([more.status, more.body.code], more.text).to.deep.equal([
      400,
      'SourceLimitExceededException',
    ])
  })
})
