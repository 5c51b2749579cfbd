import { Type } from 'typebox'

import { type Entity } from './resource.ts'
import { columnRules, rowRules } from './rule.ts'
import { named, strictObject } from './schema.ts'

const words = Type.Optional(Type.Array(Type.String()))

const fieldSchema = strictObject({
  name: Type.String(),
  type: Type.Enum([
    'string',
    'number',
    'integer',
    'date',
    'datetime',
    'boolean',
    'object',
  ] as const),
  format: Type.Optional(Type.String()),
  pattern: Type.Optional(
    Type.String({
      description: 'How its dates are written, in the letters of Luxon, where no `format` says it',
    }),
  ),
  description: Type.Optional(Type.String()),
  trueValues: words,
  falseValues: words,
  constraints: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  rules: Type.Optional(columnRules('Those that a Table Schema has no word for')),
})

export const tableSchemaSchema = named(
  'TableSchema',
  strictObject(
    {
      $schema: Type.String({ format: 'uri' }),
      fields: Type.Array(fieldSchema),
      uniqueKeys: Type.Optional(Type.Array(named('UniqueKey', Type.Array(Type.String())))),
      rules: Type.Optional(rowRules('Those that a Table Schema has no word for')),
    },
    { description: 'A Frictionless Table Schema' },
  ),
  {
    invoices: {
      $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
      fields: [
        { name: 'Client', type: 'string', constraints: { required: true } },
        { name: 'Date de vente', type: 'date', format: '%d/%m/%Y' },
        { name: 'Montant TTC', type: 'number', constraints: { minimum: 0 } },
      ],
    },
  },
)

export type TableSchema = Entity<(typeof tableSchemaSchema)['properties']>
export type FieldOfSchema = TableSchema['fields'][number]
