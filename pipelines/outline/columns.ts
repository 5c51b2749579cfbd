import { isFigure, Shape } from './cell-shape.ts'
import type { SeenRow } from './seen-row.ts'

/** Rows of which fewer than this share of the usual cells are filled say nothing of the columns. */
const LEAST_SHARE_OF_USUAL = 0.5
/** A column is one of figures where so many of its values are; the others may be marks and words. */
const LEAST_SHARE_OF_FIGURES = 0.6
/** Rows of even fewer of the columns that are used say nothing of any. */
const LEAST_SHARE_OF_USED = 0.1
/** Seldom filled, it is beside the table rather than a column of it. */
const LEAST_SHARE_OF_ROWS = 0.2

/** What the columns of some rows hold. */
export interface Columns {
  /** One place a column. */
  readonly figures: Uint16Array
  readonly years: Uint16Array
  readonly dates: Uint16Array
  readonly words: Uint16Array
  /** Signs for values that are missing. */
  readonly missing: Uint16Array
}

export function columnsOf(rows: readonly SeenRow[]): Columns {
  const width = rows.reduce((most, { texts }) => Math.max(most, texts.length), 0)
  const figures = new Uint16Array(width)
  const years = new Uint16Array(width)
  const dates = new Uint16Array(width)
  const words = new Uint16Array(width)
  const missing = new Uint16Array(width)
  for (const { shapes, filled } of rows) {
    for (const column of filled) {
      const shape = shapes[column]!
      if (shape === Shape.missing) missing[column]! += 1
      else if (isFigure(shape)) figures[column]! += 1
      else words[column]! += 1
      if (shape === Shape.year) years[column]! += 1
      if (shape === Shape.date) dates[column]! += 1
    }
  }
  return { figures, years, dates, words, missing }
}

/** Where nothing but signs for missing values stand, figures are missing. */
export function holdsFigures({ figures, words, missing }: Columns, column: number): boolean {
  const count = figures[column] ?? 0
  if (count === 0) return (missing[column] ?? 0) > 0 && words[column] === 0
  return count >= LEAST_SHARE_OF_FIGURES * (count + words[column]!)
}

/** Most of its figures are years, or dates: one above them is nothing else than they are. */
export function holdsMostly(what: 'years' | 'dates', columns: Columns, column: number): boolean {
  const count = columns.figures[column] ?? 0
  return count > 0 && columns[what][column]! >= LEAST_SHARE_OF_FIGURES * count
}

/** Rather than a note of a few cells, whose columns are no columns of the table. */
export function tellsOfColumns({ filled }: SeenRow, used: readonly number[]): boolean {
  if (used.length === 1) return true
  return filled.length > 1 && filled.length >= LEAST_SHARE_OF_USED * used.length
}

/** How many cells a usual row fills: nine rows in ten fill no more. */
function usualFill(rows: readonly SeenRow[]): number {
  const fills = rows.map(({ filled }) => filled.length).toSorted((a, b) => a - b)
  return fills[Math.ceil((fills.length - 1) * 0.9)] ?? 0
}

/** Columns that the wide rows use; where they use each seldom, all that they ever do. */
export function usedColumns(rows: readonly SeenRow[]): number[] {
  const usual = usualFill(rows)
  const wide = rows.filter(({ filled }) => filled.length >= usual * LEAST_SHARE_OF_USUAL)
  const { figures, words, missing } = columnsOf(wide)
  const times = Array.from(figures, (count, column) => count + words[column]! + missing[column]!)
  const filledBy = (least: number) =>
    times.flatMap((count, column) => (count >= Math.max(1, least) ? [column] : []))
  const often = filledBy(wide.length * LEAST_SHARE_OF_ROWS)
  return often.length > 0 ? often : filledBy(1)
}
