import { type Static, type TObject, Type } from 'typebox'

export const COLUMN_TYPES = ['text', 'number', 'date', 'boolean', 'json'] as const
/** The four formats a person may name; every internal layout is shown as one of them. */
export const UI_DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY'] as const
export const INVALID_POLICIES = ['reject', 'null', 'skip'] as const

export type ColumnType = (typeof COLUMN_TYPES)[number]
export type UiDateFormat = (typeof UI_DATE_FORMATS)[number]
export type InvalidPolicy = (typeof INVALID_POLICIES)[number]

export const ColumnOverride = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Normalised header of the column' }),
    type: Type.Enum(COLUMN_TYPES),
    dateFormat: Type.Optional(Type.Enum(UI_DATE_FORMATS)),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'How the dates are written, in the letters of Luxon: `yyyyMMdd`, `d MMM yyyy`. In the place ' +
          'of `dateFormat`; names of months are French or English',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ColumnOverride = Static<typeof ColumnOverride>

/** What can be said about any rows, whatever they were read from: how their values are taken. */
export const COMMON_OPTIONS = {
  columns: Type.Optional(Type.Array(ColumnOverride, { maxItems: 1600 })),
  nullValues: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 })),
  timezone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'IANA name; default UTC' }),
  ),
  decimal: Type.Optional(Type.Enum([',', '.'])),
  onInvalid: Type.Optional(Type.Enum(INVALID_POLICIES)),
}
export type CommonOptions = Static<TObject<typeof COMMON_OPTIONS>>

/**
 * What a person may say about a file. Everything left out is found from the content. Beside the
 * common options there are those that the formats declare.
 */
export interface IngestOptions extends CommonOptions {
  /** The name of a format. */
  format?: string
  [declaredByAFormat: string]: unknown
}
