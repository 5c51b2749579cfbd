import { Schema } from '../../core/schema.ts'
import { TEXT_OPTIONS } from '../../input/text/text-options.ts'
import { SHEET_OPTIONS } from '../sheet-options.ts'

const MOST_FIELDS = 1590

export const WIDTH_OPTIONS = {
  ...TEXT_OPTIONS,
  ...SHEET_OPTIONS,
  widths: Schema.list(Schema.integer({ minimum: 1, maximum: 1_000_000 }), {
    minItems: 1,
    maxItems: MOST_FIELDS,
    description:
      'Of each field in characters; else found by the columns that all lines leave blank',
  }),
}
