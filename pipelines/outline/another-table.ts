import { isFigure, isWords, Shape } from './cell-shape.ts'
import { couldBeName } from './names.ts'
import type { SeenRow } from './seen-row.ts'

/** Another table has at least this many rows below its header ... */
export const LEAST_ROWS = 2
/** ... and this many prove that it has begun, without waiting for its end. */
export const SURE_ROWS = 5
/** A row close to the rows above is a header only if it repeats at least this share of the names. */
const LEAST_SHARE_OF_NAMES = 0.5

/** What is known about a table when the question is whether another one begins. */
export interface TableAbove {
  /** The last row of its header. */
  readonly header: SeenRow
  /** The columns that its rows use. */
  readonly used: readonly number[]
}

/**
 * Whether the row looks like the header of another table: distinct names that start or end in
 * other columns than the table above, and stand apart, perhaps below a title; or most of the names
 * above again, in a line with more or fewer fields. What is exactly as wide as the table counts as
 * its rows: when in doubt it is data.
 */
export function looksLikeItsHeader(
  row: SeenRow,
  above: SeenRow | undefined,
  table: TableAbove,
): boolean {
  return (
    areDistinctNames(row) &&
    ((standsApart(row, above) && reachesElsewhere(row, table)) || saysAgain(row, table))
  )
}

/** All of its cells could be names, no two of them the same, and not years alone. */
export function areDistinctNames(row: SeenRow): boolean {
  const { filled, texts } = row
  return (
    filled.length > 1 &&
    filled.every((column) => couldBeName(row, column)) &&
    filled.some((column) => isWords(row.shapes[column]!)) &&
    new Set(filled.map((column) => texts[column])).size === filled.length
  )
}

function reachesElsewhere({ filled }: SeenRow, { header, used }: TableAbove): boolean {
  const own = [...header.filled, ...used]
  return filled[0] !== Math.min(...own) || filled.at(-1) !== Math.max(...own)
}

function standsApart(row: SeenRow, above: SeenRow | undefined): boolean {
  return row.isApart || (above?.isApart === true && above.filled.length === 1)
}

function saysAgain({ cells, texts, filled }: SeenRow, { header }: TableAbove): boolean {
  if (cells.length === header.cells.length) return false
  const again = filled.filter((column) => header.texts.includes(texts[column]!))
  return again.length >= LEAST_SHARE_OF_NAMES * filled.length
}

/**
 * How many rows with figures are below the header; null if one cannot belong to it: it fills a
 * column without a name, or repeats one of the names.
 */
export function rowsBelow(header: SeenRow, rows: readonly SeenRow[]): number | null {
  if (!rows.every((row) => isRowOf(header, row))) return null
  return rows.filter(({ filled, shapes }) => filled.some((column) => isFigure(shapes[column]!)))
    .length
}

function isRowOf(header: SeenRow, { filled, texts, shapes, cells }: SeenRow): boolean {
  // Close to the rows above, only a different number of fields sets another table apart.
  if (!header.isApart && cells.length !== header.cells.length) return false
  return filled.every((column) => {
    const name = header.texts[column] ?? ''
    const isYearBelowYear = header.shapes[column] === Shape.year && shapes[column] === Shape.year
    return name !== '' && name !== texts[column] && !isYearBelowYear
  })
}
