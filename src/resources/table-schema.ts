import { Type } from 'typebox'

import { type Entity } from './resource.ts'
import { NOTATION_TYPES } from '../../pipelines/index.ts'
import { columnRules, notationMembers, rowRules } from './rule.ts'
import { named, strictObject } from './schema.ts'
import { givenOfColumn, givenPolicies, shapeColumnFields } from './shape.ts'

const RULES = 'All of them, where a Table Schema has no word for some'

const ownOfField = {
  rules: Type.Optional(columnRules(RULES)),
  shape: Type.Optional(
    strictObject(
      {
        type: Type.Optional(shapeColumnFields.type),
        dateFormat: shapeColumnFields.dateFormat,
        pattern: shapeColumnFields.pattern,
        ...givenOfColumn,
      },
      { description: 'What a Table Schema has no word for, as in a column of a shape' },
    ),
  ),
}

const ownOfSchema = {
  rules: Type.Optional(rowRules(RULES)),
  shape: Type.Optional(
    strictObject(givenPolicies, {
      description: 'What a Table Schema has no word for, as in a shape',
    }),
  ),
}

/** Ours are held to what they are; all else is judged where it is read, whatever it is. */
export const givenTableSchema = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  properties: { fields: { items: { properties: ownOfField } }, ...ownOfSchema },
  description: 'A Frictionless Table Schema; what has no counterpart is named in `warnings`',
})

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
  ...ownOfField,
})

export const tableSchemaSchema = named(
  'TableSchema',
  strictObject(
    {
      $schema: Type.String({ format: 'uri' }),
      fields: Type.Array(fieldSchema),
      missingValues: notationMembers.missingValues,
      uniqueKeys: Type.Optional(Type.Array(named('UniqueKey', Type.Array(Type.String())))),
      ...ownOfSchema,
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
