import { isFigure } from './cell-shape.ts'
import { couldBeName } from './names.ts'
import type { SeenRow } from './seen-row.ts'

/** So many rows below its header show that another table has begun, without waiting for its end. */
export const SURE_ROWS = 3

/**
 * Whether the row looks like the header of another table: it stands apart, perhaps below a title, is
 * made of distinct names, and reaches from another column or to another one than the table does. What
 * is as wide as the table is taken for its rows: in doubt it is data.
 */
export function looksLikeItsHeader(
  row: SeenRow,
  above: SeenRow | undefined,
  used: readonly number[],
): boolean {
  const { filled, texts } = row
  return (
    (row.isApart || (above?.isApart === true && above.filled.length === 1)) &&
    filled.length > 1 &&
    (filled[0] !== used[0] || filled.at(-1) !== used.at(-1)) &&
    filled.every((column) => couldBeName(row, column)) &&
    new Set(filled.map((column) => texts[column])).size === filled.length
  )
}

/** How many rows below the header are its rows; null where one of them reaches beyond it. */
export function rowsBelow(header: SeenRow, rows: readonly SeenRow[]): number | null {
  const from = header.filled[0]!
  const to = header.filled.at(-1)!
  if (rows.some(({ filled }) => filled[0]! < from || filled.at(-1)! > to)) return null
  return rows.filter(({ filled, shapes }) => filled.some((column) => isFigure(shapes[column]!))).length
}
