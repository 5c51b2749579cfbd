import { expect } from 'chai'

import { useApp } from '../../support/app.ts'
import { created, createFromFile } from '../../support/sources.ts'

const FIELDS = [
  { name: 'siren', type: 'string', constraints: { required: true, pattern: '\\d{9}' } },
  { name: 'email', type: 'string', format: 'email', constraints: { maxLength: 100 } },
  { name: 'etat', type: 'string', constraints: { enum: ['ouvert', 'fermé'] } },
  { name: 'montant', type: 'number', constraints: { minimum: 0, maximum: '1000.5' } },
  { name: 'date', type: 'date', format: '%d/%m/%Y', constraints: { minimum: '2024-01-01' } },
]

describe('Table Schemas', () => {
  const app = useApp()
  const admin = async () => app.client.as(await app.build.user())

  it('are taken with their constraints as rules, and given back', async () => {
    const as = await admin()
    const tableSchema = { fields: FIELDS, primaryKey: 'siren', uniqueKeys: [['email', 'date']] }
    const made = await created(as.post('/shapes', { name: 'Marchés', tableSchema }))
    expect(made.warnings).to.deep.equal([])
    expect(made.columns.map(({ rules }: { rules: object[] }) => rules)).to.deep.equal([
      [{ required: true }, { matches: '^(?:\\d{9})$' }],
      [{ maxLength: 100 }, { format: 'email' }],
      [{ oneOf: ['ouvert', 'fermé'] }],
      [{ minimum: 0 }, { maximum: '1000.5' }],
      [{ minimum: '2024-01-01' }],
    ])
    expect(made.rules).to.deep.equal([{ unique: ['siren'] }, { unique: ['email', 'date'] }])
    const { body } = await as.get(`/shapes/${made.uuid}/table-schema`)
    expect(body.fields).to.deep.equal(FIELDS)
    expect(body.uniqueKeys).to.deep.equal([['siren'], ['email', 'date']])
  })

  it('are taken with a word about each member that has no counterpart', async () => {
    const as = await admin()
    const tableSchema = {
      fields: [
        { name: 'a', type: 'string', constraints: { minimum: 3, jsonSchema: {} }, rdfType: 'x' },
        { name: 'b', type: 'string', constraints: { pattern: '(?=x)', required: false } },
      ],
      foreignKeys: [],
      missingValues: ['-'],
    }
    const { warnings, columns } = await created(as.post('/shapes', { name: 'X', tableSchema }))
    for (const what of [
      'foreignKeys',
      'missingValues',
      'rdfType',
      'constraints.minimum',
      'constraints.jsonSchema',
      'constraints.pattern',
    ]) {
      expect(warnings.join('\n')).to.include(`“${what}”`)
    }
    expect(warnings).to.have.length(6)
    expect(columns.flatMap(({ rules }: { rules: object[] }) => rules)).to.deep.equal([])
  })

  it('keep how dates are written, and columns of JSON', async () => {
    const as = await admin()
    const columns = [
      { name: 'Le', type: 'date', pattern: 'dd.MM.yyyy' },
      { name: 'À', type: 'date', pattern: "yyyyMMdd'T'HH:mm:ss" },
      { name: 'Mois', type: 'date', pattern: 'd MMM yyyy' },
      { name: 'Détail', type: 'json' },
    ]
    const { uuid } = await created(as.post('/shapes', { name: 'X', columns }))
    const { body } = await as.get(`/shapes/${uuid}/table-schema`)
    expect(body.fields).to.deep.equal([
      { name: 'Le', type: 'date', format: '%d.%m.%Y' },
      { name: 'À', type: 'date', format: '%Y%m%dT%H:%M:%S' },
      { name: 'Mois', type: 'date', format: 'any', pattern: 'd MMM yyyy' },
      { name: 'Détail', type: 'object' },
    ])
    const again = await created(as.post('/shapes', { name: 'Y', tableSchema: body }))
    const told = again.columns.map(({ name, type, pattern }: (typeof columns)[number]) => ({
      name,
      type,
      ...(pattern && { pattern }),
    }))
    expect(told).to.deep.equal(columns)
  })

  it('are refused where they stand', async () => {
    const as = await admin()
    const field = (name: string) => ({ name, type: 'string' })
    const pointersOf = async (tableSchema: object) => {
      const { status, body } = await as.post('/shapes', { name: 'X', tableSchema })
      return [status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    for (const [fields, pointer] of [
      [[field('a'), field('a')], '/tableSchema/fields/1/name'],
      [[field('x'.repeat(1025))], '/tableSchema/fields/0/name'],
      [[{ type: 'string' }], '/tableSchema/fields/0/name'],
      [Array.from({ length: 1601 }, (_, at) => field(`c${at}`)), '/tableSchema/fields'],
    ] as const) {
      expect(await pointersOf({ fields })).to.deep.equal([400, [pointer]])
    }
  })

  it('are taken within the bounds of our own rules, with a word about the rest', async () => {
    const as = await admin()
    const constraints = { enum: [], pattern: 'x'.repeat(1000), maxLength: 2 ** 40 }
    const description = `${'x'.repeat(999)}😀`
    const tableSchema = {
      fields: [{ name: 'a', type: 'string', constraints, description }],
      primaryKey: 'b',
      uniqueKeys: [['a'], ['c']],
    }
    const made = await created(as.post('/shapes', { name: 'X', tableSchema }))
    expect(made.columns[0].rules).to.deep.equal([])
    expect(made.columns[0].description).to.equal('x'.repeat(999))
    expect(made.rules).to.deep.equal([{ unique: ['a'] }])
    for (const what of ['enum', 'pattern', 'maxLength', 'primaryKey', 'uniqueKeys']) {
      expect(made.warnings.join('\n')).to.include(what)
    }
  })

  it('have what they have no word for in a member of its own', async () => {
    const as = await admin()
    const columns = [
      {
        name: 'Siret',
        type: 'text',
        rules: [{ format: 'siret' }, { matches: '^7' }, { required: true, severity: 'warning' }],
      },
      { name: 'Fini', type: 'boolean' },
    ]
    const rules = [{ compare: ['Siret', '!=', 'Siret 2'] }]
    const second = { name: 'Siret 2', type: 'text' }
    const { uuid } = await created(
      as.post('/shapes', { name: 'X', columns: [...columns, second], rules }),
    )
    const { body } = await as.get(`/shapes/${uuid}/table-schema`)
    expect(body.rules).to.deep.equal(rules)
    expect(body.fields[0]).to.deep.equal({
      name: 'Siret',
      type: 'string',
      constraints: { pattern: '[\\s\\S]*(?:^7)[\\s\\S]*' },
      rules: [{ format: 'siret' }, { required: true, severity: 'warning' }],
    })
    expect(body.fields[1].trueValues).to.include('oui')
  })

  it('describe the export of a source in a Data Package', async () => {
    const as = await admin()
    const text = 'Nom;Le;À;Fait\nAnn;31/12/2024;2024-01-01 10:00;oui\n'
    const { uuid } = await created(
      createFromFile(as, text, { name: 'Actes', tableName: 'actes_decrits' }),
    )
    const { body } = await as.get(`/sources/${uuid}/datapackage`)
    expect(body).to.include({ name: 'actes_decrits', title: 'Actes' })
    expect(body.resources[0]).to.include({ path: 'actes_decrits.csv', encoding: 'utf-8' })
    expect(body.resources[0].schema.fields).to.deep.equal([
      { name: 'Nom', type: 'string' },
      { name: 'Le', type: 'date' },
      { name: 'À', type: 'datetime' },
      { name: 'Fait', type: 'boolean' },
    ])
    const other = await admin()
    expect((await other.get(`/sources/${uuid}/datapackage`)).status).to.equal(404)
  })
})
