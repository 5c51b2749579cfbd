import type { RuleCount } from './errors.ts'
import type { Message } from './message.ts'
import type { ColumnPlan } from './plan.ts'
import type { Findings, Layout } from './reader.ts'
import type { TableReport } from './table-report.ts'
import type { Warning } from './warning.ts'

/** What was read, and how: for people `dialect` and `repaired`, for code the rest. */
export interface InputReport extends Pick<Findings, 'dialect' | 'repaired'> {
  /** Name of the format; `records` where a connector gave them. */
  readonly format: string
  /** The type that a source of it is stored as. */
  readonly sourceType: string
  readonly layout: Layout
  readonly encoding?: string
}

/** read = loaded + rejected + blank, for every successful load. */
export interface RowCounts {
  readonly read: number
  readonly loaded: number
  readonly rejected: number
  readonly blank: number
}

/** Why a column was given its type, and what was done to its cells. */
export interface ColumnEvidence {
  /** Non-empty, non-placeholder cells of the sample that the candidates were tried on. */
  readonly sampled: number
  readonly candidates: readonly TypeCandidate[]
  /** Cells made NULL, by rule: `blank`, `null-text`, `epoch`, `zero`, `excel-day-zero` ... */
  readonly nulls: Readonly<Record<string, number>>
  /** Dates that only a format other than the column's own could read. */
  readonly fallbackParsed: number
  /** The first cell that did not fit the best candidate. */
  readonly counterExample: CounterExample | null
  /** The pattern that would make the values dates, if it were given (`dates/usual-patterns.ts`). */
  readonly fittingPattern?: string
  /** The unit or currency that all numbers of the column are written with. */
  readonly unit?: string
  /** The units that numbers of the column are written with, where it was given; empty: none. */
  readonly mixedUnits?: readonly string[]
  /** The first number that is kept as text because its format shows leading zeros or signs between digits. */
  readonly asShown?: CounterExample
  /** The first of many whole numbers whose last digits a spreadsheet has rounded away: `2,43E+13`. */
  readonly rounded?: CounterExample
  /** Day and month, or decimal sign and thousands separator, could not be told apart. */
  readonly ambiguous: boolean
}

export interface TypeCandidate {
  readonly type: string
  /** Layout of a date, notation of a number. */
  readonly format?: string
  readonly accepted: number
}

export interface CounterExample {
  readonly row: number
  readonly line?: number
  readonly place?: string
  readonly value: string
}

/** A detected type that a later value did not fit, and what the column became. */
export interface Widening {
  readonly column: string
  readonly from: string
  readonly to: string
  readonly cause: CounterExample
}

export interface ReportedColumn extends ColumnPlan {
  readonly evidence: ColumnEvidence
}

/** The full report of one load, which `ingest` prints as well. Plain JSON. */
export interface LoadReport {
  readonly reader: string
  readonly input: InputReport
  readonly table?: TableReport
  readonly columns: readonly ReportedColumn[]
  readonly counts: RowCounts
  /** Cells that did not fit their type and became NULL because of `onInvalid: null`. */
  readonly invalidCells: number
  /** Invalid cells and rows by the rule that they break; `type` is that of its column. */
  readonly byRule?: readonly RuleCount[]
  readonly widenings: readonly Widening[]
  readonly restarts: number
  readonly warnings: readonly Warning[]
  /** The number of COPY streams. */
  readonly streams: number
  readonly streamsBecause: Message
  readonly bytesRead: number
  readonly durationMs: number
}
