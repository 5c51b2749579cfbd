import type { ClientBase } from 'pg'

import type { ColumnType, IngestOptions, UiDateFormat } from './options.ts'
import type { ColumnPlan, SqlType } from './plan.ts'
import type { InputReport, LoadReport, ReportedColumn, RowCounts } from './report.ts'
import type { TableReport } from './table-report.ts'
import type { ByteSource, Source } from './source.ts'
import type { Warning } from './warning.ts'

/**
 * One chain behind all three: read, normalise headers, detect, cast. They differ in the sink alone,
 * which is why a preview shows the headers and types that a load will have.
 */
export interface Engine {
  /** Refuses options that are wrong whatever is read, as a preview and a load do first. */
  checkOptions(options: IngestOptions): void
  /** Refuses by its beginning what no format reads, or not the one that the options name. */
  recognise(source: ByteSource, options: IngestOptions, signal: AbortSignal): Promise<void>
  /** The first rows as they would be stored. Bad cells are shown as null and counted. */
  preview(source: Source, options: IngestOptions, control: PreviewControl): Promise<Preview>
  load(
    source: Source,
    options: IngestOptions,
    target: LoadTarget,
    control: LoadControl,
  ): Promise<LoadResult>
  /** All rows as their cells stand, in batches; a row that is broken is an EngineError. */
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
  /** Not a text that looks like one: it has a point, whatever the decimal sign is. */
  readonly isNumber: boolean
}

export interface PreviewControl {
  readonly limit: number
  /** Of the rows as JSON; past it SampleTooLongError. Default: no bound. */
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
 * What a load fills. The engine writes rows, and rejects under their load; the tables are the
 * target's own: it makes them, removes them again, and shows what they hold.
 */
export interface LoadTarget {
  /** A connection of the engine's own for a while; `release(true)` when it is broken. */
  connect(): Promise<LoadConnection>
  /** COPY streams at once; default chosen from the machine. */
  readonly streams?: number
  readonly columns: TargetColumns
  /** Normalised header of the column that tells rows apart: no row may leave it empty. */
  readonly key: string | null
  /** `_row` of the first row is one more. */
  readonly rowsBefore: bigint
  /** Under which rejects are kept; null where their table holds those of this load alone. */
  readonly rejectsUnder: number | null
  /** Makes the empty table for one pass. Runs in a transaction that is committed before anybody else fills it. */
  create(client: ClientBase, columns: readonly ColumnPlan[]): Promise<TableName>
  /** After a pass in vain: what `create` has made goes, unless it is visible by now. */
  drop(client: ClientBase, table: TableName): Promise<void>
  /** All rows are in: what takes its time, and keeps nobody waiting. */
  complete(client: ClientBase, filled: FilledTable): Promise<Completion>
  /** Makes the table for rejects where there is none, in the transaction of `publish`. */
  openRejects(client: ClientBase): Promise<TableName>
  /** In the transaction that makes the rows visible. Whatever it throws leaves all as it was. */
  publish(client: ClientBase, filled: FilledTable, result: LoadResult): Promise<void>
}

export interface TableName {
  readonly schema: string
  readonly table: string
}

/** Which columns a table may get, and what is known of them before anything is read. */
export type TargetColumns =
  | {
      /** Those that the input brings. */
      readonly kind: 'any'
      /** Those that the table has so far: a header that comes again keeps its name in SQL. */
      readonly known: readonly KnownColumn[]
    }
  | {
      /** Those that are there, and as they are: rows are added to others. */
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
  /** How the rows that are there had their dates: decides for those that leave day and month open. */
  readonly dateFormat?: UiDateFormat
  /** By what they were read. */
  readonly pattern?: string
}

export interface FilledTable {
  readonly table: TableName
  readonly columns: readonly ColumnPlan[]
  readonly rows: number
  /** In which a day becomes an instant, where a column of days meets its first time. */
  readonly timezone: string
}

export interface Completion {
  /** Rows that gave way to a later one of the same input with their key. */
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
   * What `bytesRead` counts up to; null where nobody knows. Of a stream of which only a bound is
   * known it is that bound, until all of it was read.
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
