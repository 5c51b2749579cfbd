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

/** Decides how numbers are written: the decimal sign, and whether the other one groups thousands. */
export type NumberNotation = 'plain' | 'comma-decimal' | 'point-decimal'

/** The column with the row's ordinal in its source, counted on from `rowsBefore` of the target. */
export const ROW_COLUMN = '_row'

/** One column of the table to be: decided from the sample, or given by the request. */
export interface ColumnPlan {
  /** Normalised header. */
  readonly name: string
  /** Name in SQL. */
  readonly column: string
  readonly type: ColumnType
  readonly sqlType: SqlType
  /** A given type is held to; a detected one widens (but for dates, which are always held to). */
  readonly given: boolean
  /** Present when `type` is `date`, unless there is a pattern. */
  readonly dateFormat?: UiDateFormat
  /** In whose letters the dates are written; by the request. */
  readonly pattern?: string
}
