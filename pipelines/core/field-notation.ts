/** Types of a Table Schema whose fields say how their values are written. */
export const NOTATION_TYPES = [
  'any',
  'string',
  'integer',
  'number',
  'year',
  'boolean',
  'date',
  'datetime',
  'time',
  'yearmonth',
  'duration',
  'geopoint',
  'object',
  'array',
  'geojson',
] as const
export type NotationType = (typeof NOTATION_TYPES)[number]

/** What an item of an array has to be. */
export interface ItemNotation {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | undefined
  readonly constraints?:
    | {
        readonly enum?: readonly (string | number | boolean)[] | undefined
        readonly pattern?: string | undefined
        readonly minLength?: number | undefined
        readonly maxLength?: number | undefined
      }
    | undefined
}

/** How the values of a column are written, in the words of a field of a Table Schema. */
export interface FieldNotation {
  readonly type: NotationType
  readonly format?: string | undefined
  readonly decimalChar?: string | undefined
  readonly groupChar?: string | undefined
  readonly bareNumber?: boolean | undefined
  readonly trueValues?: readonly string[] | undefined
  readonly falseValues?: readonly string[] | undefined
  readonly arrayItem?: ItemNotation | undefined
  /** Texts that stand for no value, besides blanks. */
  readonly missingValues?: readonly string[] | undefined
}
