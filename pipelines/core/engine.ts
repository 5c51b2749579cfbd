import type { ClientBase } from 'pg'

import type { ColumnType, IngestOptions, UiDateFormat } from './options.ts'
import type { ColumnPlan, SqlType } from './plan.ts'
import type { InputReport, LoadReport, ReportedColumn, RowCounts } from './report.ts'
import type { TableReport } from './table-report.ts'
import type { ByteSource, Source } from './source.ts'
import type { Warning } from './warning.ts'

/**
 * All three share one chain: read, normalise headers, detect, cast. Only the sink differs, which
 * is why a preview shows the headers and types that a load will have.
 */
export interface Engine {
  /** Refuses options that are wrong whatever is read; a preview and a load begin with the same check. */
  checkOptions(options: IngestOptions): void
  /** Refuses, by its beginning, an input that no format reads, or not the one that the options name. */
  recognise(source: ByteSource, options: IngestOptions, signal: AbortSignal): Promise<void>
  /** The first rows as they would be stored. Bad cells are shown as null and counted. */
  preview(source: Source, options: IngestOptions, control: PreviewControl): Promise<Preview>
  load(
    source: Source,
    options: IngestOptions,
    target: LoadTarget,
    control: LoadControl,
  ): Promise<LoadResult>
  /** All rows with their cells as they are, in batches; a broken row throws an EngineError. */
  readCells(
    source: Source,
    options: IngestOptions,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ReadRow[]>
}

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
  /** The limit for the rows as JSON; beyond it a SampleTooLongError is thrown. Default: no limit. */
  readonly mostBytes?: number
  readonly signal: AbortSignal
}

export interface Preview {
  readonly columns: readonly ReportedColumn[]
  /** Cells as JSON text, ready to be written out: every digit of a number is kept. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** True when the origin holds more rows than are shown. */
  readonly isSample: boolean
  readonly invalidCells: number
  readonly reader: string
  readonly input: InputReport
  readonly table?: TableReport
  readonly warnings: readonly Warning[]
}

/**
 * What a load fills. The engine writes the rows, and the rejects under the number of their load.
 * The tables belong to the target, which creates them, removes them, and shows what they hold.
 */
export interface LoadTarget {
  /** A connection that the engine has to itself for a while; call `release(true)` if it is broken. */
  connect(): Promise<LoadConnection>
  /** The number of COPY streams; by default it is chosen for the machine. */
  readonly streams?: number
  readonly columns: TargetColumns
  /** Normalised header of the column that identifies rows: no row may leave it empty. */
  readonly key: string | null
  /** The first row gets the next number as its `_row`. */
  readonly rowsBefore: bigint
  /** The number under which rejects are stored; null: their table belongs to this load alone. */
  readonly rejectsUnder: number | null
  /** Creates the empty table for one pass, in a transaction that is committed before others fill it. */
  create(client: ClientBase, columns: readonly ColumnPlan[]): Promise<TableName>
  /** Called when a pass is given up: removes what `create` made, unless it is already visible. */
  drop(client: ClientBase, table: TableName): Promise<void>
  /** Called when all rows are in, for work that takes time and that nobody waits for. */
  complete(client: ClientBase, filled: FilledTable): Promise<Completion>
  /** Creates the table for rejects if there is none, in the transaction of `publish`. */
  openRejects(client: ClientBase): Promise<TableName>
  /** Runs in the transaction that makes the rows visible. If it throws, everything stays as it was. */
  publish(client: ClientBase, filled: FilledTable, result: LoadResult): Promise<void>
}

export interface TableName {
  readonly schema: string
  readonly table: string
}

/** Which columns a table may get, and what is known about them beforehand. */
export type TargetColumns =
  | {
      /** Whatever columns the input has. */
      readonly kind: 'any'
      /** The table's columns so far: a header that occurs again keeps its name in SQL. */
      readonly known: readonly KnownColumn[]
    }
  | {
      /** The existing columns, unchanged, because rows are added to others. */
      readonly kind: 'held'
      readonly columns: readonly HeldColumn[]
    }

export interface KnownColumn {
  /** Normalised header. */
  readonly name: string
  readonly column: string
  /** It has to stay text, whatever its values look like. */
  readonly staysText: boolean
}

export interface HeldColumn {
  /** Normalised header. */
  readonly name: string
  readonly column: string
  readonly type: ColumnType
  readonly sqlType: SqlType
  /** The date format of the existing rows, which decides for dates whose day and month are ambiguous. */
  readonly dateFormat?: UiDateFormat
  /** The pattern by which they were read. */
  readonly pattern?: string
}

export interface FilledTable {
  readonly table: TableName
  readonly columns: readonly ColumnPlan[]
  readonly rows: number
  /** The time zone in which a date becomes an instant, when a column of dates meets its first time of day. */
  readonly timezone: string
}

export interface Completion {
  /** Rows that were replaced by a later row of the same input with the same key. */
  readonly superseded: number
}

export interface LoadConnection {
  readonly client: ClientBase
  release(broken?: boolean): void
}

export interface LoadControl {
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

export interface LoadResult {
  readonly columns: readonly ReportedColumn[]
  readonly counts: RowCounts
  readonly report: LoadReport
}
