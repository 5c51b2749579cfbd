import { Type } from 'typebox'

import {
  aliasField,
  MOST_COLUMNS,
  policyFields,
  shapeColumnFields,
} from '../../../resources/shape.ts'
import { columnRules, rowRules } from '../../../resources/rule.ts'
import { exampleShape } from '../../presenters/present-shape.ts'
import { exampleSource } from '../../presenters/present-source.ts'
import { enterpriseIdField, fixed, named, strictObject, trimmedName, uuid } from '../../schemas.ts'

const MOST_LEFT = 1600

const columnFields = {
  ...shapeColumnFields,
  column: Type.Optional(
    Type.String({
      pattern: '^[^\\u0000]{1,63}$',
      description: 'Name in SQL; a new column has none yet',
    }),
  ),
  aliases: Type.Optional(
    Type.Array(aliasField, {
      maxItems: 10_000,
      description: 'Other headers that stand for it; at most 10,000 in all columns together',
    }),
  ),
  rules: Type.Optional(columnRules('What its values have to be')),
}

const columns = Type.Array(named('GivenShapeColumn', strictObject(columnFields)), {
  minItems: 1,
  maxItems: MOST_COLUMNS,
})

const policies = {
  unknown: Type.Optional(policyFields.unknown),
  missing: Type.Optional(policyFields.missing),
  left: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024, format: 'without-nul' }), {
      maxItems: MOST_LEFT,
      description: 'Headers that are left out',
    }),
  ),
  rules: Type.Optional(rowRules('What holds in every row')),
}

/** What a shape is made of, wherever it is written. */
export const shapeMembers = { columns, ...policies }

const givenColumns = [
  {
    name: 'Client',
    type: 'text' as const,
    aliases: ['Nom du client'],
    rules: [{ required: true as const }],
  },
  { name: 'Date de vente', type: 'date' as const, dateFormat: 'DD/MM/YYYY' as const },
  { name: 'Montant TTC', type: 'number' as const, rules: [{ minimum: 0 }] },
]

export const newShape = named(
  'NewShape',
  strictObject({
    name: trimmedName('1 to 255 characters after trimming', exampleShape.name!),
    columns: Type.Optional(columns),
    fromSource: Type.Optional(uuid('A source, whose shape is copied', exampleSource.uuid)),
    tableSchema: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'A Frictionless Table Schema; what has no counterpart is named in `warnings`',
      }),
    ),
    ...policies,
    enterpriseId: enterpriseIdField,
  }),
  {
    columns: { name: exampleShape.name!, columns: givenColumns },
    'from-source': { name: exampleShape.name!, fromSource: exampleSource.uuid, unknown: 'ask' },
    'table-schema': {
      name: exampleShape.name!,
      tableSchema: {
        fields: [
          { name: 'Client', type: 'string' },
          { name: 'Date de vente', type: 'date', format: '%d/%m/%Y' },
        ],
      },
    },
    'as-super-admin': { name: exampleShape.name!, columns: givenColumns, enterpriseId: 1 },
  },
)

export const shapeChange = named(
  'ShapeChange',
  strictObject(
    {
      name: Type.Optional(trimmedName('1 to 255 characters after trimming; of a shared one only')),
      columns: Type.Optional({
        ...columns,
        description:
          'The whole list. A column is known by its `column`; one that is named no more leaves',
      }),
      ...policies,
    },
    { minProperties: 1, ...fixed('version', 'enterpriseId') },
  ),
  {
    ask: { unknown: 'ask', missing: 'ask' },
    rename: { columns: exampleShape.columns.map(({ rules: _rules, ...column }) => column) },
  },
)
