import type { ColumnType, UiDateFormat } from './options.ts'

/** What a column is stored as. */
export const SQL_TYPES = [
  'text',
  'bigint',
  'numeric',
  'date',
  'timestamptz',
  'boolean',
  'jsonb',
] as const
export type SqlType = (typeof SQL_TYPES)[number]

/** How numbers are written: the decimal sign, and whether the other sign groups thousands. */
export type NumberNotation = 'plain' | 'comma-decimal' | 'point-decimal'

/** The column with the row's ordinal in its source, counted on from the target's `rowsBefore`. */
export const ROW_COLUMN = '_row'

/** One column of the future table: decided from the sample, or given by the request. */
export interface ColumnPlan {
  /** Normalised header. */
  readonly name: string
  /** Name in SQL. */
  readonly column: string
  readonly type: ColumnType
  readonly sqlType: SqlType
  /**
   * A given type is enforced; a detected one is widened if need be, except for dates, which are
   * always enforced.
   */
  readonly given: boolean
  /** Present if `type` is `date` and there is no pattern. */
  readonly dateFormat?: UiDateFormat
  /** The pattern in which the dates are written, from the request. */
  readonly pattern?: string
}
