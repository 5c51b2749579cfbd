import { Type } from 'typebox'

import { named, uuid } from '../schemas.ts'

const fieldErrorSchema = named(
  'FieldError',
  Type.Object({
    pointer: Type.String({ description: 'JSON Pointer into the request' }),
    message: Type.String(),
  }),
)

const cellErrorSchema = named(
  'CellError',
  Type.Object({
    row: Type.Integer({ description: 'Data row, counted from 1' }),
    line: Type.Optional(Type.Integer({ description: 'Line of the file, counted from 1' })),
    place: Type.Optional(Type.String({ description: '`Sheet!Cell` in a workbook' })),
    column: Type.String(),
    value: Type.String(),
    message: Type.String(),
  }),
)

/** RFC 9457, with the members of ours. */
export const problemSchema = named(
  'Problem',
  Type.Object({
    type: Type.String({ format: 'uri' }),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String({ description: 'Stable name of the problem' }),
    detail: Type.String(),
    errors: Type.Optional(Type.Array(Type.Union([cellErrorSchema, fieldErrorSchema]))),
    totalErrors: Type.Optional(
      Type.Integer({ description: 'Cells that are wrong in the whole input; `errors` names 100' }),
    ),
    row: Type.Optional(Type.Integer({ description: 'Data row where the input breaks, from 1' })),
    line: Type.Optional(Type.Integer({ description: 'Line where the input breaks, from 1' })),
    missingParts: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Numbers of parts that an upload still needs' }),
    ),
    runUuid: Type.Optional(uuid('The FAILED run that a launch is recorded as')),
    parts: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), { description: 'Which parts answer' }),
    ),
    requestId: Type.Optional(Type.String({ description: 'As in `X-Request-Id`, and in the log' })),
  }),
)
