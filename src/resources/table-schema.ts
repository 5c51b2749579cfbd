import { Type } from 'typebox'

import { type Entity } from './resource.ts'
import { NOTATION_TYPES } from '../../pipelines/index.ts'
import { columnRules, notationMembers, rowRules } from './rule.ts'
import { named, strictObject } from './schema.ts'

const fieldSchema = strictObject({
  name: Type.String(),
  type: Type.Enum(NOTATION_TYPES),
  format: Type.Optional(Type.String()),
  pattern: Type.Optional(
    Type.String({
      description: 'How its dates are written, in the letters of Luxon, where no `format` says it',
    }),
  ),
  description: Type.Optional(Type.String()),
  ...notationMembers,
  constraints: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  rules: Type.Optional(columnRules('Those that a Table Schema has no word for')),
})

export const tableSchemaSchema = named(
  'TableSchema',
  strictObject(
    {
      $schema: Type.String({ format: 'uri' }),
      fields: Type.Array(fieldSchema),
      missingValues: notationMembers.missingValues,
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
