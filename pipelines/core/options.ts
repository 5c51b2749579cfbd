import type { Static, TObject } from 'typebox'

import { Schema } from './schema.ts'

export const COLUMN_TYPES = ['text', 'number', 'date', 'boolean', 'json'] as const
/** The four formats that a person may choose; every internal layout is shown as one of them. */
export const UI_DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY'] as const
export const INVALID_POLICIES = ['reject', 'null', 'skip'] as const

export type ColumnType = (typeof COLUMN_TYPES)[number]
export type UiDateFormat = (typeof UI_DATE_FORMATS)[number]
export type InvalidPolicy = (typeof INVALID_POLICIES)[number]

export interface ColumnOverride {
  name: string
  type: ColumnType
  dateFormat?: UiDateFormat
  pattern?: string
}

const columnOverride = Schema.object<ColumnOverride>(
  {
    name: Schema.text({ minLength: 1, description: 'Normalised header of the column' }),
    type: Schema.oneOf(COLUMN_TYPES),
    dateFormat: Schema.oneOf(UI_DATE_FORMATS),
    pattern: Schema.text({
      minLength: 1,
      maxLength: 64,
      description:
        'How the dates are written, in the letters of Luxon: `yyyyMMdd`, `d MMM yyyy`. In the place ' +
        'of `dateFormat`; names of months are French or English',
    }),
  },
  ['name', 'type'],
)

/** Options for rows of any origin, which say how their values are read. */
export const COMMON_OPTIONS = {
  columns: Schema.list(columnOverride, { maxItems: 1600 }),
  nullValues: Schema.list(Schema.text({ maxLength: 255 }), { maxItems: 100 }),
  datePlaceholders: Schema.flag({
    description:
      'false: days that programs write for “no date” (1899-12-30, 1900-01-01, 1970-01-01) are kept',
  }),
  timezone: Schema.text({ minLength: 1, maxLength: 64, description: 'IANA name; default UTC' }),
  decimal: Schema.oneOf([',', '.']),
  onInvalid: Schema.oneOf(INVALID_POLICIES),
}
export type CommonOptions = Partial<Static<TObject<typeof COMMON_OPTIONS>>>

/**
 * Options for a file. Whatever is left out is detected from the content. In addition to the common
 * options there are those that the formats declare.
 */
export interface IngestOptions extends CommonOptions {
  /** The name of a format. */
  format?: string
  [declaredByAFormat: string]: unknown
}
