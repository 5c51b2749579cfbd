import { Type } from 'typebox'

import {
  givenOfColumn,
  givenPolicies,
  MOST_COLUMNS,
  shapeColumnFields,
} from '../../../resources/shape.ts'
import { columnRules, rowRules } from '../../../resources/rule.ts'
import { givenTableSchema } from '../../../resources/table-schema.ts'
import { exampleShape } from '../../presenters/present-shape.ts'
import { exampleSource } from '../../presenters/present-source.ts'
import { enterpriseIdField, fixed, named, strictObject, trimmedName, uuid } from '../../schemas.ts'

const columnFields = {
  ...shapeColumnFields,
  ...givenOfColumn,
  rules: Type.Optional(columnRules('What its values have to be')),
}

const columns = Type.Array(named('GivenShapeColumn', strictObject(columnFields)), {
  minItems: 1,
  maxItems: MOST_COLUMNS,
})

const policies = {
  ...givenPolicies,
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
    tableSchema: Type.Optional(givenTableSchema),
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
