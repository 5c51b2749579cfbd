import { Type, type Static } from 'typebox'

export const FILE_FORMATS = ['csv', 'excel', 'json'] as const
export const COLUMN_TYPES = ['text', 'number', 'date', 'boolean', 'json'] as const
/** The four formats a person may name; every internal layout is shown as one of them. */
export const UI_DATE_FORMATS = ['DD/MM/YYYY', 'MM/DD/YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY'] as const
export const RAGGED_POLICIES = ['reject', 'pad', 'fit'] as const
export const INVALID_POLICIES = ['reject', 'null', 'skip'] as const

export type FileFormat = (typeof FILE_FORMATS)[number]
export type ColumnType = (typeof COLUMN_TYPES)[number]
export type UiDateFormat = (typeof UI_DATE_FORMATS)[number]
export type RaggedPolicy = (typeof RAGGED_POLICIES)[number]
export type InvalidPolicy = (typeof INVALID_POLICIES)[number]

export const ColumnOverride = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Normalised header of the column' }),
    type: Type.Enum(COLUMN_TYPES),
    dateFormat: Type.Optional(Type.Enum(UI_DATE_FORMATS)),
  },
  { additionalProperties: false },
)
export type ColumnOverride = Static<typeof ColumnOverride>

/** What a person may say about a file. Everything left out is found from the content. */
export const IngestOptions = Type.Object(
  {
    format: Type.Optional(Type.Enum(FILE_FORMATS, { description: 'Else recognised by content' })),
    encoding: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'A WHATWG label: utf-8, latin1 …' }),
    ),
    delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 8 })),
    quote: Type.Optional(
      Type.String({ maxLength: 1, description: 'Empty: quotes are ordinary characters' }),
    ),
    headerRow: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'From 1; 0: there is none' }),
    ),
    sheet: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Integer({ minimum: 1 })], {
        description: 'Name of the sheet, or its index from 1',
      }),
    ),
    path: Type.Optional(
      Type.String({ maxLength: 1000, description: 'JSON Pointer to the array of rows' }),
    ),
    ragged: Type.Optional(Type.Enum(RAGGED_POLICIES)),
    columns: Type.Optional(Type.Array(ColumnOverride, { maxItems: 1600 })),
    nullValues: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 })),
    timezone: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'IANA name; default UTC' }),
    ),
    decimal: Type.Optional(Type.Enum([',', '.'])),
    onInvalid: Type.Optional(Type.Enum(INVALID_POLICIES)),
  },
  { additionalProperties: false },
)
export type IngestOptions = Static<typeof IngestOptions>
