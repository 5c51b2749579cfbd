import type { OptionsOf } from '../../core/format.ts'
import { Schema } from '../../core/schema.ts'
import { TEXT_OPTIONS } from '../../input/text/text-options.ts'
import { SHEET_OPTIONS } from '../sheet-options.ts'

/** The options for delimited text. */
export const CSV_OPTIONS = {
  ...TEXT_OPTIONS,
  delimiter: Schema.text({ minLength: 1, maxLength: 8 }),
  quote: Schema.text({ maxLength: 1, description: 'Empty: quotes are ordinary characters' }),
  ...SHEET_OPTIONS,
}

export type CsvOptions = OptionsOf<typeof CSV_OPTIONS>
