import { Type } from 'typebox'

import { named, spoken, strictObject } from './schema.ts'

/** What an option would do about a refusal or a warning. */
const remedySchema = named(
  'Remedy',
  strictObject(
    {
      options: Type.Record(Type.String(), Type.Unknown(), {
        description: '`options` for the next request: those of this one with what is changed',
      }),
      message: spoken(),
      leaves: Type.Integer({
        minimum: 0,
        description:
          'Cells that would still not fit, or rows that would be left out, of what was read',
      }),
    },
    { description: 'Options that would let the file load, tried on what was read of it' },
  ),
)

export const remediesSchema = Type.Array(remedySchema, {
  maxItems: 5,
  description: 'What would let the file load; the best first. None is applied unasked',
})
