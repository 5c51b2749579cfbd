export { columnLetters } from './cells/column-letters.ts'
export { type Batch, CellKind, cellText, NULL_CELL, type RowFault } from './core/batch.ts'
export type {
  CopiedRows,
  CopyTarget,
  FilledTable,
  IntakeControl,
  Judgement,
  LoadConnection,
  LoadPhase,
  LoadProgress,
  LoadResult,
  Preview,
  PreviewControl,
  ReadRow,
  TableName,
  TargetColumns,
} from './core/engine.ts'
export { LINE_ROLES, LOAD_PHASES } from './core/engine.ts'
export { cutText, shownName } from './core/cut-text.ts'
export { type CellError, EngineError, type EngineProblem, type RuleCount } from './core/errors.ts'
export { type Certainty, type DeclaredOptions, defineFormat, type Format } from './core/format.ts'
export type { Archive, ByteFlow, Input, InputFile, InputHead } from './core/input.ts'
export { type FieldNotation, NOTATION_TYPES, type NotationType } from './core/field-notation.ts'
export { DEFAULT_LIMITS, type EngineLimits } from './core/limits.ts'
export {
  COLUMN_TYPES,
  type ColumnOverride,
  type ColumnType,
  COMMON_OPTIONS,
  type CommonOptions,
  type IngestOptions,
  INVALID_POLICIES,
  type InvalidPolicy,
  UI_DATE_FORMATS,
  type UiDateFormat,
} from './core/options.ts'
export {
  butThereAre,
  compte,
  counted,
  fr,
  maisIlYA,
  type Language,
  languageNamed,
  LANGUAGES,
} from './core/language.ts'
export {
  Catalogue,
  defineMessages,
  Message,
  type Messages,
  type MessageValues,
  recalledText,
  type StoredMessage,
  storedText,
} from './core/message.ts'
export {
  type Expectation,
  type TargetColumn,
  MAPPED_BY,
  type Mapping,
  type MappingQuestion,
  MISSING_POLICIES,
  type MissingPolicy,
  QUESTION_KINDS,
  UNKNOWN_POLICIES,
  type UnknownPolicy,
} from './core/mapping.ts'
export { foldName } from './mapping/fold.ts'
export { MiB } from './core/mebibyte.ts'
export { type ColumnPlan, ROW_COLUMN, SQL_TYPES, type SqlType } from './core/plan.ts'
export type { Findings, Layout, ReadContext, Reading } from './core/reader.ts'
export {
  type ColumnRule,
  type RowComparison,
  COMPARISONS,
  RULE_FORMATS,
  RULE_SEVERITIES,
  type RowRule,
  type RuleScalar,
} from './core/rule.ts'
export { Registry } from './core/registry.ts'
export type {
  ColumnEvidence,
  InputReport,
  LoadReport,
  ReportedColumn,
  RowCounts,
  Widening,
} from './core/report.ts'
export type {
  ByteSource,
  PageContent,
  PageShape,
  RecordColumn,
  RecordPages,
  RecordSource,
  DataSource,
} from './core/source.ts'
export { engineMessages } from './engine/messages.ts'
export type { TableReport } from './core/table-report.ts'
export type { Remedy } from './core/remedy.ts'
export { WARNING_CODES, type Warning } from './core/warning.ts'
export { later, laterParts } from './core/later.ts'
export { createEngine, type Engine, type EngineOptions } from './engine/create-engine.ts'
export type { Stage } from './engine/engine-parts.ts'
export { ingestOptionsSchema } from './engine/format-options.ts'
export type { FileBack } from './engine/give-back.ts'
export { sourceTypes } from './engine/input-kinds.ts'
export { standardFormats } from './engine/standard-formats.ts'
export { faultOfPattern } from './dates/date-pattern.ts'
export { isFreeSqlName, normaliseHeaders, sqlNames } from './headers/sql-names.ts'
export { openText } from './input/text/open-text.ts'
export { createCsvFormat } from './readers/csv/index.ts'
export { type BrokenOverRows, type OverRows, overTable } from './engine/judged-together.ts'
export { type BrokenTogether, overRepeated, type RuleOverRows } from './engine/repeated-rows.ts'
export type { Intake } from './engine/intake.ts'
export { LoadSession } from './sinks/load-session.ts'
export { SampleTooLongError } from './sinks/sample.ts'
export { COLUMN_KINDS, type ColumnRuleKind } from './rules/column-kinds.ts'
export { MOST_PATTERN_STEPS, sizeOfPatterns } from './rules/pattern-size.ts'
export { CellValue } from './rules/cell-value.ts'
export { brokenOverRows, judgedRules } from './rules/judged-rule.ts'
export {
  columnKindsOf,
  columnRuleFlaws,
  kindOfColumnRule,
  rowRuleFlaws,
} from './rules/rule-flaws.ts'
export { ruleOf } from './rules/rule-messages.ts'
export { DIRECTIVES, patternOfStrptime, STRPTIME_PART } from './rules/strptime.ts'
export { OutcomeUnknownError, SinkError } from './sinks/errors.ts'
export { quoteName, quoteTable, quoteText } from './sinks/table-load.ts'
export { xmlAttribute, xmlText } from './workbooks/xml-text.ts'
export { ZipStream } from './workbooks/zip-stream.ts'
export { workbooks } from './workbooks/exceljs.ts'
