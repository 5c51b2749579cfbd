import { Type } from 'typebox'

export const fieldErrorSchema = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer into the request' }),
  message: Type.String(),
})

export const cellErrorSchema = Type.Object({
  row: Type.Integer({ description: 'Data row, counted from 1' }),
  line: Type.Optional(Type.Integer({ description: 'Line of the file, counted from 1' })),
  place: Type.Optional(Type.String({ description: '`Sheet!Cell` in a workbook' })),
  column: Type.String(),
  value: Type.String(),
  message: Type.String(),
})

/** RFC 9457, with the members of ours. */
export const problemSchema = Type.Object({
  type: Type.String({ format: 'uri' }),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String({ description: 'Stable name of the problem' }),
  detail: Type.String(),
  errors: Type.Optional(Type.Array(Type.Union([cellErrorSchema, fieldErrorSchema]))),
  requestId: Type.Optional(Type.String()),
})
