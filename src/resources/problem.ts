import { Type } from 'typebox'

import { mappingQuestionSchema } from './mapping.ts'
import { remediesSchema } from './remedy.ts'
import { byRuleSchema } from './rule.ts'
import type { Entity } from './resource.ts'
import { named, spoken, strictObject, uuid } from './schema.ts'
import { shapeDifferenceSchema } from './shape.ts'

const fieldErrorSchema = named(
  'FieldError',
  strictObject({
    pointer: Type.String({ description: 'JSON Pointer into the request' }),
    message: spoken(),
  }),
)

const place = Type.Optional(Type.String({ description: '`Sheet!Cell` in a workbook' }))

export const cellErrorSchema = named(
  'CellError',
  strictObject({
    row: Type.Integer({ description: 'Data row, counted from 1' }),
    line: Type.Optional(Type.Integer({ description: 'Line of the file, counted from 1' })),
    place,
    column: Type.String(),
    value: Type.String(),
    message: spoken(),
    rule: Type.Optional(
      Type.String({ description: 'The rule that it breaks; absent: the type of its column' }),
    ),
  }),
)

/** RFC 9457 with additional members. */
const problemFields = {
  type: Type.String({ format: 'uri' }),
  title: spoken(),
  status: Type.Integer(),
  code: Type.String({ description: 'Stable name of the problem' }),
  detail: spoken(),
  errors: Type.Optional(Type.Array(Type.Union([cellErrorSchema, fieldErrorSchema]))),
  totalErrors: Type.Optional(
    Type.Integer({
      description:
        'Number of invalid cells and broken rows in the whole input; `errors` lists up to 100',
    }),
  ),
  byRule: Type.Optional(byRuleSchema),
  remedies: Type.Optional(remediesSchema),
  row: Type.Optional(Type.Integer({ description: 'Data row where the input breaks, from 1' })),
  line: Type.Optional(Type.Integer({ description: 'Line where the input breaks, from 1' })),
  offset: Type.Optional(Type.Integer({ description: 'Byte where the input breaks, from 0' })),
  place,
  limit: Type.Optional(
    Type.Union([Type.String(), Type.Integer()], {
      description: 'The limit that the data exceeds, or a `limit` whose page is small enough',
      examples: ['columns', 20],
    }),
  ),
  page: Type.Optional(
    Type.Integer({ description: 'With that `limit`, the page on which these rows begin' }),
  ),
  column: Type.Optional(Type.String({ description: 'Header of the column that prevents it' })),
  dependents: Type.Optional(
    Type.Integer({ description: 'How many objects of the database depend on it' }),
  ),
  dependentNames: Type.Optional(
    Type.Array(spoken(), {
      description: 'Those of these objects that are in the schema of the enterprise',
    }),
  ),
  questions: Type.Optional(Type.Array(mappingQuestionSchema)),
  shapeVersion: Type.Optional(Type.Integer({ description: 'The version that the shape is at' })),
  changes: Type.Optional(
    Type.Array(shapeDifferenceSchema, {
      description: 'What has changed in it since the version that was named, as far as it is known',
    }),
  ),
  missingParts: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Numbers of parts that an upload still needs' }),
  ),
  runUuid: Type.Optional(uuid('The FAILED run that a launch is recorded as')),
  parts: Type.Optional(
    Type.Record(Type.String(), Type.Boolean(), {
      description: 'Whether each part of the service responds',
    }),
  ),
  requestId: Type.Optional(Type.String({ description: 'As in `X-Request-Id`, and in the log' })),
}

export const problemSchema = named('Problem', strictObject(problemFields))

/** The body of a refusal. */
export type ProblemDocument = Entity<typeof problemFields>
/** A cell of the data that could not be accepted. */
export type CellProblem = Entity<(typeof cellErrorSchema)['properties']>
/** The members of a problem document that not every one has. */
export type ProblemMembers = Partial<
  Omit<ProblemDocument, 'type' | 'title' | 'status' | 'code' | 'detail' | 'errors' | 'requestId'>
>
