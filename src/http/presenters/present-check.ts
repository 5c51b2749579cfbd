import { type Static, Type } from 'typebox'

import type { Judgement } from '../../../pipelines/index.ts'
import { mappedHeaderSchema, mappingQuestionSchema } from '../../resources/mapping.ts'
import { cellErrorSchema } from '../../resources/problem.ts'
import { remediesSchema } from '../../resources/remedy.ts'
import { byRuleSchema } from '../../resources/rule.ts'
import type { FileShape } from '../../resources/shape.ts'
import { named, strictObject } from '../schemas.ts'
import { exampleShapeVersion, presentShapeVersion, shapeVersionSchema } from './present-shape.ts'
import { presenter } from './presenter.ts'
import { warningSchema } from './present-source-preview.ts'

const { column, value, ...ofError } = cellErrorSchema.properties

const shownCheck = strictObject({
  valid: Type.Boolean({ description: 'Nothing is wrong: it would load' }),
  rows: Type.Integer({ minimum: 0, description: 'Rows that are not blank' }),
  mapping: Type.Array(mappedHeaderSchema, {
    description: 'How the headers meet the columns of the shape; empty without one',
  }),
  missing: Type.Array(Type.String(), { description: 'Columns of the shape without a header' }),
  questions: Type.Array(mappingQuestionSchema),
  shape: Type.Optional(shapeVersionSchema),
  errors: Type.Array(
    named(
      'CheckedError',
      strictObject({
        ...ofError,
        column: Type.Optional({ ...column, description: 'Absent: the row itself is broken' }),
        value: Type.Optional(value),
        rule: Type.String({
          description:
            'Name or kind of the rule that it breaks; `type`: that of its column; `structure`',
        }),
      }),
    ),
    { maxItems: 1000 },
  ),
  totalErrors: Type.Integer({ minimum: 0, description: 'Of the whole file' }),
  byRule: byRuleSchema,
  warnings: Type.Array(warningSchema),
  remedies: remediesSchema,
})

const exampleCheck: Static<typeof shownCheck> = {
  valid: false,
  rows: 4,
  mapping: [],
  missing: [],
  questions: [],
  shape: exampleShapeVersion,
  errors: [
    {
      row: 4,
      line: 5,
      column: 'Date',
      value: '31/02/2026',
      message: 'Invalid date format: “31/02/2026” (expected format: DD/MM/YYYY)',
      rule: 'type',
    },
  ],
  totalErrors: 1,
  byRule: [{ rule: 'type', count: 1 }],
  warnings: [],
  remedies: [],
}

export const checkSchema = named('Check', shownCheck, { invalid: exampleCheck })

const present = presenter(shownCheck.properties)

export function presentCheck(
  { mapping, errors, ...judgement }: Judgement,
  shape?: FileShape | null,
) {
  return present({
    ...judgement,
    valid: judgement.totalErrors === 0,
    mapping: mapping?.headers ?? [],
    missing: mapping?.missing ?? [],
    questions: mapping?.questions ?? [],
    ...(shape && { shape: presentShapeVersion(shape) }),
    errors: errors.map(({ rule = 'type', ...error }) => ({
      ...error,
      rule,
      // A row that is broken has no cells to name.
      ...(error.column === '' && { column: null, value: null }),
    })),
  })
}
