import { isFigure, Shape } from './cell-shape.ts'
import type { SeenRow } from './seen-row.ts'

/** Rows with fewer than this share of the usual number of filled cells say nothing about the columns. */
const LEAST_SHARE_OF_USUAL = 0.5
/**
 * A column holds figures if at least this share of its values are figures; the others may be marks
 * and words.
 */
const LEAST_SHARE_OF_FIGURES = 0.6
/** Rows that fill even fewer of the used columns say nothing at all. */
const LEAST_SHARE_OF_USED = 0.1
/** A column that is filled less often is next to the table rather than part of it. */
const LEAST_SHARE_OF_ROWS = 0.2

/** What the columns of some rows hold. */
export interface Columns {
  /** One element per column. */
  readonly figures: Uint16Array
  readonly years: Uint16Array
  readonly dates: Uint16Array
  readonly words: Uint16Array
  /** How many cells stand for a missing value. */
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

/** If a column has nothing but symbols for missing values, figures are missing. */
export function holdsFigures({ figures, words, missing }: Columns, column: number): boolean {
  const count = figures[column] ?? 0
  if (count === 0) return (missing[column] ?? 0) > 0 && words[column] === 0
  return count >= LEAST_SHARE_OF_FIGURES * (count + words[column]!)
}

/** If most of a column's figures are years or dates, one above them is a value like them. */
export function holdsMostly(what: 'years' | 'dates', columns: Columns, column: number): boolean {
  const count = columns.figures[column] ?? 0
  return count > 0 && columns[what][column]! >= LEAST_SHARE_OF_FIGURES * count
}

/** Leaves out notes of a few cells, whose columns are not columns of the table. */
export function tellsOfColumns({ filled }: SeenRow, used: readonly number[]): boolean {
  if (used.length === 1) return true
  return filled.length > 1 && filled.length >= LEAST_SHARE_OF_USED * used.length
}

/** A text above the table that is longer than this says nothing about its rows, if there are enough of them. */
const LONG_LEAD = 60
const LEAST_BELOW_LEAD = 3

/** How many cells a usual row fills: nine rows in ten fill no more. */
function usualFill(rows: readonly SeenRow[]): number {
  const lead = rows.findIndex(({ filled }) => filled.length > 1)
  const below = lead > LONG_LEAD ? rows.slice(lead) : []
  const wide = below.filter(({ filled }) => filled.length > 1)
  const areRows = wide.length >= LEAST_BELOW_LEAD && wide.length * 2 > below.length
  const fills = (areRows ? below : rows)
    .map(({ filled }) => filled.length)
    .toSorted((a, b) => a - b)
  return fills[Math.ceil((fills.length - 1) * 0.9)] ?? 0
}

/** The columns that the wide rows use; if they use each one seldom, all that they ever use. */
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
