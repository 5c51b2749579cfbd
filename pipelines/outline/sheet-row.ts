import type { CellKind } from '../core/batch.ts'

/** A row as a reader passes it on, before anything is known about the table that it may belong to. */
export interface SheetRow {
  /** The line of the file or row of the sheet, counted from 1. */
  readonly line: number
  /** Texts of its cells from the first column on; cells missing at the end are blank. */
  readonly cells: readonly string[]
  /** What a workbook knows about each cell; absent if there is only text. */
  readonly kinds?: readonly CellKind[]
  /** Whether the cells are bold; absent if unknown. */
  readonly isBold?: boolean
}

/** Cells that a workbook shows as one. Rows are counted like `line`, columns from 0. */
export interface MergedRange {
  readonly firstLine: number
  readonly lastLine: number
  readonly firstColumn: number
  readonly lastColumn: number
}

/** No real header has more ranges; further ones are not kept. */
export const MOST_MERGED = 10_000

export interface LineRange {
  readonly firstLine: number
  readonly lastLine: number
}
