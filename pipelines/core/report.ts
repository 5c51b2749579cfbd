import type { Message } from './message.ts'
import type { ColumnPlan } from './plan.ts'
import type { Findings, Layout } from './reader.ts'
import type { TableReport } from './table-report.ts'
import type { Warning } from './warning.ts'

/** What was read, and how: for people `dialect` and `repaired`, for code the rest. */
export interface InputReport extends Pick<Findings, 'dialect' | 'repaired'> {
  /** Name of the format; `records` where a connector gave them. */
  readonly format: string
  /** The type that a source made of it is stored as. */
  readonly sourceType: string
  readonly layout: Layout
  readonly encoding?: string
}

/** read = loaded + rejected + blank, for every load that succeeds. */
export interface RowCounts {
  readonly read: number
  readonly loaded: number
  readonly rejected: number
  readonly blank: number
}

/** Why a column became what it is, and what its cells had done to them. */
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
  /** By which the values would be dates, if it were given (`dates/usual-patterns.ts`). */
  readonly fittingPattern?: string
  /** The unit or currency that all numbers of the column are written with. */
  readonly unit?: string
  /** The first number that is kept as the text that its format shows, for the sake of leading zeros and of signs between digits. */
  readonly asShown?: CounterExample
  /** Day and month, or decimal and thousands, could not be told apart. */
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

/** A detected type that a later value broke, and what the column became. */
export interface Widening {
  readonly column: string
  readonly from: string
  readonly to: string
  readonly cause: CounterExample
}

export interface ReportedColumn extends ColumnPlan {
  readonly evidence: ColumnEvidence
}

/** The whole story of one load; also what `ingest` prints. Plain JSON. */
export interface LoadReport {
  readonly reader: string
  readonly input: InputReport
  readonly table?: TableReport
  readonly columns: readonly ReportedColumn[]
  readonly counts: RowCounts
  /** Cells of a given type, or of a date column, that `onInvalid: null` made NULL. */
  readonly invalidCells: number
  readonly widenings: readonly Widening[]
  readonly restarts: number
  readonly warnings: readonly Warning[]
  /** COPY streams at once. */
  readonly streams: number
  readonly streamsBecause: Message
  readonly bytesRead: number
  readonly durationMs: number
}
