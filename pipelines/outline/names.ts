import { isFigure, isWords, Shape } from './cell-shape.ts'
import { type Columns, holdsFigures, holdsMostly } from './columns.ts'
import { holdsYearsFarApart, namesYears, type SeenRow } from './seen-row.ts'

/** Whether the cell could be the name of a column, whatever is below it. */
export function couldBeName(row: SeenRow, column: number): boolean {
  const shape = row.shapes[column] ?? Shape.blank
  return isWords(shape) || (shape === Shape.year && namesYears(row) && !holdsYearsFarApart(row))
}

/** Whether the cell names its column, judging by the rows below: it is of another kind than they are. */
export function isNameAbove(
  row: SeenRow,
  column: number,
  below: readonly SeenRow[],
  columns: Columns,
): boolean {
  const shape = row.shapes[column]
  if (shape === Shape.year && holdsMostly('years', columns, column)) return false
  if (couldBeName(row, column)) return true
  if (shape === Shape.year) return !holdsYearsFarApart(row)
  if (shape === Shape.date)
    return holdsFigures(columns, column) && !holdsMostly('dates', columns, column)
  return isBracketed(row, column) && !hasBracketedFigures(below, column)
}

/** `(1,000)` is a unit if the figures of the rows are not in brackets. */
export function isBracketed({ texts }: SeenRow, column: number): boolean {
  const text = texts[column] ?? ''
  return /^[([]/.test(text) && /[)\]]$/.test(text)
}

/** Negative amounts, as accountants write them. */
function hasBracketedFigures(rows: readonly SeenRow[], column: number): boolean {
  return rows.some((row) => isBracketed(row, column) && isFigure(row.shapes[column]!))
}
