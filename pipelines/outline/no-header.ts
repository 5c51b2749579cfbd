import { isFigure, Shape } from './cell-shape.ts'
import { type Columns, columnsOf, holdsFigures, usedColumns } from './columns.ts'
import type { Head } from './find-head.ts'
import { isNameAbove } from './names.ts'
import { isFilled, type SeenRow } from './seen-row.ts'
import { commonWriting } from './writing.ts'

/** What fewer rows hold may be chance. */
const LEAST_ROWS = 3
/** The rows that follow the first one tell what values look like. */
const PEERS = 60
/** Numbers that follow one another are names from so many on; where they begin at 0 or 1, always. */
const LEAST_COUNTED = 3

/**
 * The rows begin where a header would stand: not one cell of the first row could be the name of its
 * column. Every one of them is a figure among figures, comes again, or is written like those below.
 * Null where a single one could be a name: a header that is taken for a row is not seen again.
 */
export function rowsWithoutHeader(rows: readonly SeenRow[]): Head | null {
  const used = usedColumns(rows)
  const at = rows.findIndex((row) => !couldBeTitle(row, used))
  const first = rows[at]
  const below = rows.slice(at + 1, at + 1 + PEERS)
  if (first === undefined || below.length + 1 < LEAST_ROWS) return null
  const isOfValues = fillsWhatAllFill(first, below) && holdsOnlyValues(first, below)
  return isOfValues ? { headerFrom: at, headerTo: at, firstRow: at, score: 0 } : null
}

/** A text, or a name and its value: less than half of what the rows fill. */
function couldBeTitle({ filled }: SeenRow, used: readonly number[]): boolean {
  return filled.length <= 2 && filled.length * 2 < used.length
}

/** The blank corner of a header stands above a column that the rows fill. */
function fillsWhatAllFill(first: SeenRow, below: readonly SeenRow[]): boolean {
  return below[0]!.filled.every(
    (column) => isFilled(first, column) || !below.every((row) => isFilled(row, column)),
  )
}

function holdsOnlyValues(first: SeenRow, below: readonly SeenRow[]): boolean {
  const columns = columnsOf(below)
  return (
    first.filled.some((column) => isFigure(first.shapes[column]!)) &&
    !countsColumns(first) &&
    first.filled.every((column) => isValue(first, column, below, columns))
  )
}

function isValue(
  first: SeenRow,
  column: number,
  below: readonly SeenRow[],
  columns: Columns,
): boolean {
  const shape = first.shapes[column]!
  if (isFigure(shape) || shape === Shape.missing) {
    return holdsFigures(columns, column) && !isNameAbove(first, column, below, columns)
  }
  const comesAgain = below.some(({ texts }) => texts[column] === first.texts[column])
  return comesAgain || first.writings.at(column) === commonWriting(below, column)
}

/** `0, 1, 2`: what programs write above columns without names. */
function countsColumns({ texts, shapes, filled }: SeenRow): boolean {
  const numbers = filled
    .filter((column) => isFigure(shapes[column]!))
    .map((column) => (/^\d+$/.test(texts[column]!) ? Number(texts[column]) : Number.NaN))
  const follow = numbers.every((number, at) => at === 0 || number === numbers[at - 1]! + 1)
  return follow && (numbers.length >= LEAST_COUNTED || numbers[0] === 0 || numbers[0] === 1)
}
