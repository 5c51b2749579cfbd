import { type Static, type TObject, Type } from 'typebox'

import { TEXT_OPTIONS } from '../../input/text/text-options.ts'

/** What can be said about JSON. */
export const JSON_OPTIONS = {
  ...TEXT_OPTIONS,
  path: Type.Optional(
    Type.String({ maxLength: 1000, description: 'JSON Pointer to the array of rows' }),
  ),
}

export type JsonOptions = Static<TObject<typeof JSON_OPTIONS>>
