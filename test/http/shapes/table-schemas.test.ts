import { expect } from 'chai'
import * as fc from 'fast-check'

import { useApp } from '../../support/app.ts'
import type { TestClient } from '../../support/client.ts'
import { created, createFromFile, sourceForm } from '../../support/sources.ts'

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
      [{ written: { type: 'number' } }, { minimum: 0 }, { maximum: '1000.5' }],
      [{ written: { type: 'date', format: '%d/%m/%Y' } }, { minimum: '2024-01-01' }],
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
        { name: 'c', type: 'integer', constraints: { exclusiveMinimum: 0, exclusiveMaximum: 9 } },
        { name: 'd', type: 'string', categories: ['x'], categoriesOrdered: true },
      ],
      fieldsMatch: 'superset',
      foreignKeys: [],
      missingValues: [],
    }
    const { warnings, columns } = await created(as.post('/shapes', { name: 'X', tableSchema }))
    for (const what of [
      'fieldsMatch',
      'foreignKeys',
      'missingValues',
      'rdfType',
      'constraints.exclusiveMinimum',
      'constraints.exclusiveMaximum',
      'categories',
      'categoriesOrdered',
      'constraints.minimum',
      'constraints.jsonSchema',
      'constraints.pattern',
    ]) {
      expect(warnings.join('\n')).to.include(`“${what}”`)
    }
    expect(warnings).to.have.length(9)
    expect(columns.flatMap(({ rules }: { rules: object[] }) => rules)).to.deep.equal([
      { written: { type: 'integer' } },
    ])
  })

  const checked = async (
    as: TestClient,
    fields: readonly object[],
    rows: readonly string[],
    warnings = 0,
    missingValues = [''],
  ) => {
    const names = fields.map((field) => (field as { name: string }).name)
    const tableSchema = { fields, missingValues }
    const made = await created(as.post('/shapes', { name: names.join(), tableSchema }))
    expect(made.warnings).to.have.length(warnings)
    const content = sourceForm(
      { shapeUuid: made.uuid, options: JSON.stringify({ delimiter: ';' }) },
      `n;${names.join(';')}\n${rows.map((row, at) => `${at};${quoted(row)}`).join('\n')}\n`,
    )
    const { body } = await as.request('POST', '/sources/check', { content })
    expect(body.rows, JSON.stringify(body)).to.equal(rows.length)
    const at: number[] = body.errors.map(({ line }: { line: number }) => line - 2)
    return [...new Set(at)].map((row) => rows[row])
  }

  const quoted = (text: string) => (/[";]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

  it('hold values to how they are to be written', async () => {
    const as = await admin()
    const words = { trueValues: ['oui', '1', 'actif'], falseValues: ['non', '0'] }
    for (const [field, good, bad] of [
      [
        { type: 'integer' },
        ['12', '-3', '+5', ' 7 ', ''],
        ['12.5', '12.0', '12,5', '1 234', 'x', 'NA', '-'],
      ],
      [
        { type: 'number' },
        ['12', '.5', '5.', '-5.e3', '-0.1'],
        ['12,5', '1 234', '12 %', '.', 'x'],
      ],
      [
        { type: 'number', decimalChar: ',', groupChar: '.' },
        ['12,5', '1.234', '1.234,5'],
        ['12;5', '1 234', 'x'],
      ],
      [{ type: 'number', bareNumber: false }, ['12.5 €', '(12)', 'env. -3 m'], ['€', '12,5']],
      [{ type: 'year' }, ['2024', '0999'], ['24', '-204', '20.5', '12024']],
      [{ type: 'boolean' }, ['true', 'TRUE', '0'], ['oui', 'X', 'vrai', 'peut-être', ' true']],
      [{ type: 'boolean', ...words }, ['oui', '0', 'actif'], ['true', 'OUI', 'n']],
      [{ type: 'date' }, ['2024-12-31', '2024-1-5'], ['31/12/2024', '2024-02-30', '20241231']],
      [{ type: 'date', format: '%d/%m/%y' }, ['31/12/24'], ['31/12/2024', '2024-12-31']],
      [{ type: 'date', format: '%Y%m%d' }, ['20241231'], ['2024-12-31', '20241331']],
      [{ type: 'date', format: 'any' }, ['2024-12-31', '31/12/2024'], ['hier']],
      [
        { type: 'datetime' },
        ['2024-12-31T10:00:00', '2024-12-31T10:00:00.5Z', '2024-12-31T10:00:00+01:00'],
        ['2024-12-31', '31/12/2024 10:00', '2024-12-31T25:00:00'],
      ],
      [{ type: 'string', format: 'uri' }, ['https://a.fr/é', 'mailto:a'], ['a.fr', '//a.fr']],
      [{ type: 'array' }, ['[]', '[1, "a"]'], ['{}', '1', 'a']],
      [
        { type: 'array', arrayItem: { type: 'string', constraints: { enum: ['a', 'b'] } } },
        ['[]', '["a", "b"]'],
        ['["a", "c"]', '[1]'],
      ],
      [
        { type: 'geojson' },
        ['{"type": "Point", "coordinates": [4.8, 45.7]}'],
        [
          '{}',
          '{"type": "Point"}',
          '{"type": "Point", "coordinates": [4,8, 45,7]}',
          '{"type": "LineString", "coordinates": [[1, 2]]}',
          'a',
        ],
      ],
      [{ type: 'string', format: 'email' }, ['a@b.fr'], ['a@b.fr ', 'a@b']],
      [{ type: 'object' }, ['{}', '{"a": [1]}'], ['[]', 'true', 'a']],
    ] as const) {
      const rows = [...good, ...bad]
      expect(
        await checked(as, [{ name: 'c', ...field }], rows),
        JSON.stringify(field),
      ).to.deep.equal(bad)
    }
  })

  it('hold what is kept as text to its type', async () => {
    const as = await admin()
    for (const [field, good, bad] of [
      [{ type: 'time' }, ['10:30:00', '23:59:59Z'], ['10:30', '24:00:00', 'midi']],
      [{ type: 'yearmonth' }, ['2024-12'], ['2024-13', '2024', '12/2024']],
      [{ type: 'duration' }, ['P1D', 'PT2H30M', '-P1Y2M'], ['P', 'P1DT', '1 jour']],
      [{ type: 'geopoint' }, ['4.8, 45.7', '-180,90'], ['45.7', '190,4', '4.8;45.7']],
      [{ type: 'geopoint', format: 'array' }, ['[4.8, 45.7]'], ['4.8, 45.7', '[1]', '[200, 4]']],
      [{ type: 'geopoint', format: 'object' }, ['{"lon": 4.8, "lat": 45}'], ['{"lon": 4}', '4,5']],
      [{ type: 'time', format: '%H:%M' }, ['10:30'], ['10:30:00', 'midi']],
    ] as const) {
      const rows = [...good, ...bad]
      const found = await checked(as, [{ name: 'c', ...field }], rows, 1)
      expect(found, JSON.stringify(field)).to.deep.equal(bad)
    }
  })

  it('have patterns in the writing of others', async () => {
    const as = await admin()
    for (const [pattern, good, bad] of [
      ['^[a-z\\u00C0-\\u00FF\\’\\-]+$', ['l’été-là'], ['L', 'a b']],
      ['(?:(?:^|,)([A-Z]\\d|)\\1+[A-Z]\\d)+', ['A1,B2'], ['A1;B2', 'a1']],
      ['[\\w.]+\\s\\w+', ['Hélène Éluard', 'M.\u00a0Œ'], ['Hélène', 'a-b c']],
    ] as const) {
      const fields = [{ name: 'c', type: 'string', constraints: { pattern } }]
      const warnings = pattern.includes('\\1') ? 1 : 0
      expect(await checked(as, fields, [...good, ...bad], warnings)).to.deep.equal(bad)
    }
  })

  it('name once what several fields have in the same way', async () => {
    const as = await admin()
    const fields = ['a', 'b'].map((name) => ({ name, type: 'string', example: 'x' }))
    const made = await created(
      as.post('/shapes', { name: 'X', tableSchema: { name: 'x', version: '1', fields } }),
    )
    expect(made.warnings).to.have.length(2)
    expect(made.warnings[0]).to.include('“name”, “version”')
    expect(made.warnings[1]).to.match(/“example”.*“a”, “b”/)
  })

  it('say what stands for no value', async () => {
    const as = await admin()
    const missing = ['', 'NC', 'n/a']
    const text = { name: 'c', type: 'string', constraints: { minLength: 4 } }
    expect(await checked(as, [text], ['abcd', 'NC', 'NA'], 0, missing)).to.deep.equal(['NA'])
    const held = { ...text, constraints: { required: true } }
    expect(await checked(as, [held], ['abcd', 'NC', 'NA'], 0, missing)).to.deep.equal(['NC'])
    const number = { name: 'c', type: 'integer' }
    expect(await checked(as, [number], ['1', 'n/a', 'NA'], 0, missing)).to.deep.equal(['NA'])
    const own = { ...number, missingValues: ['', '-1'], constraints: { minimum: 0 } }
    expect(await checked(as, [own], ['1', '-1', 'NC'], 0, missing)).to.deep.equal(['NC'])
  })

  it('say a whole number by its type', async () => {
    const as = await admin()
    const columns = [
      { name: 'Places', type: 'number', rules: [{ written: { type: 'integer' } }, { minimum: 0 }] },
    ]
    const { uuid } = await created(as.post('/shapes', { name: 'X', columns }))
    const { body } = await as.get(`/shapes/${uuid}/table-schema`)
    expect(body.fields).to.deep.equal([
      { name: 'Places', type: 'integer', constraints: { minimum: 0 } },
    ])
  })

  it('say the same when they come back', async () => {
    const as = await admin()
    const item = fc.record({ type: fc.constantFrom('string', 'integer') })
    const sign = fc.constantFrom(',', ' ', '’')
    const words = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }), {
      minLength: 1,
      maxLength: 4,
    })
    const partly = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
      fc.record(model, { requiredKeys: ['type' as keyof T] })
    const field = fc.oneof(
      partly({ type: fc.constantFrom('integer'), groupChar: sign, bareNumber: fc.boolean() }),
      partly({ type: fc.constantFrom('number'), decimalChar: sign, groupChar: sign }),
      partly({ type: fc.constantFrom('boolean'), trueValues: words, falseValues: words }),
      partly({ type: fc.constantFrom('date'), format: fc.constantFrom('%d/%m/%Y', '%Y', 'any') }),
      partly({ type: fc.constantFrom('datetime'), format: fc.constantFrom('%Y-%m-%d %H:%M') }),
      partly({ type: fc.constantFrom('geopoint'), format: fc.constantFrom('array', 'object') }),
      partly({ type: fc.constantFrom('time'), format: fc.constantFrom('%H:%M') }),
      partly({ type: fc.constantFrom('array'), arrayItem: item }),
      fc.record({ type: fc.constantFrom('year', 'yearmonth', 'duration', 'object', 'geojson') }),
      fc.record({
        type: fc.constant('string'),
        constraints: fc.record({
          required: fc.constant(true),
          pattern: fc.constantFrom('[\\w.]+\\s\\S', '\\W[^\\w.]', '\\u00e9|\\d'),
        }),
      }),
    )
    const missing = fc.uniqueArray(fc.constantFrom('NA', '-', 'n/a', '999'), { maxLength: 3 })
    const schemas = fc.record({ fields: fc.array(field, { minLength: 1, maxLength: 6 }), missing })
    await fc.assert(
      fc.asyncProperty(schemas, async ({ fields, missing: texts }) => {
        const named = fields.map((each, at) => ({ name: `c${at}`, ...each }))
        const tableSchema = {
          fields: named,
          ...(texts.length > 0 && { missingValues: ['', ...texts] }),
        }
        const made = await created(as.post('/shapes', { name: 'X', tableSchema }))
        const { body } = await as.get(`/shapes/${made.uuid}/table-schema`)
        expect({ ...body, $schema: undefined }).to.deep.equal({
          $schema: undefined,
          ...tableSchema,
        })
      }),
      { numRuns: 100 },
    )
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
      { name: 'Le', type: 'date', format: '%d.%m.%Y', rules: [] },
      { name: 'À', type: 'date', format: '%Y%m%dT%H:%M:%S', rules: [] },
      { name: 'Mois', type: 'date', format: 'any', pattern: 'd MMM yyyy' },
      { name: 'Détail', type: 'object', rules: [] },
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
    const ruled = (rules: unknown) => [field('a'), { ...field('b'), rules }]
    for (const [fields, pointer] of [
      [ruled('x'), '/tableSchema/fields/1/rules'],
      [ruled([{ minimum: 0 }]), '/tableSchema/fields/1/rules/0/minimum'],
      [ruled([{ required: true }, {}]), '/tableSchema/fields/1/rules/1'],
      [ruled([{ required: true, unique: true }]), '/tableSchema/fields/1/rules/0'],
      [ruled([{ matches: '(' }]), '/tableSchema/fields/1/rules/0/matches'],
      [ruled([{ format: 'x' }]), '/tableSchema/fields/1/rules/0/format'],
      [[{ ...field('a'), shape: { type: 'x' } }], '/tableSchema/fields/0/shape/type'],
      [[{ ...field('a'), shape: { pattern: 'dd/MM/yyyy' } }], '/tableSchema/fields/0/pattern'],
      [[field('a'), field('a')], '/tableSchema/fields/1/name'],
      [[field('x'.repeat(1025))], '/tableSchema/fields/0/name'],
      [[{ type: 'string' }], '/tableSchema/fields/0/name'],
      [Array.from({ length: 1601 }, (_, at) => field(`c${at}`)), '/tableSchema/fields'],
    ] as const) {
      expect(await pointersOf({ fields }), pointer).to.deep.equal([400, [pointer]])
    }
    for (const [more, pointer] of [
      [{ rules: [{ unique: ['b'] }] }, '/tableSchema/rules/0/unique/0'],
      [{ rules: [{ unique: 'a' }] }, '/tableSchema/rules/0/unique'],
      [{ shape: { unknown: 'x' } }, '/tableSchema/shape/unknown'],
    ] as const) {
      expect(await pointersOf({ fields: [field('a')], ...more })).to.deep.equal([400, [pointer]])
    }
  })

  it('are taken within the bounds of our own rules, with a word about the rest', async () => {
    const as = await admin()
    const constraints = { enum: [], pattern: 'x'.repeat(10_000), maxLength: 2 ** 40 }
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
      rules: columns[0]!.rules,
    })
    expect(body.fields[1].trueValues).to.include('oui')
  })

  it('make the same shape again', async () => {
    const as = await admin()
    const about = fc.record(
      {
        severity: fc.constantFrom('error', 'warning'),
        name: fc.constantFrom('a', 'été'),
        message: fc.constantFrom('Non.', 'No.'),
      },
      { requiredKeys: [] },
    )
    const rulesOf = (...kinds: object[]) =>
      fc.array(
        fc.tuple(fc.constantFrom(...kinds), about).map(([kind, more]) => ({ ...kind, ...more })),
        { maxLength: 4 },
      )
    const any = [{ required: true }, { unique: true }]
    const written = (...types: object[]) => types.map((type) => ({ written: type }))
    const texts = rulesOf(
      ...any,
      { oneOf: ['a', 'b'] },
      { matches: '^7' },
      { matches: '^(?:\\d{9})$' },
      { matches: '^(?:[\\pL\\pN_]+)$' },
      { minLength: 2 },
      { maxLength: 9 },
      ...['siret', 'email', 'uri', 'uuid', 'insee'].map((format) => ({ format })),
      ...written({ type: 'time' }, { type: 'any', missingValues: ['NC'] }, { type: 'string' }),
    )
    const numbers = rulesOf(
      ...any,
      { oneOf: [1, 2.5] },
      { minimum: 0 },
      { maximum: '10.50' },
      ...written({ type: 'integer' }, { type: 'number', decimalChar: ',' }, { type: 'year' }),
    )
    const dates = rulesOf(
      ...any,
      { minimum: '2024-01-01' },
      ...written({ type: 'date' }, { type: 'datetime' }, { type: 'date', format: '%d/%m/%Y' }),
    )
    const aliases = fc.uniqueArray(fc.constantFrom('x', 'Y', 'é'), { maxLength: 2 })
    const part = fc.record({ description: fc.constantFrom('Un mot', 'two') }, { requiredKeys: [] })
    const columnOf = (type: string, rules: fc.Arbitrary<object[]>, more: object[] = [{}]) =>
      fc.tuple(rules, aliases, part, fc.constantFrom(...more)).map(([ruled, known, ...others]) => ({
        type,
        rules: ruled,
        aliases: known,
        ...Object.assign({}, ...others),
      }))
    const column = fc.oneof(
      columnOf('text', texts),
      columnOf('number', numbers),
      columnOf('date', dates, [
        {},
        { dateFormat: 'MM/DD/YYYY' },
        { pattern: 'd/M/yyyy' },
        { pattern: 'd MMM yyyy' },
        { pattern: 'yyyyMMdd' },
      ]),
      columnOf('boolean', rulesOf(...any, ...written({ type: 'boolean' }))),
      columnOf('json', rulesOf({ required: true }, ...written({ type: 'array' }))),
    )
    const shapes = fc.record(
      {
        columns: fc.array(column, { minLength: 2, maxLength: 4 }),
        rules: rulesOf(
          { unique: ['c 0', 'c 1'] },
          { unique: ['c 1'] },
          { compare: ['c 0', '=', 'c 1'] },
        ),
        unknown: fc.constantFrom('add', 'ask'),
        missing: fc.constantFrom('empty', 'refuse'),
        left: fc.constantFrom([], ['Notes']),
        names: fc.constantFrom('usual', 'other'),
      },
      { requiredKeys: ['columns', 'names'] },
    )
    let made = 0
    await fc.assert(
      fc.asyncProperty(shapes, async ({ columns: given, names, ...more }) => {
        const columns = given.map((each, at) => ({
          ...each,
          name: `c ${at}`,
          aliases: each.aliases.map((alias: string) => `${alias}${at}`),
          ...(names === 'other' && { column: `held_${at}` }),
        }))
        const first = await as.post('/shapes', { name: 'X', columns, ...more })
        // Some rules cannot be of such columns.
        fc.pre(first.status === 201)
        made++
        const { body: tableSchema } = await as.get(`/shapes/${first.body.uuid}/table-schema`)
        const again = await created(as.post('/shapes', { name: 'X', tableSchema }))
        const told = ({ columns: held, rules, unknown, missing, left }: typeof again) => ({
          columns: held,
          rules,
          unknown,
          missing,
          left,
        })
        expect(told(again), JSON.stringify(tableSchema)).to.deep.equal(told(first.body))
      }),
      { numRuns: 150 },
    )
    expect(made).to.be.above(100)
  })

  it('are taken with the constraints that others have added beside our rules', async () => {
    const as = await admin()
    const constraints = { minLength: 2, maxLength: 9 }
    const tableSchema = {
      fields: [
        { name: 'a', type: 'string', constraints, rules: [{ minLength: 2, name: 'court' }] },
        { name: 'b', type: 'string', constraints: { required: true }, rules: [] },
      ],
      uniqueKeys: [['a'], ['b']],
      rules: [{ unique: ['a'], severity: 'warning' }, { unique: ['b'] }],
    }
    const made = await created(as.post('/shapes', { name: 'X', tableSchema }))
    expect(made.columns.map(({ rules }: { rules: object[] }) => rules)).to.deep.equal([
      [{ minLength: 2, name: 'court' }, { maxLength: 9 }],
      [{ required: true }],
    ])
    expect(made.rules).to.deep.equal([...tableSchema.rules, { unique: ['a'] }])
    expect(made.warnings).to.deep.equal([])
  })

  it('ask nothing of a type that the standard does not, or that it could not read', async () => {
    const as = await admin()
    const years = { written: { type: 'year' } }
    const columns = [
      { name: 'Année', type: 'number', rules: [years, { minimum: 1999.5 }, { maximum: '2100' }] },
      {
        name: 'Choix',
        type: 'number',
        rules: [{ written: { type: 'integer' } }, { oneOf: [1, 2.5] }],
      },
      { name: 'Heure', type: 'text', rules: [{ written: { type: 'time' } }, { maxLength: 5 }] },
      { name: 'Lieu', type: 'text', rules: [{ written: { type: 'geopoint' } }, { matches: 'x' }] },
      {
        name: 'Durée',
        type: 'text',
        rules: [{ format: 'uuid' }, { written: { type: 'duration' } }],
      },
    ]
    const { uuid } = await created(as.post('/shapes', { name: 'X', columns }))
    const { body } = await as.get(`/shapes/${uuid}/table-schema`)
    expect(body.fields).to.deep.equal(
      [
        { name: 'Année', type: 'year', constraints: { maximum: '2100' } },
        { name: 'Choix', type: 'integer' },
        { name: 'Heure', type: 'time' },
        { name: 'Lieu', type: 'geopoint' },
        { name: 'Durée', type: 'duration' },
      ].map((field, at) => ({ ...field, rules: columns[at]!.rules })),
    )
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
