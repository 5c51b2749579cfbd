import { type Static, type TObject, Type } from 'typebox'

import { TEXT_OPTIONS } from '../../input/text/text-options.ts'
import { SHEET_OPTIONS } from '../sheet-options.ts'

/** What can be said about delimited text. */
export const CSV_OPTIONS = {
  ...TEXT_OPTIONS,
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 8 })),
  quote: Type.Optional(
    Type.String({ maxLength: 1, description: 'Empty: quotes are ordinary characters' }),
  ),
  ...SHEET_OPTIONS,
}

export type CsvOptions = Static<TObject<typeof CSV_OPTIONS>>
