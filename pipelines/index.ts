export { type Batch, CellKind, cellText, NULL_CELL, type RowFault } from './core/batch.ts'
export type {
  Engine,
  LoadConnection,
  LoadControl,
  LoadMode,
  LoadPhase,
  LoadProgress,
  LoadResult,
  LoadTarget,
  Preview,
  PreviewControl,
} from './core/engine.ts'
export { LOAD_PHASES } from './core/engine.ts'
export { type CellError, EngineError, type EngineProblem } from './core/errors.ts'
export type { Format, InputHead } from './core/format.ts'
export { DEFAULT_LIMITS, type EngineLimits } from './core/limits.ts'
export {
  COLUMN_TYPES,
  ColumnOverride,
  type ColumnType,
  FILE_FORMATS,
  type FileFormat,
  IngestOptions,
  INVALID_POLICIES,
  type InvalidPolicy,
  RAGGED_POLICIES,
  UI_DATE_FORMATS,
  type UiDateFormat,
} from './core/options.ts'
export type { ColumnPlan, SqlType } from './core/plan.ts'
export type { ReadContext, Reader, Reading, ReadingReport } from './core/reader.ts'
export { Registry } from './core/registry.ts'
export type {
  ColumnEvidence,
  LoadReport,
  ReportedColumn,
  RowCounts,
  Widening,
} from './core/report.ts'
export type {
  ByteSource,
  PageContent,
  PageShape,
  ReadPage,
  RecordColumn,
  RecordPage,
  RecordRows,
  RecordSource,
  Source,
} from './core/source.ts'
export { createEngine, type EngineOptions } from './engine/create-engine.ts'
export type { Stage } from './engine/engine-parts.ts'
export { standardFormats } from './engine/standard-formats.ts'
export { type Reading as TextReading, weighReadings } from './outline/choose-reading.ts'
export { findTable, type FoundTable } from './outline/find-table.ts'
export type { MergedRange, SheetRow } from './outline/sheet-row.ts'
export { createCsvReader } from './readers/csv/index.ts'
export { OutcomeUnknownError, SinkError } from './sinks/errors.ts'
export { sweepStaging } from './sinks/staging.ts'
export { normaliseHeaders } from './transforms/normalise-headers.ts'
