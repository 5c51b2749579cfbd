import type { ClientBase } from 'pg'

import type { CellError, RuleCount } from './errors.ts'
import type { Expectation, Mapping } from './mapping.ts'
import type { ColumnPlan } from './plan.ts'
import type { Remedy } from './remedy.ts'
import type { InputReport, LoadReport, ReportedColumn, RowCounts } from './report.ts'
import type { TableReport } from './table-report.ts'
import type { Warning } from './warning.ts'

/** A row of the input. */
export interface ReadRow {
  /** Data row, from 1. */
  readonly row: number
  /** Line of the file or row of the sheet, from 1. */
  readonly line: number
  readonly cells: readonly ReadCell[]
}

export interface ReadCell {
  readonly text: string | null
  /** A number, not a text that looks like one; it is written with a point, whatever the decimal sign. */
  readonly isNumber: boolean
}

export interface PreviewControl {
  readonly limit: number
  /** Absent: whatever columns the input has. */
  readonly expectation?: Expectation
  /** The limit for the rows as JSON; beyond it a SampleTooLongError is thrown. Default: no limit. */
  readonly mostBytes?: number
  readonly signal: AbortSignal
}

/** `broken`: nobody knows where its fields end, so it is not among the rows that are shown. */
export const LINE_ROLES = ['title', 'header', 'data', 'broken', 'note'] as const

/** A line of the file or row of the sheet, counted from 1; where there are no lines, the row's number. */
export interface PreviewedLine {
  readonly line: number
  readonly role: (typeof LINE_ROLES)[number]
}

export interface Preview {
  readonly columns: readonly ReportedColumn[]
  /** Cells as JSON text, ready to be written out: every digit of a number is kept. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** From the top down; those of `data` are the rows that are shown, one after the other. */
  readonly lines: readonly PreviewedLine[]
  /** True when the origin holds more rows than are shown. */
  readonly isSample: boolean
  readonly invalidCells: number
  /** The same by the rule that they break; `type` is that of their column. */
  readonly byRule: readonly RuleCount[]
  readonly reader: string
  readonly input: InputReport
  readonly table?: TableReport
  /** Present if columns were expected. */
  readonly mapping?: Mapping
  readonly warnings: readonly Warning[]
}

/** The table that a pass fills, beside what `IntakeControl` says of its columns. */
export interface CopyTarget {
  /** The number of COPY streams; by default it is chosen for the machine. */
  readonly streams?: number
  /** The first row gets the next number as its `_row`. */
  readonly rowsBefore: bigint
  /** The number under which rejects are stored; null: their table belongs to this load alone. */
  readonly rejectsUnder: number | null
  /**
   * Creates the empty table for one pass, and drops that of a void pass before it, in a transaction
   * that is committed before others fill it.
   */
  renew(client: ClientBase, columns: readonly ColumnPlan[]): Promise<TableName>
}

export interface TableName {
  readonly schema: string
  readonly table: string
}

/** Which columns a table may get, and what is known about them beforehand. */
export type TargetColumns =
  /** Whatever columns the input has. */
  | { readonly kind: 'any' }
  /** Those that the table has, or is to have, and what the headers of the input mean to them. */
  | {
      readonly kind: 'expected'
      readonly expectation: Expectation
      /** Is told how the headers met the columns before a row is loaded; may throw to refuse it. */
      admit?(mapping: Mapping): void
    }

export interface FilledTable {
  readonly table: TableName
  readonly columns: readonly ColumnPlan[]
  readonly rows: number
  /** The time zone in which a date becomes an instant, when a column of dates meets its first time of day. */
  readonly timezone: string
}

/** The rows of a source, in a table that nobody sees yet. They are taken back unless they are kept. */
export interface CopiedRows extends FilledTable, AsyncDisposable {
  readonly rejected: number
  /** Columns, by their names in SQL, of which it was seen that no value is there twice. */
  readonly distinct: readonly string[]
  /** How the headers met the columns; null: none were expected. */
  readonly mapping: Mapping | null
  /** From now on the table outlives the connection, with what the work makes of it: both or neither. */
  keep<R>(work: (client: ClientBase) => Promise<R>): Promise<R>
  /** What the load amounts to; so many rows gave way to later ones with the same key. */
  describe(superseded: number): LoadResult
  /** Copies the rows that were left out. */
  copyRejects(client: ClientBase, into: TableName): Promise<void>
}

export interface LoadConnection {
  readonly client: ClientBase
  release(broken?: boolean): void
}

export interface IntakeControl {
  readonly columns: TargetColumns
  /** Normalised header of the column that identifies rows: no row may leave it empty. */
  readonly key: string | null
  readonly signal: AbortSignal
  onProgress?(progress: LoadProgress): void
}

export const LOAD_PHASES = ['reading', 'loading', 'surveying', 'publishing'] as const
export type LoadPhase = (typeof LOAD_PHASES)[number]

export interface LoadProgress {
  readonly phase: LoadPhase
  readonly bytesRead: number
  /**
   * The total that `bytesRead` counts up to; null if it is unknown. For a stream with only a known
   * upper bound, it is that bound until everything was read.
   */
  readonly bytesTotal: number | null
  readonly rows: number
  readonly rejected: number
}

/** What all rows of a source are, if nothing is done about it. */
export interface Judgement {
  readonly rows: number
  /** The first of them. */
  readonly errors: readonly CellError[]
  readonly totalErrors: number
  readonly byRule: readonly RuleCount[]
  readonly remedies: readonly Remedy[]
  /** Null: no columns were expected. */
  readonly mapping: Mapping | null
  readonly warnings: readonly Warning[]
}

export interface LoadResult {
  readonly columns: readonly ReportedColumn[]
  readonly counts: RowCounts
  readonly report: LoadReport
}
