import type { OptionsOf } from '../../core/format.ts'
import { Schema } from '../../core/schema.ts'
import { TEXT_OPTIONS } from '../../input/text/text-options.ts'
import { SHEET_OPTIONS } from '../sheet-options.ts'

/** The options for JSON. */
export const JSON_OPTIONS = {
  ...TEXT_OPTIONS,
  /** Of rows that are arrays. */
  ragged: SHEET_OPTIONS.ragged,
  path: Schema.text({
    maxLength: 1000,
    description:
      'JSON Pointer to the array of rows; of XML the name of the element, or the way to it',
  }),
}

export type JsonOptions = OptionsOf<typeof JSON_OPTIONS>
