import type { ClientBase } from 'pg'

import type { IngestOptions, UiDateFormat } from './options.ts'
import type { InputReport, LoadReport, ReportedColumn, RowCounts, TableReport } from './report.ts'
import type { Source } from './source.ts'
import type { Warning } from './warning.ts'

/**
 * One chain behind all three: read, normalise headers, detect, cast. They differ in the sink alone,
 * which is why a preview shows the headers and types that a load will have.
 */
export interface Engine {
  /** The first rows as they would be stored. Bad cells are shown as null and counted. */
  preview(source: Source, options: IngestOptions, control: PreviewControl): Promise<Preview>
  load(
    source: Source,
    options: IngestOptions,
    target: LoadTarget,
    control: LoadControl,
  ): Promise<LoadResult>
}

export interface PreviewControl {
  readonly limit: number
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

export interface LoadTarget {
  /** A connection of the engine's own for a while; `release(true)` when it is broken. */
  connect(): Promise<LoadConnection>
  readonly schema: string
  readonly table: string
  /**
   * Where rows that were skipped are kept; the table is there only when there are any. Replaced
   * together with the table, added to where rows are added.
   */
  readonly rejects: { readonly schema: string; readonly table: string }
  /** COPY streams at once; default chosen from the machine. */
  readonly streams?: number
  /** What becomes of the rows that the table holds already. */
  readonly mode: LoadMode
  /** Runs on the empty staging table, before rows go into it: to spread it over nodes, say. */
  readonly prepare?: (
    client: ClientBase,
    staging: { readonly schema: string; readonly table: string },
  ) => Promise<void>
  /**
   * Runs inside the transaction that makes the rows visible, after the swap and before the commit:
   * what must become true together with them belongs here.
   */
  publish?(client: ClientBase, result: LoadResult): Promise<void>
}

export type LoadMode =
  | { readonly kind: 'replace' }
  | (WrittenBefore & { readonly kind: 'append' })
  /** `key` is a normalised header; a row whose key is there already takes its place. */
  | (WrittenBefore & { readonly kind: 'upsert'; readonly key: string })

export interface WrittenBefore {
  /**
   * By normalised header, how the rows that are there had their dates. It decides for new ones that
   * leave day and month open.
   */
  readonly dateFormats?: ReadonlyMap<string, UiDateFormat>
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
  /** What the table holds now: more than was loaded, where rows were added. */
  readonly rowsInTable: number
  readonly report: LoadReport
}
