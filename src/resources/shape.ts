import { type Static, Type } from 'typebox'

import {
  COLUMN_TYPES,
  MISSING_POLICIES,
  UI_DATE_FORMATS,
  UNKNOWN_POLICIES,
} from '../../pipelines/index.ts'
import { type EntityOf, resource } from './resource.ts'
import { columnRules, rowRules } from './rule.ts'
import { named, nullable, strictObject, timestamp, uuid } from './schema.ts'

const LONGEST_ALIAS = 255
export const LONGEST_NAME = 1024
/** As many as a table can have. */
export const MOST_COLUMNS = 1600

/** How a column is described, by whoever makes a shape. */
export const shapeColumnFields = {
  name: Type.String({
    minLength: 1,
    maxLength: LONGEST_NAME,
    format: 'without-nul',
    description: 'Normalised header',
  }),
  type: Type.Enum(COLUMN_TYPES),
  dateFormat: Type.Optional(Type.Enum(UI_DATE_FORMATS)),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      format: 'without-nul',
      description:
        'How its dates are written, in the letters of Luxon; in the place of `dateFormat`',
    }),
  ),
  description: Type.Optional(
    Type.String({
      maxLength: 1000,
      format: 'without-nul',
      description: 'A description written by people',
    }),
  ),
}

const aliasField = Type.String({
  minLength: 1,
  maxLength: LONGEST_ALIAS,
  format: 'without-nul',
})

/** What whoever makes a shape may give of a column besides. */
export const givenOfColumn = {
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
}

const shapeColumnSchema = named(
  'ShapeColumn',
  strictObject({
    ...shapeColumnFields,
    column: Type.String({ description: 'Name in SQL; it stays, whatever the column is called' }),
    aliases: Type.Array(aliasField, { description: 'Other headers that stand for it' }),
    rules: columnRules('Of its values'),
  }),
)

const policyFields = {
  unknown: Type.Enum(UNKNOWN_POLICIES, {
    description:
      'What becomes of a header that nobody knows: `add`, a new column; `leave`, it is left out; ' +
      '`ask`; `refuse`, 400',
  }),
  missing: Type.Enum(MISSING_POLICIES, {
    description:
      'What becomes of a column without a header: `empty`, it stays, NULL; `ask`; `refuse`, 400',
  }),
}

/** What of a column is compared between two versions of a shape, and what of the shape as a whole. */
export const COMPARED_OF_COLUMN = [
  'name',
  'type',
  'dateFormat',
  'pattern',
  'description',
  'aliases',
  'rules',
] as const
export const COMPARED_OF_SHAPE = ['name', 'unknown', 'missing', 'left', 'rules'] as const

/** What becomes of headers, as whoever makes a shape may say it. */
export const givenPolicies = {
  unknown: Type.Optional(policyFields.unknown),
  missing: Type.Optional(policyFields.missing),
  left: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1024, format: 'without-nul' }), {
      maxItems: MOST_COLUMNS,
      description: 'Headers that are left out',
    }),
  ),
}

/** One thing that a version of a shape has otherwise than the one before it. */
export const shapeDifferenceSchema = named(
  'ShapeDifference',
  strictObject({
    column: nullable(Type.String({ description: 'Its name; null: it is of the shape as a whole' })),
    what: Type.Enum(
      ['added', 'removed', ...new Set([...COMPARED_OF_COLUMN, ...COMPARED_OF_SHAPE])] as const,
      { description: '`added` and `removed` columns, and what else is another' },
    ),
    before: Type.Optional(Type.String({ description: 'The name that the column had' })),
  }),
)
export type ShapeDifference = Static<typeof shapeDifferenceSchema>

/** What the files of a source look like. */
export const shape = resource(
  {
    uuid: uuid(),
    name: nullable(Type.String({ description: 'Null: the shape of one source alone' })),
    enterpriseId: Type.Integer(),
    columns: Type.Array(shapeColumnSchema),
    left: Type.Array(Type.String(), { description: 'Headers that people have left out' }),
    rules: rowRules('Of its rows'),
    ...policyFields,
    version: Type.Integer({ minimum: 1, description: 'Each change is a new one' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  {
    id: Type.Integer(),
    /** Null: it is shared. */
    sourceId: nullable(Type.Integer()),
    /** The names in SQL of columns whose type was given by people. */
    heldColumns: Type.Array(Type.String()),
  },
  { left: (row) => `${row}.left_out` },
)

export type FileShape = EntityOf<typeof shape>
export type ShapeColumn = FileShape['columns'][number]
