import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, footprint, sourceForm } from '../../support/sources.ts'

const HEADER = 'Réf;Début;Fin;HT;TVA;TTC;État\n'
const GOOD = `${HEADER}A-1;01/02/2024;03/02/2024;100,10;20,02;120,12;ouvert\n`
const COLUMNS = [
  { name: 'Réf', type: 'text', rules: [{ required: true }, { matches: '^[A-Z]-\\d+$' }] },
  { name: 'Début', type: 'date', rules: [{ minimum: '2024-01-01' }] },
  { name: 'Fin', type: 'date' },
  { name: 'HT', type: 'number', rules: [{ minimum: 0, name: 'positif' }] },
  { name: 'TVA', type: 'number' },
  { name: 'TTC', type: 'number', rules: [{ maximum: 1000, severity: 'warning', name: 'gros' }] },
  { name: 'État', type: 'text', rules: [{ oneOf: ['ouvert', 'fermé'] }] },
]
const RULES = [
  { compare: ['Début', '<=', 'Fin'], message: 'La fin précède le début' },
  { sum: ['HT', 'TVA'], equals: 'TTC', within: 0.01 },
]

describe('rules', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())
  const shapeOf = (as: TestClient, body: object = {}) =>
    created(as.post('/shapes', { name: 'Devis', columns: COLUMNS, rules: RULES, ...body }))
  const loaded = async (as: TestClient, text: string, more: object = {}) => {
    const { uuid } = await shapeOf(as)
    return createFromFile(as, text, { shapeUuid: uuid, ...more })
  }
  const send = (as: TestClient, path: string, fields: object, text: string) =>
    as.request('POST', path, { content: sourceForm({ ...fields }, text) })
  const BAD = `${HEADER}${[
    'A-1;01/02/2024;03/02/2024;100,10;20,02;120,12;ouvert',
    ';01/02/2023;03/02/2024;-1;0;-1;perdu',
    'A-2;05/02/2024;03/02/2024;100;20;125;fermé',
    'x;05/02/2024;;1;1;;ouvert',
  ].join('\n')}\n`

  it('are shown as they were given, the columns by their names', async () => {
    const as = await admin()
    const { columns, rules } = await shapeOf(as, {
      rules: [{ compare: ['debut', '<', 'Fin'] }],
    })
    expect(columns[0].rules).to.deep.equal(COLUMNS[0]!.rules)
    expect(rules).to.deep.equal([{ compare: ['Début', '<', 'Fin'] }])
  })

  it('that cannot be are refused, each at its place', async () => {
    const as = await admin()
    const columns = [
      { name: 'Nom', type: 'text', rules: [{ required: true }, { minimum: 3 }] },
      { name: 'Code', type: 'text', rules: [{ matches: '(' }] },
    ]
    const one = await as.post('/shapes', { name: 'X', columns })
    expect(one.status).to.equal(400)
    expect(one.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
      '/columns/0/rules/1/minimum',
      '/columns/1/rules/0/matches',
    ])
    const two = await as.post('/shapes', {
      name: 'X',
      columns: COLUMNS,
      rules: [{ compare: ['Début', '<', 'Rien'] }],
    })
    expect(two.status).to.equal(400)
    expect(two.body.errors[0].pointer).to.equal('/rules/0/compare/2')
  })

  it('follow a column that is called otherwise', async () => {
    const as = await admin()
    const { uuid, columns } = await shapeOf(as)
    const renamed = columns.map((column: { name: string }) => ({
      ...column,
      name: column.name === 'Fin' ? 'Terme' : column.name,
    }))
    const { body } = await as.patch(`/shapes/${uuid}`, { columns: renamed })
    expect(body.rules[0].compare).to.deep.equal(['Début', '<=', 'Terme'])
    const gone = columns.filter((column: { name: string }) => column.name !== 'Fin')
    expect((await as.patch(`/shapes/${uuid}`, { columns: gone })).status).to.equal(400)
  })

  it('are kept by rows that are loaded', async () => {
    const as = await admin()
    const source = await created(loaded(as, GOOD))
    expect(source).to.include({ rowCount: 1, rejectedCount: 0 })
  })

  it('refuse a file with everything that breaks them, counted by rule', async () => {
    const as = await admin()
    const { status, body } = await loaded(as, BAD)
    expect([status, body.code]).to.deep.equal([400, 'SourceDataInvalidException'])
    const seen = body.errors.map(
      (error: { row: number; line: number; column: string; rule: string }) =>
        [error.row, error.line, error.column, error.rule].join(' '),
    )
    expect(seen).to.deep.equal([
      '2 3 Réf required',
      '2 3 Début minimum',
      '2 3 HT positif',
      '2 3 État oneOf',
      '3 4 Début compare',
      '3 4 TTC sum',
      '4 5 Réf matches',
    ])
    expect(body.totalErrors).to.equal(7)
    expect(body.byRule).to.have.deep.members(
      ['required', 'minimum', 'positif', 'oneOf', 'compare', 'sum', 'matches'].map((rule) => ({
        rule,
        count: 1,
      })),
    )
    expect(body.errors[4].message).to.equal('La fin précède le début')
    expect(body.errors[5].message).to.match(/120/)
    expect((await as.get('/sources')).body.total).to.equal(0)
  })

  it('count types among what is wrong', async () => {
    const as = await admin()
    const { body } = await loaded(as, `${GOOD}B-1;hier;;-5;0;-5;ouvert\n`)
    expect(body.byRule).to.have.deep.members([
      { rule: 'type', count: 1 },
      { rule: 'positif', count: 1 },
    ])
  })

  it('are told of together with rows that cannot be taken apart', async () => {
    const as = await admin()
    const { status, body } = await loaded(as, `${BAD}trop;peu\nB-1;hier;;5;0;5;ouvert\n`)
    expect([status, body.code]).to.deep.equal([400, 'SourceFileMalformedException'])
    expect(body).to.include({ row: 5, line: 6, totalErrors: 9 })
    expect(body.byRule).to.deep.include({ rule: 'structure', count: 1 })
    expect(body.byRule).to.deep.include({ rule: 'type', count: 1 })
    expect(body.errors.at(-2)).to.include({ row: 5, line: 6, rule: 'structure' })
    expect(body.errors.at(-1)).to.include({ row: 6, column: 'Début', value: 'hier' })
  })

  it('leave out the rows that break them, and say which rule', async () => {
    const as = await admin()
    const source = await created(loaded(as, BAD, { options: { onInvalid: 'skip' } }))
    expect(source).to.include({ rowCount: 1, rejectedCount: 3 })
    const { body } = await as.get(`/sources/${source.uuid}/rejects`)
    expect(
      body.items.map(({ row, column, rule }: { row: number; column: string; rule: string }) => [
        row,
        column,
        rule,
      ]),
    ).to.deep.equal([
      [2, 'Réf', 'required'],
      [3, 'Début', 'compare'],
      [4, 'Réf', 'matches'],
    ])
  })

  it('make cells NULL that break them, where that is asked', async () => {
    const as = await admin()
    const source = await created(loaded(as, BAD, { options: { onInvalid: 'null' } }))
    const { body } = await as.get(`/sources/${source.uuid}/data`)
    expect(body.items.slice(1)).to.deep.equal([
      { Réf: null, Début: null, Fin: '2024-02-03', HT: null, TVA: 0, TTC: -1, État: null },
      { Réf: 'A-2', Début: null, Fin: '2024-02-03', HT: 100, TVA: 20, TTC: null, État: 'fermé' },
      { Réf: null, Début: '2024-02-05', Fin: null, HT: 1, TVA: 1, TTC: null, État: 'ouvert' },
    ])
    expect(source.report.byRule).to.deep.include({ rule: 'matches', count: 1 })
  })

  it('only warn where they are warnings, counted with their first', async () => {
    const as = await admin()
    const big = `${GOOD}B-1;01/02/2024;;2000;0;2000;ouvert\nB-2;01/02/2024;;3000;0;3000;ouvert\n`
    const source = await created(loaded(as, big))
    const warning = source.report.warnings.find(
      ({ code }: { code: string }) => code === 'rule-broken',
    )
    expect(warning).to.deep.include({ rule: 'gros', count: 2, line: 3, column: 'TTC' })
  })

  it('are asked of every load of a source, and of a preview', async () => {
    const as = await admin()
    const source = await created(createFromFile(as, 'Nom;Code\nAnn;1\n'))
    const { body: shape } = await as.get(`/sources/${source.uuid}/shape`)
    const columns = shape.columns.map((column: { name: string }) => ({
      ...column,
      rules: column.name === 'Nom' ? [{ required: true }, { maxLength: 3 }] : [],
    }))
    await as.patch(`/sources/${source.uuid}/shape`, { columns })
    for (const mode of ['replace', 'append']) {
      const refused = await send(
        as,
        `/sources/${source.uuid}/reload`,
        { mode },
        'Nom;Code\nAnne;1\n;2\n',
      )
      expect(refused.status, mode).to.equal(400)
      expect(refused.body.byRule).to.have.deep.members([
        { rule: 'maxLength', count: 1 },
        { rule: 'required', count: 1 },
      ])
    }
    const short = await send(as, `/sources/${source.uuid}/reload`, {}, 'Code\n1\n2\n')
    expect(short.body).to.deep.include({ totalErrors: 2, byRule: [{ rule: 'required', count: 2 }] })
    const preview = await send(
      as,
      `/sources/${source.uuid}/preview`,
      {},
      'Nom;Code\nAnne;1\nBo;2\n',
    )
    expect(preview.body).to.deep.include({
      invalidCells: 1,
      byRule: [{ rule: 'maxLength', count: 1 }],
    })
    // Digits alone stay text where a rule wants text.
    const digits = await send(as, `/sources/${source.uuid}/reload`, {}, 'Nom;Code\n123;1\n')
    expect(digits.status).to.equal(200)
  })

  describe('are checked before a load', () => {
    const check = (as: TestClient, text: string, fields: object = {}, uuid?: string) =>
      send(as, uuid === undefined ? '/sources/check' : `/sources/${uuid}/check`, fields, text)

    it('with all that is wrong, whatever it is, and nothing is left', async () => {
      const user = await app.build.user()
      const as = app.client.as(user)
      const { uuid: shapeUuid } = await shapeOf(as)
      const broken = `${BAD}B-1;hier;;5;0;5;ouvert\ntrop;peu\n`
      const before = await footprint(app, user.enterprise!.id)
      const { status, body } = await check(as, broken, { source: 'file', name: 'X', shapeUuid })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body).to.include({ valid: false, rows: 6, totalErrors: 9 })
      expect(body.byRule).to.deep.include({ rule: 'type', count: 1 })
      expect(body.byRule).to.deep.include({ rule: 'structure', count: 1 })
      expect(body.errors.at(-1)).to.include({ row: 6, line: 7, rule: 'structure' })
      expect(body.errors.at(-2)).to.include({ column: 'Début', value: 'hier', rule: 'type' })
      expect(body.mapping).to.have.length(7)
      expect(await footprint(app, user.enterprise!.id)).to.deep.equal(before)
    })

    it('also of a file without a shape, and of one that is right', async () => {
      const as = await admin()
      const { body } = await check(as, 'Nom;Code\nAnn;1\n')
      expect(body).to.deep.include({ valid: true, rows: 1, errors: [], totalErrors: 0, byRule: [] })
      const { uuid: shapeUuid } = await shapeOf(as)
      expect((await check(as, GOOD, { shapeUuid })).body).to.include({ valid: true })
    })

    it('reads again from the start where a type was found too narrow', async () => {
      const as = await admin()
      const many = Array.from({ length: 12_000 }, (_, at) => at).join('\n')
      const { body } = await check(as, `N\n${many}\nx\n`)
      expect(body).to.include({ valid: true, rows: 12_001 })
    })

    it('for a source, as a reload would read it', async () => {
      const as = await admin()
      const source = await created(loaded(as, GOOD))
      const { body } = await check(as, BAD, { mode: 'append' }, source.uuid)
      expect(body).to.include({ valid: false, totalErrors: 7 })
      const again = await as.post(`/sources/${source.uuid}/check`)
      expect(again.body).to.include({ valid: true, rows: 1 })
      const other = await admin()
      expect((await check(other, BAD, {}, source.uuid)).status).to.equal(404)
    })

    it('lists the first thousand, and counts all', async () => {
      const as = await admin()
      const columns = [{ name: 'N', type: 'number', rules: [{ minimum: 1 }] }]
      const { uuid: shapeUuid } = await shapeOf(as, { columns, rules: [] })
      const { body } = await check(as, `N\n${'0\n'.repeat(1500)}`, { shapeUuid })
      expect(body.errors).to.have.length(1000)
      expect(body).to.deep.include({
        totalErrors: 1500,
        byRule: [{ rule: 'minimum', count: 1500 }],
      })
    })
  })

  it('with a pattern that would take others for ever are judged at once', async () => {
    const as = await admin()
    const columns = [{ name: 'T', type: 'text', rules: [{ matches: '(a+)+$' }] }]
    const { uuid } = await shapeOf(as, { columns, rules: [] })
    const text = `T\n${'a'.repeat(1 << 20)}b\n`
    const { body } = await createFromFile(as, text, { shapeUuid: uuid })
    expect(body.byRule).to.deep.equal([{ rule: 'matches', count: 1 }])
  })
})
