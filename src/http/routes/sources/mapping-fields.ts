import { Type } from 'typebox'

import { ON_QUESTION } from '../../../domain/sources/sources.ts'

const MOST_HEADERS = 1600

/** What a request says of the headers of what it sends. */
export const mappingFields = {
  mapping: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Union([Type.String({ minLength: 1, maxLength: 1024 }), Type.Null()]),
      {
        maxProperties: MOST_HEADERS,
        // The documentation page fills this in: nothing is decided by it.
        examples: [{}],
        description:
          'Headers, each with its column: the name of one that is there, its own name for a new ' +
          'one, null to leave it out. In a form it is JSON',
      },
    ),
  ),
  remember: Type.Optional(
    Type.Boolean({
      description: 'False: what `mapping` says counts for this load alone; default true',
    }),
  ),
}

export const onQuestionField = Type.Optional(
  Type.Enum(ON_QUESTION, {
    description:
      'What becomes of a load with a question: `stage` (default), whatever `publish` says; ' +
      '`refuse`, 409',
  }),
)

export const exampleMapping = { 'Montant TTC': 'Montant', 'Commentaire interne': null }
