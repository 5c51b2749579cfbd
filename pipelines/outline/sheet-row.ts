import type { CellKind } from '../core/batch.ts'

/** A row as a reader hands it over, before anything is known of the table in which it may stand. */
export interface SheetRow {
  /** Line of a file, or row of a sheet, counted from 1. */
  readonly line: number
  /** Texts of its cells from the first column on; those that are missing at the end are blank. */
  readonly cells: readonly string[]
  /** What a workbook knows of each cell; absent where all there is is text. */
  readonly kinds?: readonly CellKind[]
  /** The cells stand in bold; absent where nobody can tell. */
  readonly isBold?: boolean
}

/** Cells that a workbook shows as one. Rows as `line` counts them, columns counted from 0. */
export interface MergedRange {
  readonly firstLine: number
  readonly lastLine: number
  readonly firstColumn: number
  readonly lastColumn: number
}

/** Nobody makes a header of more ranges; the others are not kept. */
export const MOST_MERGED = 10_000

export interface LineRange {
  readonly firstLine: number
  readonly lastLine: number
}
