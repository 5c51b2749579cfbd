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
