import { Type } from 'typebox'

import { MAPPED_BY, QUESTION_KINDS } from '../../pipelines/index.ts'
import { named, nullable, spoken, strictObject } from './schema.ts'

const confidence = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'The share of such pairs that are right',
})

const proposalSchema = named(
  'MappingProposal',
  strictObject({
    column: Type.String({ description: 'Name of the column' }),
    confidence,
    because: spoken(),
  }),
)

export const mappedHeaderSchema = named(
  'MappedHeader',
  strictObject({
    header: Type.String({ description: 'Normalised header, as it is in the file' }),
    column: nullable(Type.String({ description: 'Name of its column; null: it is left out' })),
    by: Type.Enum(MAPPED_BY, {
      description:
        'How it found the column: by its `name`, `folded` (case, accents, white space, ' +
        'punctuation), by an `alias` that a shape remembers, `given` by hand; `new` makes a new ' +
        'column, `left` none. What is `proposed` is a question',
    }),
    confidence,
    because: spoken(),
    alternatives: Type.Array(proposalSchema),
  }),
)

export const mappingQuestionSchema = named(
  'MappingQuestion',
  strictObject({
    kind: Type.Enum(QUESTION_KINDS, {
      description:
        '`renamed`: the unknown header may be a column that has none; `missing`: the column has no ' +
        'header; `unknown`: nobody knows the header',
    }),
    header: Type.Optional(Type.String()),
    column: Type.Optional(
      Type.String({ description: 'The column that is missing, or that the header most likely is' }),
    ),
    proposals: Type.Array(proposalSchema),
  }),
)
